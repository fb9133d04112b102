"""Reports for other programs and for people: SARIF, JUnit, workflow commands of GitHub, an HTML page.

Each module has a function `render` from JSON reports (of `Report.to_json`, or of the command's `--report`) to text.
"""
