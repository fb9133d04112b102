"""Format: a frozen value that says how one edition of one family writes things down; find, detect and check them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, cast

from msgspec import Struct

from . import pointer as at
from .errors import DocumentError, FormatError
from .forms import Form, Traffic, kind_of, recognised
from .framing import Frame, Shape, frame, lists
from .hub import Json, JsonObject, Kind, is_object
from .limits import LIMITS, Limits
from .names import Rule
from .reading import Reading
from .schema.dialect import Dialect
from .table import Table


class Format(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """One edition of one family.

    `wrap` is where a catalogue keeps its tools (None: a bare list), `slot` where the specification lets a remainder
    ride. `envelope` holds the rows of the catalogue around the tools; `context` says what the envelope tells about its
    tools (hub field: value and place). `exports` turns an interface document, which is read only, into tools, each with
    its place, or the reason why it is none. `tell` counts what an older edition cannot have known, for detection.
    `identity` is what must differ between the tools of a catalogue, beside their names. `problems` finds what the prose
    forbids and no schema does.

    `hosted` tells an item of a list that the vendor's own servers run (or that is no tool at all, such as a mark for
    caching). `group` answers where an item of a list, or a whole document, holds tools of its own (None: it is no
    group); what it tells of them is `context`, and `envelope` has rows for its members too. `requests` are the places
    beside `wrap` where the vendor's requests keep their list, `replies` those where its answers keep calls. `tools` is
    how many tools the service takes, `dialect` what it takes of JSON Schema.

    `traffic` answers the shapes of calls and results, the preferred ones first, when somebody wants them; `asks` are
    the places of a call that say which tool it means, with what they say for a tool, where that is not its name alone.
    """

    id: str
    summary: str
    spec: str
    tool: Table
    traffic: Callable[[], Traffic] | None = None
    aliases: tuple[str, ...] = ()
    wrap: str | None = None
    slot: str | None = None
    envelope: Table | None = None
    names: Rule | None = None
    context: Callable[[JsonObject], Mapping[str, tuple[str, str]]] | None = None
    exports: Callable[[JsonObject], Iterator[tuple[str, JsonObject | DocumentError]]] | None = None
    tell: Callable[[JsonObject], int] | None = None
    identity: Callable[[Reading, str], str] | None = None
    problems: Callable[[JsonObject], Iterator[tuple[str, str]]] | None = None
    hosted: Callable[[JsonObject], bool] | None = None
    group: Callable[[JsonObject], str | None] | None = None
    requests: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    asks: Callable[[JsonObject], Mapping[str, Json]] | None = None
    tools: int | None = None
    dialect: Dialect | None = None

    def __repr__(self) -> str:
        return f"<Format {self.id}>"

    def __reduce__(self) -> tuple[Callable[[str], Format], tuple[str]]:
        # It is made of functions, so it is pickled by its name.
        if find(self.id) is not self:
            from pickle import PicklingError

            raise PicklingError(f"{self.id} is no format that toolbridge knows by itself")
        return find, (self.id,)

    @cached_property
    def family(self) -> str:
        return self.id.partition("@")[0]

    @cached_property
    def edition(self) -> str:
        return self.id.partition("@")[2]

    @cached_property
    def call(self) -> tuple[Form, ...]:
        """The shapes of its calls."""
        return self.traffic()[0] if self.traffic is not None else ()

    @cached_property
    def result(self) -> tuple[Form, ...]:
        """The shapes of its results."""
        return self.traffic()[1] if self.traffic is not None else ()

    def takes(self, count: int, strict: Callable[[], int]) -> bool:
        """Whether the service takes so many tools at once, of which so many are strict."""
        if self.tools is not None and count > self.tools:
            return False
        most = None if self.dialect is None else self.dialect.strict_tools
        return most is None or count <= most or strict() <= most

    def strict_among(self, tools: Iterable[Json]) -> int:
        """How many of these tools say that they are strict."""
        wires = [row.wire for row in self.tool.rows_of("strict")]
        return sum(any(at.get(tool, wire, None) is True for wire in wires) for tool in tools)

    @property
    def reads_only(self) -> bool:
        """Whether nothing can be written in this format."""
        return self.exports is not None


def _house() -> tuple[Format, ...]:
    return lists().house


def __getattr__(name: str) -> Any:
    if name == "FORMATS":
        return _house()
    raise AttributeError(name)


def _names() -> dict[str, Format]:
    names: dict[str, Format] = {}
    for form in _house():
        names[form.id] = form
        # The newest edition of a family comes last, and answers to its bare name.
        names[form.family] = form
    for form in _house():
        for alias in form.aliases:
            names[alias] = form
    return names


_found: dict[str, Format] = {}


def find(name: str | Format) -> Format:
    """The format of this id, family (its newest edition) or alias. Raises FormatError, naming the nearest."""
    if isinstance(name, Format):
        return name
    if not _found:
        _found.update(_names())
    form = _found.get(name) or _found.get(name.strip().lower())
    if form is None:
        from difflib import get_close_matches

        near = get_close_matches(name.lower(), _found)
        family, _, edition = name.lower().partition("@")
        if family in _found and edition:
            near = [form.id for form in _house() if form.family == _found[family].family]
            raise FormatError(f"{family} has no edition {edition!r}; it has {', '.join(near)}", near)
        known = f"near: {', '.join(near)}" if near else f"known: {', '.join(form.id for form in _house())}"
        raise FormatError(f"no format is called {name!r}; {known}", near)
    return form


def shape(document: Json) -> Shape:
    """Whether a document is one tool, a list of them, a catalogue, a JSON-RPC response or an interface definition."""
    if isinstance(document, dict) and _is_interface(cast("JsonObject", document)):
        return "interface"
    return frame(document).shape


def _is_interface(document: JsonObject) -> bool:
    return document.get("version") in ("v0", "v1-draft") and "exports" in document


class Detected(NamedTuple):
    """What a document was recognised as, and which other formats would have fitted as well."""

    format: Format
    ties: tuple[str, ...]
    kind: Kind = "tool"


def detect(document: object, limits: Limits = LIMITS) -> Format:
    """The format of a document: required keys present, fewest strangers; a tie goes by the order of the house.

    `document` is whatever `convert` takes. Raises FormatError where nothing fits, DocumentError where there is nothing
    to look at, or more than the limits allow.
    """
    from .crossing import take

    plain = take(document, limits)[0]
    kind = kind_of(plain, None)
    return best(plain) if kind == "tool" else recognised(plain, kind)[0]


def best(document: Json) -> Format:
    """Like `detect`, for plain data."""
    return _flawless(document) or choose(document)[0]


def _flawless(document: Json) -> Format | None:
    """The first format in which nothing is amiss: none can fit better, so nothing has to be weighed."""
    if isinstance(document, dict) and _is_interface(cast("JsonObject", document)):
        return None
    taken = frame(document)
    around = _around(document, taken)
    known = lists()
    # With a group a document has more tools than it seems to have, and fits better where that is known.
    if not taken.items or any(
        is_object(item) and group(item) is not None for item in taken.items for group in known.groups
    ):
        return None
    for form in known.house:
        if form.exports is None and _fits_envelope(form, taken, document):
            frameless = not around or form.envelope is None or not form.envelope.strangers(around)
            if frameless and all(_is_flawless(form, item) for item in taken.items):
                return form
    return None


def _is_flawless(form: Format, item: Any) -> bool:
    return (
        is_object(item)
        and form.tool.musts <= item.keys()
        and not (form.hosted is not None and form.hosted(item))
        and not form.tool.strangers(item)
        and not (form.tell is not None and form.tell(item))
        and form.tool.flaws(item, form.family) == 0
    )


def recognise(document: Json) -> Detected:
    """Like `detect`, for plain data: what it describes, too, and which other formats tie with the one chosen."""
    kind = kind_of(document, None)
    if kind != "tool":
        chosen, others = recognised(document, kind)
        return Detected(chosen, tuple(form.id for form in others), kind)
    chosen, others, taken = choose(document)
    if taken is None:
        return Detected(chosen, ())
    items = taken.items
    glance, trial = _glance(chosen, items), _trial(chosen, items)
    same = [
        form.id
        for form in others
        if form is not chosen and _glance(form, items) == glance and _trial(form, items) == trial
    ]
    return Detected(chosen, tuple(same))


def choose(document: Json) -> tuple[Format, list[Format], Frame | None]:
    """The format of a document, and those that were weighed against it."""
    house = _house()
    if isinstance(document, dict) and _is_interface(cast("JsonObject", document)):
        for form in house:
            if form.exports is not None and (form.tell is None or form.tell(cast("JsonObject", document)) == 0):
                return form, [], None
    taken = frame(document)
    fitting = [form for form in house if form.exports is None and _fits_envelope(form, taken, document)]
    around = _around(document, taken)
    if not taken.items and fitting:
        fitting.sort(
            key=lambda form: (
                taken.wrap != "" and not _is_group(form, taken, cast("JsonObject", document)),
                form.envelope.strangers(around) if form.envelope is not None else len(around),
            )
        )
        return fitting[0], fitting, taken
    guesses: list[tuple[int, int, Format]] = []
    items = [item for item in taken.items if is_object(item)]  # nothing else says anything
    for form in fitting:
        fits, strange = _glance(form, items)
        if fits:
            if around and form.envelope is not None:
                strange += form.envelope.strangers(around)
            guesses.append((-fits, strange, form))
    guesses.sort(key=_first_two)
    best: tuple[int, int, Format] | None = None
    for fits, strange, form in guesses:
        if best is not None and (fits, strange) >= best[:2]:
            break
        bad, mended = _trial(form, items)
        if best is None or (fits + 2 * bad, strange + mended) < best[:2]:
            best = (fits + 2 * bad, strange + mended, form)
    if best is None:
        raise _nothing(taken)
    return best[2], [form for _, _, form in guesses], taken


def _around(document: Json, taken: Frame) -> JsonObject:
    """What stands beside the tools in an envelope."""
    if not taken.wrap:
        return {}
    base, _, name = taken.wrap.rpartition("/")
    return {key: value for key, value in at.get(document, base).items() if key != name}


def _first_two(guess: tuple[int, int, Format]) -> tuple[int, int]:
    return guess[:2]


def _known(form: Format, items: list[Any]) -> tuple[list[Any], int, int]:
    """The tools of a list, those of its groups too; how many groups it has, and how many hosted tools."""
    if form.hosted is None and form.group is None:
        return items, 0, 0
    groups, tools = 0, items
    group, hosted = form.group, form.hosted
    if group is not None and any(is_object(item) and group(item) is not None for item in items):
        taken = frame(items, form)
        groups, tools = len(taken.groups), taken.items
    if hosted is None:
        return tools, groups, 0
    own = [item for item in tools if not (is_object(item) and hosted(item))]
    return own, groups, len(tools) - len(own)


def _glance(form: Format, items: list[Any]) -> tuple[int, int]:
    """How well the items have the keys that the format demands, and how many strangers they have.

    New hosted tools appear all the time, so they are known by little: they count beside a tool, which says more of
    what it is and counts twice, and alone they are nothing.
    """
    tools, groups, hosted = _known(form, items)
    fits = 2 * groups
    strange = 0
    for item in tools:
        if isinstance(item, dict) and form.tool.musts <= item.keys():
            body = cast("JsonObject", item)
            fits += 2
            strange += form.tool.strangers(body) + (form.tell(body) if form.tell is not None else 0)
    return fits and fits + hosted, strange


def _trial(form: Format, items: list[Any]) -> tuple[int, int]:
    """How many of the items that looked right are not valid, and how many only after repair."""
    bad = mended = 0
    for item in _known(form, items)[0]:
        if isinstance(item, dict) and form.tool.musts <= item.keys():
            flaws = form.tool.flaws(cast("JsonObject", item), form.family)
            if flaws is None:
                bad += 1
            else:
                mended += flaws
    return bad, mended


def _fits_envelope(form: Format, taken: Frame, document: Json) -> bool:
    if taken.shape in ("tool", "list"):
        return True
    if taken.shape == "response" and form.family != "mcp":
        return False
    body = cast("JsonObject", document)
    if taken.wrap in form.requests or _is_group(form, taken, body):
        return True
    base, _, name = taken.wrap.rpartition("/")
    if form.wrap is None or form.wrap[1:] != name or (base and taken.shape != "response"):
        return False
    return form.envelope is None or form.envelope.musts <= at.get(body, base).keys()


def _is_group(form: Format, taken: Frame, document: JsonObject) -> bool:
    return form.group is not None and taken.shape == "catalogue" and form.group(document) == taken.wrap


def _nothing(taken: Frame) -> FormatError:
    keys: list[str] = sorted({
        key for item in taken.items if isinstance(item, dict) for key in cast("JsonObject", item)
    })
    nearest: dict[str, tuple[float, str, str]] = {}
    for form in _house():
        missing = form.tool.musts - set(keys)
        share = 1 - len(missing) / max(1, len(form.tool.musts))
        if form.exports is None and missing and share > nearest.get(form.family, (0.0, ""))[0]:
            nearest[form.family] = (share, form.id, f"{form.id} (would need {', '.join(sorted(missing))})")
    best = sorted(nearest.values(), key=lambda entry: -entry[0])[:3]
    if not taken.items or not keys:
        seen = "nothing that could be a tool"
    else:
        seen = (
            f"{'an object' if taken.shape == 'tool' else 'a ' + taken.shape} with the keys {', '.join(keys[:12])}"
            + (" ..." if len(keys) > 12 else "")
        )
    where = f"; nearest: {'; '.join(text for _, _, text in best)}" if best else ""
    return FormatError(
        f"not a tool description of any known format: found {seen}{where}", [name for _, name, _ in best]
    )
