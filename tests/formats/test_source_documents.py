"""Every field of the tool schemas in the five source documents has its place in a model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from toolbridge import DocumentError, check, convert, detect
from toolbridge.data.documents import read_documents
from toolbridge.formats.arcade import tools as arcade
from toolbridge.formats.hyper_mcp import tools as hyper_mcp
from toolbridge.formats.mcpx import tools as mcpx

SOURCES = Path(__file__).parents[2].parent / "shared" / "specs" / "source"
pytestmark = pytest.mark.skipif(
    not SOURCES.is_dir(), reason=f"the source documents are not beside the repository ({SOURCES} is absent)"
)


def text(number: str) -> bytes:
    (found,) = SOURCES.glob(f"{number}_*.txt")
    return found.read_bytes()


def fields(model: type[msgspec.Struct]) -> tuple[set[str], set[str]]:
    """All fields of a model, and those that are required, by their names on the wire."""
    found = msgspec.structs.fields(model)
    return {field.encode_name for field in found}, {field.encode_name for field in found if field.required}


def declared(schema: dict[str, Any]) -> tuple[set[str], set[str]]:
    """All properties that a document declares, and those that it requires."""
    return set(schema["properties"]), set(schema.get("required", ()))


def unindented(name: str) -> tuple[set[str], set[str]]:
    """Properties and required keys of a schema in a YAML text that lost its indentation."""
    lines = text("000").decode().splitlines()
    start = lines.index(f"{name}:")
    body = lines[start + 1 :]
    body = body[body.index("properties:") + 1 :]
    end = body.index("required:")
    known = {"type", "description", "items", "$ref", "enum", "nullable", "format"}
    names: set[str] = set()
    for at, line in enumerate(body[:end]):
        key, colon, rest = line.partition(":")
        # A property opens a block; one that is called like a keyword is told from it by having nothing beside it.
        if (
            colon
            and not rest.strip()
            and re.fullmatch(r"\w+", key)
            and key != "items"
            and (key not in known or _opens(body, at))
        ):
            names.add(key)
    required: set[str] = set()
    for line in body[end + 1 :]:
        if not line.startswith("- "):
            break
        required.add(line.removeprefix("- "))
    return names, required


def _opens(lines: list[str], at: int) -> bool:
    return lines[at + 1].partition(":")[0] in ("type", "$ref", "description")


# S000: an mcpx plugin


def test_s000_cannot_be_read_and_says_why() -> None:
    with pytest.raises(DocumentError, match="indent") as found:
        read_documents(text("000"))
    assert found.value.line is not None


def test_s000_tooldescription_is_covered() -> None:
    assert unindented("ToolDescription") == fields(mcpx.ToolDescription)


def test_s000_lists_tools() -> None:
    names, required = unindented("ListToolsResult")
    assert names == required == {"tools"}


# S001: a hyper-mcp plugin


def s001() -> dict[str, Any]:
    return json.loads(text("001"))


def test_s001_is_recognised_and_converted() -> None:
    document = s001()
    assert detect(document).id == "xtp@hyper-mcp-2"
    done = convert(document, "mcp@2025-06-18")
    assert [tool["name"] for tool in done.value["tools"]] == list(document["exports"])
    assert done.remainder is not None
    assert convert(done.value, "xtp", source="mcp@2025-06-18", restore=done.remainder).value == document


@pytest.mark.parametrize(("name", "model"), [("Tool", hyper_mcp.Tool), ("Annotations", hyper_mcp.Annotations)])
def test_s001_is_covered(name: str, model: type[msgspec.Struct]) -> None:
    assert fields(model) == declared(s001()["components"]["schemas"][name])


def test_s001_toolschema_is_covered() -> None:
    names, required = declared(s001()["components"]["schemas"]["ToolSchema"])
    schema = msgspec.json.schema(hyper_mcp.Tool)["$defs"]["Tool"]["properties"]["inputSchema"]
    assert set(schema["properties"]) == names
    assert set(schema["required"]) == required


# S003: an mcpx servlet


def test_s003_is_recognised_and_covered() -> None:
    source = read_documents(text("003"))
    assert source.kind == "markdown"
    (found,) = source.documents
    assert found.error is None
    assert detect(found.value).id == "xtp@mcpx-servlet"
    assert declared(found.value["components"]["schemas"]["ToolDescription"]) == fields(mcpx.ToolDescription)
    done = convert(found.value, "arcade")
    assert [tool["name"] for tool in done.value["tools"]] == list(found.value["exports"])
    assert done.remainder is not None
    assert convert(done.value, "xtp", source="arcade", restore=done.remainder).value == found.value


# S004: Tool Definition 1.0


def s004() -> list[dict[str, Any]]:
    """The examples of the page: every indented object that has an id."""
    page = text("004").decode()
    decoder = json.JSONDecoder()
    found: list[dict[str, Any]] = []
    for match in re.finditer(r'^ *\{\s*"id"', page, re.MULTILINE):
        value, _ = decoder.raw_decode(page, page.index("{", match.start()))
        if "name" in value:
            found.append(value)
    return found


def test_s004_has_five_examples() -> None:
    assert [value["id"].partition("@")[0] for value in s004()] == [
        *("Calculator.Add", "Doorbell.Ring", "System.GetTimestamp", "Gmail.GetEmails", "SMS.Send")
    ]


@pytest.mark.parametrize("number", range(5))
def test_s004_s_examples_are_valid(number: int) -> None:
    example = s004()[number]
    assert check(example, "arcade") == []
    assert detect(example).id == "arcade@1.0"
    assert msgspec.convert(example, arcade.ToolDefinition).dump() == example
    for target in ("mcp", "mcpx", "hyper-mcp", "arcade-engine", "arcade@1.0-errata"):
        done = convert(example, target, source="arcade")
        assert convert(done.value, "arcade", source=target, restore=done.remainder or False).value == example


def test_s004_s_fields_are_covered() -> None:
    names, required = fields(arcade.ToolDefinition)
    page = text("004").decode()
    listed = set(re.findall(r"^  • (\w+) \(", page, re.MULTILINE))
    demanded = set(re.findall(r"^  • (\w+) \([^)]*required\)", page, re.MULTILINE))
    assert listed | {"requirements"} == names
    # The page demands the version, the OpenAPI of 1.0 does not: it is read where it is missing (V4).
    assert demanded == required
    assert demanded - {"version"} == fields(arcade.AnyToolDefinition)[1]


def test_s004_s_nested_fields_are_covered() -> None:
    page = text("004").decode()
    deeper = set(re.findall(r"^ {4,}• (\w+) \(", page, re.MULTILINE))
    known = set().union(
        *(
            fields(model)[0]
            for model in (arcade.InputSchema, arcade.Requirements, arcade.Authorization, arcade.OAuth2, arcade.Secret)
        )
    )
    assert deeper == known
