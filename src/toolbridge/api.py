"""The public API: convert(), bridge(), Bridge and Converted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self, Unpack, cast

from msgspec import UNSET, Struct, UnsetType

from .conversion.catalogue import catalogue_of
from .conversion.converter import Converter
from .conversion.detect import best, kind_of, recognise, recognise_message
from .conversion.envelope import Context
from .conversion.invisible_characters import is_suspect
from .conversion.item_converter import FastConvert
from .conversion.options import (
    CONVERSION_OPTIONS,
    FAST_PATH_FROM,
    FAST_PATH_FROM_IN_LISTS,
    REFUSE,
    ConversionOptions,
    Describe,
    DocumentOptions,
    ItemOptions,
    OnError,
    Restore,
    check_names,
    conversion_options,
)
from .conversion.parsed_document import ParsedDocument, by_item_of_text, parse_document
from .conversion.remainder import Remainder, format_named
from .conversion.rules import rules_of
from .data import pointer as at
from .data.json_decoder import copy_json, decode_as, decode_json, encode_json
from .data.json_text import too_large
from .data.types import Json, is_list, is_object
from .errors import DocumentError, FormatError, LossError
from .formats.format_names import FormatName
from .formats.registry import detectable_formats, get_format, shapes_in
from .hub import KINDS, Kind, plural
from .limits import LIMITS, Limits
from .losses.report import Loss, Report
from .mapping.format import Format
from .schema import OPTIONS, ArgumentMap, Options

if TYPE_CHECKING:
    from .conversion.item import FastResult
    from .conversion.loss_details import LossDetails

    # What is unpacked has types of its own for type checkers only where they see a tuple.
    class _Unpacked(tuple[Json, Report, "Remainder | None"]):
        __slots__ = ()

        def __new__(
            cls,
            value: Json,
            report: Report,
            outcome: Converter | _Outcome | Callable[[], Converter],
            text: str | bytes | None,
        ) -> Self: ...

        def __init_subclass__(cls, *, eq: bool) -> None: ...

else:
    _Unpacked = Struct


class _Outcome(Struct):
    """The remainder, argument maps and names of a conversion."""

    remainder: Remainder | None
    argument_maps: Sequence[ArgumentMap | None]
    names: Mapping[str, str]


class Converted(_Unpacked, eq=False):
    """The result of a conversion. It unpacks as `value, report, remainder`.

    Attributes:
        value: The converted document, plain data.
        report: The losses of the conversion.
        remainder: The data of the source that the converted document lacks, or None if nothing is missing. It is
            computed from the passed document at the first access.
        argument_maps: For each written tool the map of its arguments to those of the source tool, or None if they are
            the same. The remainder has these maps as well.
        names: The original names of renamed tools, by their new names. The remainder has them as well.
    """

    value: Json
    report: Report
    _source: Converter | _Outcome | Callable[[], Converter]
    """Where the other attributes come from, or the function that makes it when one is accessed."""
    _text: str | bytes | None
    """The document as it was passed in, until its remainder is computed."""

    @property
    def _outcome(self) -> Converter | _Outcome:
        source = self._source
        if not isinstance(source, (Converter, _Outcome)):
            source = self._source = source()
        return source

    @property
    def remainder(self) -> Remainder | None:
        text = self._text  # before the source, as another thread may replace both
        outcome = self._outcome
        if text is not None and isinstance(outcome, Converter):
            remainder = outcome.remainder_of(decode_json(text))
            # The converter holds the document, which is not needed any more.
            self._source = outcome = _Outcome(remainder, outcome.argument_maps, outcome.names)
            self._text = None
        return outcome.remainder

    @property
    def argument_maps(self) -> Sequence[ArgumentMap | None]:
        return self._outcome.argument_maps

    @property
    def names(self) -> Mapping[str, str]:
        return self._outcome.names

    if not TYPE_CHECKING:

        def __iter__(self) -> Iterator[Any]:
            yield self.value
            yield self.report
            yield self.remainder

        def __getitem__(self, index: int) -> Any:
            return (self.value, self.report, self.remainder)[index]

        def __len__(self) -> int:
            return 3

    def __repr__(self) -> str:
        return f"Converted({self.report!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Tables are made of functions, which cannot be pickled: what they would give is computed before.
        # JSON as text: pickle follows a value to half the depth that documents may have.
        plain = encode_json([self.value, list(self.argument_maps)])
        return _unpickled, (plain, self.report, self.remainder and encode_json(self.remainder), dict(self.names))


def _unpickled(plain: bytes, report: Report, remainder: bytes | None, names: dict[str, str]) -> Converted:
    value, argument_maps = decode_json(plain)
    maps = [None if each is None else ArgumentMap(each) for each in argument_maps]
    kept = None if remainder is None else decode_as(Remainder)(remainder)
    return Converted(value, report, _Outcome(kept, maps, names), None)


def convert(
    document: object,
    to: FormatName | Format,
    *,
    source: FormatName | Format | None = None,
    kind: Kind | None = None,
    fill: Mapping[str, Any] | None = None,
    restore: Restore = False,
    embed: bool = False,
    refuse: Sequence[str] = ("TB9",),
    on_error: OnError = "raise",
    prose: bool = True,
    describe: Describe = False,
    unroll: int = 1,
    description: int | UnsetType | None = UNSET,
    limits: Limits = LIMITS,
    key: bytes | None = None,
) -> Converted:
    """Convert a tool, a call, a result, a document of another kind, or a list or catalogue of these, to another format.

    Args:
        document: Plain data, JSON or YAML text, a model of `toolbridge.formats`, or any object with `model_dump`. It is
            never changed.
        to: The target format, such as `"openai"` or `"mcp@2025-06-18"`.
        source: The format of the document; detected by default.
        kind: The kind of the document, such as `"tool"`, `"call"` or `"resource"`; detected by default.
        fill: Values for fields that the target requires and the source does not have, by JSON Pointer into the target
            or by hub field: `{"/version": "2.0.0", "toolkit": "Billing"}`; for one tool of several, by its name:
            `{"search": {"/version": "2.0.0"}}`.
        restore: The remainder of an earlier conversion, or True for the one inside the document.
        embed: Whether to put the remainder into the document, if its specification has a field for extensions.
        refuse: Losses that are errors: codes, prefixes or names of codes, or effects.
        on_error: `"raise"`, or `"skip"` to leave out and report invalid items of a list or catalogue.
        prose: Whether to write constraints that the target cannot express into descriptions.
        describe: Whether to write hints, examples and the output schema into the description if the target has no field
            for them; or a selection of these: `("hints", "output")`.
        unroll: How many times to write out a recursive definition, for targets without references.
        description: The longest description in characters, None for no limit; by default the limit of the target.
        limits: The limits of documents and schemas.
        key: A key that signs remainders; only remainders that are signed with it are used.

    Returns:
        The converted document, the report of losses, and the remainder.

    Raises:
        FormatError: A format or a kind is unknown, the document fits no known format, or `fill` has a value that the
            target does not take.
        DocumentError: The document is not valid, or `restore` is no remainder.
        LossError: The conversion has a refused loss.
        ToolbridgeError: A code in `refuse` does not exist.
    """
    options = conversion_options(
        fill=fill,
        restore=restore,
        embed=embed,
        refuse=refuse,
        on_error=on_error,
        prose=prose,
        describe=describe,
        unroll=unroll,
        description=description,
        limits=limits,
        key=key,
    )
    form = None if source is None else get_format(source)
    if (
        form is not None
        and options.plain
        and (kind == "tool" or (kind is None and kind_of(cast("Json", document), form) == "tool"))
    ):
        done = bridge(form, to).by_fast_path(document, options)
        if done is not None:
            return done
    parsed = parse_document(_as_text(document, kind), limits, by_item=on_error == "skip")
    plain = parsed.value
    if kind is None:
        kind = kind_of(plain, form)
    elif kind not in KINDS:
        raise FormatError(f"kind is one of {', '.join(KINDS)}, found {kind!r}")
    remainder = None if isinstance(options.restore, bool) else options.restore
    ties: Sequence[str] | Callable[[], Sequence[str]] = ()
    if form is None:
        if remainder is not None:
            form = format_named(remainder.target)
        elif kind == "tool":
            form = best(plain)
            ties = lambda: recognise(decode_json(parsed.text)).ties  # noqa: E731 - worked out when somebody asks
            if not (parsed.duplicates or parsed.unreadable):
                done = bridge(form, to).by_fast_path(plain, options, parsed.text, ties)
                if done is not None:
                    return done
        else:
            form, others = recognise_message(plain, kind)
            ties = [other.id for other in others]
    if remainder is not None and isinstance(to, str) and "@" not in to:
        original = format_named(remainder.source)
        if original.family == get_format(to).family:
            to = original
    if restore is True and kind == "tool" and isinstance(to, str) and "@" not in to:
        to = _restored_edition(plain, form, get_format(to)) or to
    try:
        assumed = source is None and remainder is None
        return bridge(form, to, kind=kind).convert_parsed(parsed, options, assumed=assumed, ties=ties)
    except (DocumentError, LossError) as error:
        _raise_for_message(plain, kind, (form,) if remainder is None else (form, *detectable_formats()))
        if source is not None and kind == "tool" and isinstance(error, DocumentError):
            _add_format(error, plain, form)
        raise


def _raise_for_message(document: Json, kind: Kind, formats: Iterable[Format]) -> None:
    """Raise DocumentError for a message of a model instead of a tool or a call."""
    from .conversion.unknown_document import message_problem

    if kind in {"tool", "call"} and (problem := message_problem(document, formats)):
        raise DocumentError(problem) from None


def _add_format(error: DocumentError, document: Json, form: Format) -> None:
    """Add a note to the error of a document that looks like another format than the given one."""
    with suppress(FormatError, DocumentError):
        found = best(document)
        if found.family != form.family:
            error.add_note(f"the document was read as {form.id}, and looks like {found.id}")


def _as_text(document: object, kind: Kind | None) -> object:
    """A word that is a choice of tools, such as auto, as the JSON text of it; any other document as it is."""
    if kind == "choice" and isinstance(document, str) and re.fullmatch(r"[A-Za-z_][\w.:-]*", document):
        return f'"{document}"'
    return document


def _restored_edition(document: Json, form: Format, to: Format) -> Format | None:
    """The edition of a family that an embedded remainder restores."""
    if form.slot is not None and form.exports is None:
        for item in catalogue_of(document).items:
            carried: object = at.get(item, form.slot, {})
            edition = carried.get("source") if is_object(carried) else None
            if isinstance(edition, str) and edition.partition("@")[0] == to.family:
                with suppress(FormatError):  # there is no such edition: the remainder will not be applied
                    return get_format(edition)
    return None


def bridge(source: FormatName | Format, to: FormatName | Format, *, kind: Kind = "tool") -> Bridge:
    """The bridge between two formats; the same object for the same arguments.

    Args:
        source: The source format.
        to: The target format.
        kind: The kind of documents, such as `"tool"`, `"call"` or `"resource"`.

    Returns:
        The bridge.

    Raises:
        FormatError: A format is unknown, or does not have this kind.
    """
    return _bridge(get_format(source), get_format(to), kind)


@lru_cache(maxsize=4096)
def _bridge(source: Format, target: Format, kind: Kind) -> Bridge:
    if kind not in KINDS:
        raise FormatError(f"kind is one of {', '.join(KINDS)}, found {kind!r}")
    if kind != "tool":
        shapes_in(source, kind)
        shapes_in(target, kind)
    return Bridge(source, target, kind)


class Bridge:
    """The conversion from one format to another, for one kind of document. Call the bridge with a document.

    Attributes:
        source: The source format.
        target: The target format.
        kind: `"tool"`, `"call"`, `"result"`, `"resource"` or another kind.
    """

    __slots__ = ("_converted", "kind", "source", "target")

    def __init__(self, source: Format, target: Format, kind: Kind = "tool") -> None:
        self.source = source
        self.target = target
        self.kind: Kind = kind
        self._converted = 0  # how many items: see FAST_PATH_FROM and FAST_PATH_FROM_IN_LISTS

    def __repr__(self) -> str:
        what = "" if self.kind == "tool" else f", {plural(self.kind)}"
        return f"Bridge({self.source.id} -> {self.target.id}{what})"

    def bytes(
        self, data: bytes | str, *, lines: bool | None = None, **options: Unpack[ItemOptions]
    ) -> tuple[bytes, Report]:
        """Convert JSON text: a tool, a list, a catalogue, or JSON Lines. The output has the same shape.

        The result is that of calling the bridge with the document, as text.

        Args:
            data: The text.
            lines: Whether the text is JSON Lines; detected by default. The documents of all lines are converted
                together. Places are within a line, and `item` is the number of the line, not counting empty ones.
            **options: The options of `convert`, except those for remainders.

        Returns:
            The converted text and the report.

        Raises:
            DocumentError: The text or a document in it is not valid.
            LossError: The conversion has a refused loss.
        """
        from .bulk.convert_bytes import convert, documents, join_documents

        if not isinstance(data, (str, bytes, bytearray, memoryview)):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            raise TypeError(f"bytes takes JSON text, as bytes or str, found {type(data).__name__}")
        text = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
        check_names(options, ItemOptions)
        chosen = conversion_options(**options)
        limits = chosen.schemas.limits
        if len(text) > limits.document:
            raise too_large(len(text), limits)
        if self.kind == "tool":
            done = convert(self.source, self.target, text, chosen, lines=lines)
            if done is not None:
                return done
        try:
            plain, duplicates, are_lines = documents(text, lines=lines, depth=limits.depth)
            parsed = ParsedDocument(plain, "", duplicates)
        except DocumentError:
            found = by_item_of_text(text, limits) if chosen.on_error == "skip" and not lines else None
            if found is None:
                raise
            parsed, are_lines = ParsedDocument(found.value, "", found.duplicates, found.unreadable), False
        result = self.convert_parsed(parsed, chosen)
        return join_documents(result.value, lines=are_lines), result.report

    def each(self, documents: Iterable[object], **options: Unpack[DocumentOptions]) -> Iterator[Converted]:
        """Convert documents one after the other. Names are made unique within each document only.

        Args:
            documents: Documents, each as for a call of the bridge.
            **options: As for a call of the bridge.

        Yields:
            The result of each document.

        Raises:
            TypeError: `documents` is a single document.
        """
        if isinstance(documents, (Mapping, str, bytes, Struct)) or hasattr(documents, "model_dump"):
            raise TypeError("each takes documents one by one; call the bridge itself with one document")
        if not isinstance(documents, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            raise TypeError(f"documents is a list of documents, found {type(documents).__name__}")
        for document in documents:
            yield self(document, **options)

    def __call__(self, document: object, **options: Unpack[DocumentOptions]) -> Converted:
        """Convert one document.

        Args:
            document: As for `convert`.
            **options: The options of `convert`.

        Returns:
            The converted document, the report of losses, and the remainder.

        Raises:
            DocumentError: The document is not valid.
            LossError: The conversion has a refused loss.
        """
        chosen = conversion_options(**options)
        done = self.by_fast_path(document, chosen)
        if done is not None:
            return done
        limits, by_item = chosen.schemas.limits, chosen.on_error == "skip"
        return self.convert_parsed(parse_document(_as_text(document, self.kind), limits, by_item=by_item), chosen)

    def by_fast_path(
        self,
        document: object,
        options: ConversionOptions,
        text: str | bytes | None = None,
        ties: Sequence[str] | Callable[[], Sequence[str]] | None = None,
    ) -> Converted | None:
        """Convert one tool by the fast path; None if it needs the general path.

        Args:
            document: The tool.
            options: The options of the conversion.
            text: Its JSON text, if it is plain data.
            ties: Other formats that fit the tool, if its format was detected.
        """
        if document.__class__ is not dict or self.kind != "tool" or not options.plain:
            return None
        if self._converted < FAST_PATH_FROM:
            return None
        from .bulk.fastpath import fast_path

        path = fast_path(self.source, self.target, options.schemas)
        if path is None:
            return None
        try:
            if text is None:
                text = encode_json(document)
                if decode_json(text) != document:
                    return None  # encoders write null for what is no number, and lists for tuples
            elif isinstance(text, str):
                text = text.encode()
            done = path.convert(text)
        except (TypeError, ValueError, RecursionError):
            return None
        if done is None:
            return None
        notes, argument_map = done.notes, done.argument_map
        if options.refuse != REFUSE and any(note.code.startswith(options.refuse) for note in notes):
            return None

        def losses() -> Iterator[Loss]:
            return (Loss(note.code, at.absolute(note.source, ""), note.target) for note in notes)

        def outcome() -> Converter:
            fast = _fast_convert(self.source, self.target, options.schemas)
            back = _fast_convert(self.target, self.source)
            converter = Converter(self.source, self.target, options, fast=fast, fast_back=back, is_compiled=True)
            converter.argument_maps.append(None if argument_map is None else ArgumentMap(copy_json(argument_map)))
            if done.renamed is not None:
                converter.names[done.renamed] = done.name
            return converter

        def details() -> LossDetails:
            return self._details(lambda: decode_json(text), lambda: decode_json(done.text), options)

        self._converted += 1
        report = Report(
            losses, self.source.id, self.target.id, ties is not None, ties or (), (), None, "tool", 1, details
        )
        return Converted(decode_json(done.text), report, outcome, text)

    def convert_parsed(
        self,
        document: ParsedDocument,
        options: ConversionOptions = CONVERSION_OPTIONS,
        *,
        assumed: bool = False,
        ties: Sequence[str] | Callable[[], Sequence[str]] = (),
        fast: bool = True,
    ) -> Converted:
        """Convert a document that was parsed.

        Args:
            document: The document; without its text if no remainder is needed.
            options: The options of the conversion.
            assumed: Whether the source format was detected.
            ties: Other formats that fit the document.
            fast: Whether items may take the fast path.
        """
        source, target = self.source, self.target
        plain, text, duplicates, unreadable = document
        convert: FastConvert | None = None
        back: FastConvert | None = None
        restores = isinstance(options.restore, Remainder) and not options.fill and options.converts_plainly
        if fast and self.kind == "tool" and (options.plain or restores):
            # What a remainder restores was converted without options.
            convert = _fast_convert(source, target, OPTIONS if restores else options.schemas)
            back = _fast_convert(target, source)
        is_compiled = convert is not None and self._converted >= (
            FAST_PATH_FROM if restores else FAST_PATH_FROM_IN_LISTS
        )
        takes_fast_path = (
            convert is not None and is_list(plain) and (is_compiled or len(plain) >= FAST_PATH_FROM_IN_LISTS)
        )
        is_clean = False
        if text and source is not target and not restores and not takes_fast_path:
            is_clean = not is_suspect(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
        converter = Converter(
            source,
            target,
            options,
            rules_of(self.kind),
            fast=convert,
            fast_back=back,
            is_compiled=is_compiled,
            is_clean=is_clean,
            unreadable=unreadable,
        )
        try:
            value = converter.run(plain, duplicates)
        except LossError as error:
            error.report.assumed = assumed
            raise
        self._converted += converter.count
        items = converter.item_converter
        kept = None if text else plain  # the losses keep the text, not both

        def details() -> LossDetails:
            return self._details(lambda: decode_json(text) if text else kept, lambda: value, options)

        report = Report(
            items.losses,
            source.id,
            target.id,
            assumed,
            ties,
            items.failures,
            None,
            self.kind,
            converter.count,
            details if items.noted else None,
        )
        return Converted(value, report, converter, None if options.embed or items.restored else text)

    def _details(
        self, before: Callable[[], Json], after: Callable[[], Json], options: ConversionOptions
    ) -> LossDetails:
        """What finds the details of losses in the source document and the written one."""
        from .conversion.loss_details import DocumentValues, LossDetails

        source, target, kind, schemas = self.source, self.target, self.kind, options.schemas
        values = DocumentValues(source, kind, before, schemas.limits), DocumentValues(target, kind, after)
        return LossDetails(source, target, *values, kind, schemas)


def _fast_convert(source: Format, target: Format, options: Options = OPTIONS) -> FastConvert:
    """What converts the texts of items by the fast path, where there is one."""

    def convert(text: bytes, context: Context) -> FastResult | None:
        from .bulk.fastpath import fast_path

        path = fast_path(source, target, options, tuple(context.items()))
        return None if path is None else path.convert(text)

    return convert
