"""Loss codes and the report: every way in which what is written differs from what was meant."""
