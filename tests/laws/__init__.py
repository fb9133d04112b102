"""What each crossing must obey, as functions that answer what is wrong: for generated tools and real ones alike."""
