"""`python tests/frameworks.py [NAME ...]` runs the tests of the adapters, each in an environment of its own.

The environments are in .venv-frameworks/, made from the pins in tests/adapters/pins/ with uv. Frameworks that install
beside the other requirements of the tests are tested in the environment that runs this. Writes the results to
tests/adapters/results.json, from which docs/generate.py makes the table of docs/frameworks.md. `make test-frameworks`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "adapters"
PINS, RESULTS = FOLDER / "pins", FOLDER / "results.json"
ENVIRONMENTS = ROOT / ".venv-frameworks"


class Framework(NamedTuple):
    """A row of the table: the class with its tests, the package, and the pins, if it needs an environment."""

    title: str
    test: str
    package: str
    pins: str | None = None


FRAMEWORKS = {
    "langchain": Framework("LangChain", "test_contract.py::TestLangChain", "langchain-core"),
    "openai-agents": Framework("OpenAI Agents SDK", "test_contract.py::TestOpenAIAgents", "openai-agents"),
    "pydantic-ai": Framework("Pydantic AI", "test_contract.py::TestPydanticAI", "pydantic-ai-slim"),
    "anthropic": Framework("Anthropic's tool runner", "test_anthropic_runner.py", "anthropic"),
    "mcp": Framework("mcp SDK 2", "test_mcp_contract.py", "mcp"),
    "mcp-1": Framework("mcp SDK 1", "test_mcp_contract.py", "mcp", "mcp-1"),
    "fastmcp": Framework("FastMCP 4", "test_fastmcp_tools.py", "fastmcp", "fastmcp"),
    "fastmcp-3": Framework("FastMCP 3", "test_fastmcp_tools.py", "fastmcp", "fastmcp-3"),
    "google-adk": Framework("Google ADK", "test_google_adk.py", "google-adk", "google-adk"),
    "crewai": Framework("CrewAI", "test_crewai.py", "crewai", "crewai"),
    "llama-index": Framework("LlamaIndex", "test_llama_index.py", "llama-index-core", "llama-index"),
    "strands": Framework("Strands Agents", "test_strands.py", "strands-agents", "strands"),
    "smolagents": Framework("smolagents", "test_smolagents.py", "smolagents", "smolagents"),
    "semantic-kernel": Framework("Semantic Kernel", "test_semantic_kernel.py", "semantic-kernel", "semantic-kernel"),
    "autogen": Framework("AutoGen", "test_autogen.py", "autogen-core", "autogen"),
}


def python_of(pins: str | None) -> str:
    """The interpreter of an environment, which is made where it is missing or its pins changed."""
    if pins is None:
        return sys.executable
    home, file = ENVIRONMENTS / pins, PINS / f"{pins}.txt"
    python, stamp = home / ("Scripts" if os.name == "nt" else "bin") / "python", home / ".pins"
    text = file.read_text(encoding="utf-8")
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != text:
        print(f"{pins}: installing", file=sys.stderr)
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(home)], check=True)
        install = [*uv, "pip", "install", "--quiet", "--no-deps", "--python", str(python)]
        subprocess.run([*install, "--requirements", str(file)], check=True)
        stamp.write_text(text, encoding="utf-8")
    return str(python)


def run(name: str, framework: Framework) -> dict[str, object]:
    """The results of the tests of a framework, by the name of the test."""
    python = python_of(framework.pins)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TOOLBRIDGE_FRAMEWORKS": "yes"}
    asked = f"from importlib.metadata import version; print(version({framework.package!r}))"
    version = subprocess.run([python, "-c", asked], check=True, capture_output=True, text=True).stdout.strip()
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        # The warnings of frameworks are not ours to mend.
        options = ["-q", "-o", "filterwarnings=", "-W", "ignore", "-p", "no:cacheprovider", f"--junitxml={report}"]
        done = subprocess.run(
            [python, "-m", "pytest", *options, str(FOLDER / framework.test)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        cases = list(ET.parse(report).iter("testcase")) if report.is_file() else []
    outcomes = {case.attrib["name"]: _outcome(case) for case in cases}
    failed = done.returncode != 0 or not outcomes
    if failed:
        print(done.stdout, done.stderr, file=sys.stderr)
    print(
        f"{name}: {framework.package} {version}: {'FAILED' if failed else f'{len(outcomes)} tests passed'}", flush=True
    )
    tests = {each: outcome for each, outcome in outcomes.items() if each in COLUMNS}
    checked = datetime.now(UTC).date().isoformat()
    return {"title": framework.title, "package": framework.package, "version": version, "checked": checked, **tests}


COLUMNS = (
    "test_tools_in",
    "test_calls_sync",
    "test_calls_async",
    "test_errors",
    "test_images",
    "test_own_tools",
    "test_agent",
)


def _outcome(case: ET.Element) -> str:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "passed" if case.find("skipped") is None else "skipped"


def main(names: list[str]) -> int:
    if unknown := [name for name in names if name not in FRAMEWORKS]:
        print(f"no framework is called {', '.join(unknown)}; there are: {', '.join(FRAMEWORKS)}", file=sys.stderr)
        return 2
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
    for name in names or FRAMEWORKS:
        known[name] = run(name, FRAMEWORKS[name])
        ordered = {each: known[each] for each in FRAMEWORKS if each in known}
        RESULTS.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")
    return int(any("failed" in result.values() or "test_agent" not in result for result in known.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
