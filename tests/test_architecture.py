"""The code is laid out and named as docs/architecture.md says: modules, classes, public names, paths."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from toolbridge.formats.index import INDEX

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
SRC = ROOT / "src"
MODULES = {
    ".".join(file.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__"): ast.parse(file.read_text("utf-8"))
    for file in sorted((SRC / "toolbridge").rglob("*.py"))
}

ALLOWED = {
    "fitting": "the package of `fit`, which may not have the name of the function",
    "linting": "the module of `lint`, which may not have the name of the function",
    "mapping": "a noun of the field: what maps to what",
    "naming": "a noun of the field: which names tools get",
    "nesting": "the module of `nest`, which may not have the name of the function",
    "rendering": "a noun of the field: reports as text for others",
    "sampling": "a noun of the field: what a server asks of the model of a client",
    "routing": "a noun of the field: which call goes to which server",
}
"""Module names that look like participles, and why they stay."""

PARTICIPLES = re.compile(r"\w+(?:ing|ed)|broken|cut|found|gone|heard|held|kept|left|lost|made|meant|sent|shown|written")
OTHERS = re.compile(
    # adverbs, and participles with an ending of their own
    "about|again|almost|already|also|apart|around|away|back|behind|beside|else|even|ever|far|forth|hence|here|how|home|"
    "instead|less|more|most|never|not|now|often|once|only|quick|said|soon|still|then|there|thus|together|told|too|"
    "twice|very|well|when|where|why|"
    # pronouns
    "all|another|any|anybody|both|each|either|everything|he|her|his|it|its|itself|mine|neither|nobody|none|nothing|"
    "other|others|our|own|same|she|some|somebody|something|such|that|their|them|these|they|this|those|us|we|what|"
    "which|who|whoever|whose|you|your"
)

PUBLIC = {
    "toolbridge": "ArgumentMap Bridge Call CallError CallStream Change Comparison Converted Deviation DocumentError "
    "Format FormatError Limits Lock Loss LossError Remainder Repaired Reply Report Result SourceCall Tool Toolbox "
    "ToolbridgeError bridge check convert convert_file detect diff explain fix get_format lock",
    "toolbridge.adapters": "ModelTool Run Service entered needed wait",
    "toolbridge.adapters.anthropic": "async_tools from_tools run tools",
    "toolbridge.adapters.autogen": "Workbench from_tools run",
    "toolbridge.adapters.crewai": "from_tools run tools",
    "toolbridge.adapters.fastmcp": "from_tools run tools",
    "toolbridge.adapters.google_adk": "from_tools run tools",
    "toolbridge.adapters.langchain": "BridgedTool Messages from_tools run tools",
    "toolbridge.adapters.llama_index": "from_tools run tools",
    "toolbridge.adapters.mcp": "Clients answer run serve toolbox tools",
    "toolbridge.adapters.openai_agents": "from_tools run tools",
    "toolbridge.adapters.pydantic_ai": "Toolset from_tools",
    "toolbridge.adapters.semantic_kernel": "from_tools run tools",
    "toolbridge.adapters.smolagents": "Failed from_tools run tools",
    "toolbridge.adapters.strands": "from_tools run tools",
    "toolbridge.arrow": "COLUMNS Kernel KernelOptions Part Summary convert_batch convert_file convert_files "
    "convert_part convert_table parts schema_for",
    "toolbridge.arrow.dask": "convert_files",
    "toolbridge.arrow.duckdb": "register",
    "toolbridge.arrow.polars": "convert",
    "toolbridge.arrow.spark": "convert",
    "toolbridge.bulk.fastpath": "FastPath FastResult fast_path",
    "toolbridge.losses.report": "CATALOGUE CODES EFFECTS Code Loss Report explain",
    "toolbridge.mapping": "AS_EITHER AS_OBJECT AS_TEXT Block BlockPredicate Blocks Budgets Call CallPiece ChoiceWords "
    "Codec Demand Dialect DialectProof EventReader Evidence Fact Format GroupRule HttpRequest Identifier Invent Kinds "
    "Listing Message Note PARALLEL PLAIN Part Place Predicate Record RequestMembers ResponseEnd Result Row Rule Shape "
    "Table TextTool Tool UNLIMITED Unrepresentable Wire WriteContext all_of allow any_input apply as_text "
    "block_problems blocks_at borrow choice_shape constant content_at default_tool_name describe either "
    "fails_in_words fallback fields_of flag for_model from_context has has_address has_data has_fields has_object "
    "has_type hash_id holds id_by_rule id_codec id_of_length id_text identity invent invent_id is_base64 is_blank "
    "is_read items_at kinds_from local media_type messages_from never no_arguments no_arguments_text object_only "
    "objects_in one_text one_value place_of_row problem_of read_text repair_schema repeating rewrite row schema_codec "
    "settle_failed settle_marker shapes_of shown stream_from tag text_block text_of title_or_address unless_in_words "
    "unless_none write_description write_if write_name write_nothing written",
    "toolbridge.pull": "PullError Pulled TIMEOUT pull_http pull_oxp pull_stdio",
    "toolbridge.schema": "APPLICATORS ArgumentMap BudgetExceeded CONSTRAINTS Dialect DraftRules Evidence Fact Finding "
    "Fitted NoteCallback OLD_DRAFTS "
    "OPTIONS Options PLAIN REFERENCES SAME SUBSCHEMAS SchemaChange Steps TYPES WITH_NULL adapt_each address_drafts "
    "allow children compare_schemas compiles "
    "count_parameters draft exceeded fit fit_output has_references has_size_limits inline is_annotation "
    "is_constrained_reference is_list_of_names is_object_schema keeps lint meant_list meant_schema meant_types nest "
    "older_spellings original_place referenced_places require_flagged restore_arguments says_nothing separate "
    "stated_draft under unnest upgrade value_levels walk with_own_root with_properties with_repairs with_required "
    "with_type",
}
"""The names of each `__all__`: what users may import. A change here is a change of the interface."""

WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z][a-z]*")


def words(name: str) -> set[str]:
    """The words of a class name in CamelCase; digits, which are editions, separate them."""
    return set(WORD.findall(name))


def glossary() -> set[str]:
    """The words of the first column of the tables of the glossary."""
    page = PAGE.read_text(encoding="utf-8")
    rows = [line for line in page[page.index("\n## Glossary") :].splitlines() if line.startswith("| `")]
    return {word for row in rows for term in re.findall(r"`([^`]+)`", row.split("|")[1]) for word in words(term)}


def vendors_words() -> set[str]:
    """The words of vendors in the ids of formats, in the fields of their models, and in the values that these have."""
    texts = [entry.id for entry in INDEX]
    for name, tree in MODULES.items():
        for node in ast.walk(tree) if name.startswith("toolbridge.formats.") else ():
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                texts.append(node.target.id)
                parts = (part.value for part in ast.walk(node.annotation) if isinstance(part, ast.Constant))
                texts += [part for part in parts if isinstance(part, str)]
    found = {word.capitalize() for text in texts for word in re.findall(r"[A-Z]*[a-z]+|[A-Z]+", text)}
    return {form for word in found for form in (word, word.removesuffix("s"), f"{word}s")}


def test_a_module_says_what_it_is_in_a_sentence() -> None:
    # A first line may end in the link of a specification.
    sentence = re.compile(r"(?:[A-Z`]|mcpx|hyper-mcp).*\.( https?://\S+)?")
    first = {name: (ast.get_docstring(tree) or "").partition("\n")[0] for name, tree in MODULES.items()}
    assert not {name: line for name, line in first.items() if not sentence.fullmatch(line)}


def test_a_module_is_named_by_a_noun() -> None:
    """Of a name of several words the last is the noun."""
    last = {name: name.rpartition(".")[2].rpartition("_")[2] for name in MODULES}
    odd = {name for name, word in last.items() if PARTICIPLES.fullmatch(word) or OTHERS.fullmatch(word)}
    assert {name for name in odd if last[name] not in ALLOWED} == set()
    assert set(ALLOWED) <= set(last.values())


def test_a_file_has_800_lines_at_most() -> None:
    files = [*(SRC / "toolbridge").rglob("*.py")]
    assert not [str(file) for file in files if file.read_text("utf-8").count("\n") > 800]


def test_what_the_page_names_stands_in_the_file_that_it_names() -> None:
    """Each `name` in `file` of the page: the file defines or assigns that name."""
    page = PAGE.read_text(encoding="utf-8")
    named = re.findall(r"`([A-Za-z_.]+)(?:\(\.\.\.\))?` in\s+`(src/toolbridge/[\w/]+\.py)`", page)
    assert len(named) > 10
    text = {file: (ROOT / file).read_text(encoding="utf-8") for _, file in named}
    defined = r"(?:(?:def|class) {0}\b|^\s*{0}\b.*=|\"{0}\")"
    missing = [
        (name, file)
        for name, file in named
        for part in name.split(".")
        if not re.search(defined.format(re.escape(part)), text[file], re.MULTILINE)
    ]
    assert not missing


def test_class_names_are_made_of_the_words_of_the_glossary() -> None:
    own, vendors = glossary(), vendors_words()
    new = {
        f"{name}.{node.name}": unknown
        for name in MODULES
        for node in ast.walk(MODULES[name])
        if isinstance(node, ast.ClassDef)
        and (unknown := words(node.name) - own - (vendors if name.startswith("toolbridge.formats.") else set()))
    }
    assert not new, "words of class names that the glossary of docs/architecture.md does not explain"


def test_public_names() -> None:
    found = {
        name: sorted(ast.literal_eval(node.value))
        for name, tree in MODULES.items()
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
    }
    public = {name: sorted(names.split()) for name, names in PUBLIC.items()}
    assert found == public, "names that can be imported from a module stand in its __all__, and in PUBLIC"


def test_the_root_stays_small() -> None:
    entries = [entry.name for entry in (SRC / "toolbridge").iterdir() if not entry.name.startswith("__pycache__")]
    assert len(entries) <= 22, sorted(entries)


def test_paths_of_the_page_exist() -> None:
    page = PAGE.read_text(encoding="utf-8")
    whole = re.findall(r"`((?:benchmarks|docs|examples|schemas|src|tests)/[^`]*)`", page)
    assert whole
    short = re.findall(r"\b((?:bulk|conversion|data|formats|losses|mapping|schema|toolbox)/[\w./]*)", page)
    missing = [path for path in whole if not (ROOT / path).exists()]
    missing += [
        path for path in short if not (SRC / "toolbridge" / path.rstrip(".")).exists() and not (ROOT / path).exists()
    ]
    assert not missing


def test_the_page_is_linked() -> None:
    assert "(architecture.md)" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert "(docs/architecture.md)" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
