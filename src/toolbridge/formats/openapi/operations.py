"""Operations of an OpenAPI document as items: each with its schemas, and with what it takes to send its request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, TypedDict, cast

from msgspec import UNSET
from msgspec.structs import replace

from ...data import pointer as at
from ...data.names import Numbering
from ...data.types import Json, JsonObject, is_list, is_object, kind
from ...errors import DocumentError, describe_unexpected
from ...limits import Limits
from ...mapping import Note
from .members import METHODS, rest
from .schemas import Part, Schemas, weight, with_keywords

# Members of an item that are not the operation's own: OpenAPI has no names with a dot.

INPUT: Final = "toolbridge.input"
OUTPUT: Final = "toolbridge.output"
FACTS: Final = "toolbridge.facts"
"""The member with the OperationFacts."""


class Security(TypedDict):
    """What a caller has to bring: the place that demands it, and the requirements as fields of the hub."""

    place: str
    authorization: list[JsonObject]
    secrets: list[JsonObject]


class RequestFacts(TypedDict):
    """What it takes to send the request of a call: the bindings of arguments to parameters and to the body."""

    method: str
    path: str
    servers: list[Json]
    parameters: list[JsonObject]
    body: JsonObject | None
    accept: str | None


class OperationFacts(TypedDict):
    """What a tool has besides its schemas.

    `places` has the places in the document by pointers into the schemas, for each of the two; `inherited` those of
    members that belong to the path. `named` is whether the name is the operationId. `notes` are codes with places.
    """

    request: RequestFacts
    security: Security | None
    places: dict[str, dict[str, str]]
    inherited: dict[str, str]
    named: bool
    notes: list[list[str]]


_CONSUMED: Final = frozenset({"parameters", "requestBody", "responses", "security", "servers", INPUT, OUTPUT, FACTS})

_STYLES: Final = {"path": "simple", "query": "form", "header": "simple", "cookie": "form"}

ALLOWED_STYLES: Final = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form", "cookie"),
}

_NOT_SENT: Final = frozenset({
    *("accept", "content-type", "authorization"),  # 3.0.3, Parameter Object: these are ignored
    *("host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect"),
})
"""Header parameters that are no arguments: OpenAPI says so, or they are about the connection."""

_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, 5.6.2

TEMPLATE: Final = re.compile(r"\{([^{}]*)\}")

BASE64: Final[JsonObject] = {"type": "string", "contentEncoding": "base64"}

_MOST_ARGUMENTS: Final = 1_000

_OPERATION_WEIGHT: Final = 10
"""How many subschemas take about as long as an operation without any."""

_OUTPUT_SHARE: Final = 5
"""The output schema of a tool may have this part of the subschemas that its input may have."""


def version_of(document: JsonObject) -> str:
    """The version of an OpenAPI document, with a dot after each number; in YAML without quotes it is a number."""
    return f"{document.get('openapi')}."


def operations(document: JsonObject, limits: Limits) -> Iterator[tuple[str, JsonObject | DocumentError]]:
    """The operations of a document as items, each with its place, or why it cannot be a tool."""
    if "swagger" in document:
        raise DocumentError(SWAGGER, "/swagger")
    version, paths = version_of(document), document.get("paths")
    if not version.startswith("3."):
        found = f"found {kind(document['openapi'])}" if "openapi" in document else "but it is missing"
        raise DocumentError(f"expected the version of an OpenAPI document, 3.0 to 3.2, {found}", "/openapi")
    if not is_object(paths):
        raise DocumentError(f"expected an object of paths, found {kind(paths)}", "/paths")
    stated = {
        name
        for shared in paths.values()
        if is_object(shared)
        for method in METHODS
        if is_object(operation := shared.get(method)) and isinstance(name := operation.get("operationId"), str)
    }
    schemas, names = Schemas(document, limits, is_old=version.startswith("3.0.")), Numbering(stated)
    seen: set[str] = set()
    for path, given in paths.items():
        if path.startswith("x-"):
            continue
        place = at.join("paths", path)
        try:
            if not path.startswith("/"):
                raise DocumentError("a path starts with a slash", place)
            shared, base = schemas.resolved(given, place)
            if not is_object(shared):
                raise DocumentError(f"expected a path with operations, found {kind(shared)}", base)
            if base != place:
                shared = {**shared, **{key: value for key, value in given.items() if key != "$ref"}}
        except DocumentError as error:
            yield place, error.with_traceback(None)  # which holds what was looked at
            continue
        for method in METHODS:
            if method not in shared:
                continue
            own = f"{place}/{method}" if method in given or base == place else f"{base}/{method}"
            try:
                item = _Operation(schemas, names, path, method, shared=shared, base=base).item(own, seen)
            except Exception as error:  # noqa: BLE001 - one that cannot be read does not stop the others
                yield own, _failure(error, own, shared[method], default_name(method, path))
            else:
                yield own, item


SWAGGER: Final = "Swagger 2.0 is not read: convert the document first, for example with npx swagger2openapi FILE"


def default_name(method: str, path: str) -> str:
    """The name of an operation without operationId: `get /pets/{id}/toys` is `get_pets_id_toys`."""
    return "_".join([method, *re.findall(r"[A-Za-z0-9-]+", path)])


def _failure(error: Exception, place: str, operation: Json, name: str) -> DocumentError:
    """Why an operation cannot be a tool, with its place and its name."""
    if isinstance(error, DocumentError):
        failure = error if error.pointer else error.at(place, None)
    elif isinstance(error, RecursionError):
        failure = DocumentError("nested too deeply for Python's stack", place)
    else:
        failure = DocumentError(describe_unexpected(error, place), place)
    stated = operation.get("operationId") if is_object(operation) else None
    failure.tool = stated if isinstance(stated, str) else name
    failure.__traceback__ = failure.__context__ = None
    return failure


class _Operation:
    """One operation while its item is made."""

    def __init__(
        self, schemas: Schemas, names: Numbering, path: str, method: str, *, shared: JsonObject, base: str
    ) -> None:
        self.schemas, self.names = schemas, names
        self.path, self.method, self.shared, self.base = path, method, shared, base
        self.place = ""
        self.notes: list[Note] = []
        self.parts: list[Part] = []
        self.properties: JsonObject = {}
        self.required: list[str] = []
        self.places: dict[str, str] = {}

    def item(self, place: str, seen: set[str]) -> JsonObject:
        """The item: the members of the operation, its schemas, and the facts."""
        operation = self.shared[self.method]
        if not is_object(operation):
            raise DocumentError(f"expected an operation, found {kind(operation)}", place)
        self.place = place
        self.schemas.charge(_OPERATION_WEIGHT, "input")  # before it is looked at
        self.schemas.charge(weight(operation), "input")
        item: JsonObject = {key: value for key, value in operation.items() if key not in _CONSUMED}
        item["operationId"] = self._name(operation, seen)
        inherited: dict[str, str] = {}
        for key in ("summary", "description"):
            if key not in item and isinstance(self.shared.get(key), str):
                item[key] = self.shared[key]
                inherited[key] = f"{self.base}/{key}"
        parameters = self._parameters(operation)
        body = self._body(operation)
        item[INPUT] = self._input()
        accept, output, output_places = self._output(operation)
        if output is not UNSET:
            item[OUTPUT] = output
        security = self._security(operation)
        # Documents have these once where many operations refer to them.
        secrets = 0 if security is None else len(security["authorization"]) + len(security["secrets"])
        self.schemas.charge(len(self.notes) + secrets, "input")
        facts: OperationFacts = {
            "request": {
                "method": self.method.upper(),
                "path": self.path,
                "servers": self._servers(operation),
                "parameters": parameters,
                "body": body,
                "accept": accept,
            },
            "security": security,
            "places": {INPUT: self.places, OUTPUT: output_places},
            "inherited": inherited,
            "named": operation.get("operationId") == item["operationId"],
            "notes": [[note.code, note.source] for note in dict.fromkeys(self.notes)],
        }
        item[FACTS] = facts
        return item

    def _name(self, operation: JsonObject, seen: set[str]) -> str:
        name: Json = operation.get("operationId")
        if name is None or name == "":
            return self.names.unique(default_name(self.method, self.path))
        if not isinstance(name, str):
            raise DocumentError(f"expected a string, found {kind(name)}", f"{self.place}/operationId")
        if name in seen:  # two operations with one id, which OpenAPI forbids
            self.notes.append(Note("TB501", f"{self.place}/operationId"))
            return self.names.unique(default_name(self.method, self.path))
        seen.add(name)
        return name

    def _servers(self, operation: JsonObject) -> list[Json]:
        """The first server, to which requests are sent, if there is one."""
        for holder, base in ((operation, self.place), (self.shared, self.base), (self.schemas.root, "")):
            if is_list(servers := holder.get("servers")) and servers:
                self._charge(servers[0], f"{base}/servers/0")
                return servers[:1]
        return []

    def _charge(self, used: Json, place: str) -> None:
        """Count what the operation uses, unless it stands in the operation itself, and was counted with that."""
        if not at.is_within(place, self.place):
            self.schemas.charge(weight(used), "input")

    # arguments

    def _parameters(self, operation: JsonObject) -> list[JsonObject]:
        """The bindings of all parameters, whose arguments become properties."""
        found: dict[tuple[str, str], tuple[JsonObject, str, str]] = {}
        for holder, base in ((self.shared, self.base), (operation, self.place)):
            given = holder.get("parameters")
            if given is not None and not is_list(given):
                raise DocumentError(f"expected a list of parameters, found {kind(given)}", f"{base}/parameters")
            self.schemas.charge(len(given or ()), "input")
            for n, each in enumerate(given or ()):
                parameter, place = self.schemas.resolved(each, f"{base}/parameters/{n}")
                if not is_object(parameter):
                    raise DocumentError(f"expected a parameter, found {kind(parameter)}", place)
                stated, location = parameter.get("name"), parameter.get("in")
                if not isinstance(stated, str) or not isinstance(location, str) or location not in _STYLES:
                    raise DocumentError("expected a parameter with a name, in path, query, header or cookie", place)
                self._charge(parameter, place)
                key = location, stated.lower() if location == "header" else stated
                if key in found:  # that of the path, or one of the same list, which OpenAPI forbids
                    self.notes.append(Note("TB101", found[key][2]))
                found[key] = parameter, place, f"{base}/parameters/{n}"
        template = dict.fromkeys(TEMPLATE.findall(self.path))
        if (count := max(len(found), len(template))) > _MOST_ARGUMENTS:
            raise DocumentError(f"expected {_MOST_ARGUMENTS:,} parameters at most, found {count:,}", self.place)
        bindings: list[JsonObject] = []
        order = sorted(found.items(), key=lambda each: [*_STYLES].index(each[0][0]))
        for (location, _), (parameter, place, _) in order:
            name: str = parameter["name"]
            is_required = location == "path" or parameter.get("required") is True
            if (name not in template) if location == "path" else (location == "header" and name.lower() in _NOT_SENT):
                self.notes.append(Note("TB101", place))
            elif location in ("header", "cookie") and not _TOKEN.fullmatch(name):
                if is_required:
                    raise DocumentError(f"{name!r:.60} is no name of a {location}", f"{place}/name")
                self.notes.append(Note("TB101", place))
            else:
                if location == "path":
                    template.pop(name, None)
                bindings.append(self._parameter(parameter, place, location, is_required=is_required))
        for name in template:  # which OpenAPI forbids, and documents have
            argument = self._argument(name, "path", {"type": "string"}, self.place, is_required=True)
            self.notes.append(Note("TB401", self.place))
            bindings.append({"argument": argument, "name": name, "in": "path", "style": "simple", "explode": False})
        return bindings

    def _parameter(self, parameter: JsonObject, place: str, location: str, *, is_required: bool) -> JsonObject:
        name: str = parameter["name"]
        content = parameter.get("content")
        binding: JsonObject = {"name": name, "in": location}
        holder, schema_place = parameter, place
        if is_object(content) and content:
            media = next(iter(content))
            binding["content"] = media
            media_form(media)  # raises the error of one that is none
            unread = [f"{place}/content{at.join(other)}" for other in content if other != media]
            unread += [f"{place}/{key}" for key in ("schema", "example", "examples") if key in parameter]
            self.notes += [Note("TB101", each) for each in unread]
            holder, schema_place = self._media(content, media, f"{place}/content")
        else:
            style = parameter.get("style", _STYLES[location])
            if style not in ALLOWED_STYLES[location]:
                self.notes.append(Note("TB001", f"{place}/style"))
                style = _STYLES[location]
            explode = parameter.get("explode")
            binding["style"] = style
            binding["explode"] = explode if isinstance(explode, bool) else style in ("form", "cookie")
            if location == "query" and parameter.get("allowReserved") is True:
                binding["allowReserved"] = True
        part = self.schemas.part(holder.get("schema", {}), f"{schema_place}/schema", "input")
        self._use(part)
        given_place = f"{schema_place}/schema" if "schema" in holder else schema_place
        examples = self._examples(holder, schema_place)
        beside: JsonObject = {}
        if isinstance(parameter.get("description"), str):
            beside["description"] = parameter["description"]
        if parameter.get("deprecated") is True:
            beside["deprecated"] = True
        written = _with_examples(part.schema, beside, examples)
        binding["argument"] = self._argument(name, location, written, given_place, is_required=is_required, part=part)
        has_own = is_object(part.schema) and "description" in part.schema
        if has_own and written["description"] != part.schema["description"]:
            self.notes.append(Note("TB101", f"{schema_place}/schema/description"))
        argument = at.join("properties", binding["argument"])
        for key in ("description", "deprecated"):
            if key in parameter and is_object(written) and written.get(key) == parameter[key]:
                self.places[f"{argument}/{key}"] = f"{place}/{key}"
        self._place_examples(argument, written, examples)
        self._note_rest("parameters", parameter, place)
        self._note_sending(parameter, place, ("style", "explode", "allowReserved", "allowEmptyValue"))
        return binding

    def _examples(self, holder: JsonObject, place: str) -> JsonObject:
        """The values of `example` and `examples` of a parameter or a media type, by their places."""
        if "example" in holder:
            return {f"{place}/example": holder["example"]}
        examples = holder.get("examples")
        values: JsonObject = {}
        for name, each in examples.items() if is_object(examples) else ():
            where = f"{place}/examples{at.join(name)}"
            try:
                example, where = self.schemas.resolved(each, where)
            except DocumentError:
                example = None
            if is_object(example) and "value" in example:
                values[f"{where}/value"] = example["value"]
            else:
                self.notes.append(Note("TB101", where))
        self.schemas.charge(len(values) + weight(values), "input")
        return values

    def _place_examples(self, argument: str, schema: Any, examples: JsonObject) -> None:
        """Set the places of the examples of an argument; those beside examples of its schema are dropped."""
        if examples and schema["examples"] != [*examples.values()]:
            self.notes += [Note("TB101", place) for place in examples]
        elif examples:
            for n, place in enumerate(examples):
                self.places[f"{argument}/examples/{n}"] = place
            self.places[f"{argument}/examples"] = next(iter(examples)) if len(examples) == 1 else self.place

    def _argument(
        self, name: str, location: str, schema: Any, place: str, *, is_required: bool, part: Part | None = None
    ) -> str:
        """Add a property, and return its name: the first of several with one name keeps it."""
        argument = name
        if argument in self.properties:
            argument = Numbering(self.properties).unique(f"{location}_{name}")
            self.notes.append(Note("TB501", place))
        self.properties[argument] = schema
        pointer = at.join("properties", argument)
        self.places[pointer] = place
        self.places |= {} if part is None else {pointer + sub: inner for sub, inner in part.places.items()}
        if is_required:
            self.required.append(argument)
        return argument

    def _note_sending(self, holder: JsonObject, place: str, keys: tuple[str, ...]) -> None:
        """Note what says how something is sent, which tools do not say, where that is not in the operation itself."""
        if not at.is_within(place, self.place):
            self.notes += [Note("TB101", f"{place}/{key}") for key in keys if key in holder]

    def _note_rest(self, kind: str, holder: JsonObject, place: str, media: str | None = None) -> None:
        """Note the members that tools have not, where they are in the operation itself: others are noted once."""
        if at.is_within(place, self.place):
            read = holder if media is None else {**holder, "content": {media: holder["content"][media]}}
            self.notes += rest(kind, read, place)

    def _use(self, part: Part) -> None:
        self.parts.append(part)
        self.notes += part.notes

    def _media(self, content: JsonObject, media: str, place: str) -> tuple[JsonObject, str]:
        """A Media Type Object, and its place."""
        held, where = self.schemas.resolved(content[media], place + at.join(media))
        if not is_object(held):
            raise DocumentError(f"expected a media type, found {kind(held)}", where)
        return held, where

    def _body(self, operation: JsonObject) -> JsonObject | None:
        """The binding of the body, whose argument becomes a property."""
        if "requestBody" not in operation:
            return None
        given, place = self.schemas.resolved(operation["requestBody"], f"{self.place}/requestBody")
        if not is_object(given) or not is_object(content := given.get("content")):
            raise DocumentError("expected a request body with a content", place)
        if not content:
            return None
        self._charge(given, place)
        media = min(content, key=_rank)
        self.notes += [Note("TB101", f"{place}/content{at.join(other)}") for other in content if other != media]
        media_type, media_place = self._media(content, media, f"{place}/content")
        self._note_rest("requestBodies", given, place, media)
        form, sent = media_form(media)
        self._note_sending(media_type, media_place, ("encoding",))
        binding: JsonObject = {"media": sent, "form": form}
        part, schema, schema_place, places = self._body_schema(binding, media_type, media_place)
        beside: JsonObject = {}
        if isinstance(given.get("description"), str) and not (is_object(schema) and "description" in schema):
            beside["description"] = given["description"]
        elif "description" in given:
            self.notes.append(Note("TB101", f"{place}/description"))
        examples = self._examples(media_type, media_place)
        self._use(part)
        schema = _with_examples(schema, beside, examples)
        is_required = given.get("required") is True
        name = self._argument("body", "request", schema, schema_place, is_required=is_required, part=part)
        binding["argument"] = name
        argument = at.join("properties", name)
        self.places |= {f"{argument}{sub}": f"{schema_place}{inner}" for sub, inner in places.items()}
        if "description" in beside:
            self.places[f"{argument}/description"] = f"{place}/description"
        self._place_examples(argument, schema, examples)
        return binding

    def _body_schema(
        self, binding: JsonObject, media_type: JsonObject, media_place: str
    ) -> tuple[Part, Any, str, dict[str, str]]:
        """The converted schema of a body, the schema of what the model writes for it, the place of that in the
        document, and the places of the keywords that only the latter has.
        """
        form, place = binding["form"], f"{media_place}/schema"
        given: Json = media_type.get("schema", True)
        if form in ("multipart", "urlencoded"):  # the properties are parts of the body: no reference at the root
            given, place = self.schemas.resolved(given, place)
            if form == "multipart" or "encoding" in media_type:
                binding["encoding"] = media_type["encoding"] if is_object(media_type.get("encoding")) else {}
        part = self.schemas.part(given, place, "input")
        schema, places = part.schema, dict[str, str]()
        if form == "multipart":
            # Without those that are files.
            part = replace(part, targets=[*part.targets], places={**part.places})
            schema = self._without_files(schema, "", part, places)
            binding["binary"] = [*dict.fromkeys(at.split(file)[-1] for file in places.values())]
        elif form == "urlencoded":
            properties = at.get(schema, "/properties", {})
            binding["names"] = [*properties] if is_object(properties) else []
        elif form == "binary" or (form == "text" and not (is_object(schema) and schema.get("type") == "string")):
            schema = dict(BASE64) if form == "binary" else {"type": "string", "contentMediaType": binding["media"]}
            places = {f"/{key}": "" for key in schema}
            if is_object(given) and (form == "text" or given.keys() - {"type", "format"}):
                self.notes.append(Note("TB201" if form == "text" else "TB103", place))
            part = Part()
        return part, schema, place if "schema" in media_type else media_place, places

    def _without_files(self, schema: Any, place: str, part: Part, places: dict[str, str]) -> Any:
        """The schema of a form whose files are base64; `places` gets the places of that, with those of the files."""
        if not is_object(schema):
            return schema
        written: JsonObject = {**schema}
        properties = schema.get("properties")
        for name, node in properties.items() if is_object(properties) else ():
            file = place + at.join("properties", name)
            found: list[str] = []
            if (as_file := self._file(node, file, part, found)) is not None:
                written["properties"] = {**written["properties"], name: as_file}
                places.update(dict.fromkeys(found, file))
        if is_list(members := schema.get("allOf")):
            written["allOf"] = [
                self._without_files(member, f"{place}/allOf/{n}", part, places) for n, member in enumerate(members)
            ]
        return written

    def _file(self, node: Json, place: str, part: Part, found: list[str]) -> JsonObject | None:
        """The schema of base64 text for a file, one that may be null, or a list of them; None for anything else.

        `found` gets the places of what says base64.
        """
        if not is_object(node):
            return None
        if _is_file(node):
            found.append(f"{place}/contentEncoding")
            return _as_base64(node)
        reference = node.get("$ref")
        target = next((each for each in part.targets if f"#/$defs/{self.schemas.name(each)}" == reference), None)
        if target is not None:
            held: Json = None
            where = target
            with suppress(DocumentError):  # a reference to nothing is found where it is followed
                held, where = self.schemas.resolved(at.get(self.schemas.root, target), target)
            if not _is_file(held):
                return None
            part.targets.remove(target)
            file = cast("JsonObject", held)
            beside = {key: value for key, value in node.items() if key != "$ref"}
            part.places.update({
                f"{place}/{key}": f"{where}/{key}" for key in map(at.escape, file.keys() - beside.keys())
            })
            return self._file({**file, **beside}, place, part, found)
        if node.get("type") == "array":
            items = node.get("items")
            as_file = (
                None if is_object(items) and "items" in items else self._file(items, f"{place}/items", part, found)
            )
            return None if as_file is None else {**node, "items": as_file}
        for key in ("anyOf", "oneOf"):
            if is_list(alternatives := node.get(key)):
                files = [
                    each if each == {"type": "null"} else self._file(each, f"{place}/{key}/{n}", part, found)
                    for n, each in enumerate(alternatives)
                ]
                return {**node, key: files} if found and None not in files else None
        return None

    def _input(self) -> JsonObject:
        """The schema of the arguments, with the schemas that it uses."""
        schema: JsonObject = {"type": "object", "properties": self.properties}
        if self.required:
            schema["required"] = self.required
        most = self.schemas.limits.nodes
        found = self.schemas.closure(self.parts, "input", most)
        if found is None:
            raise DocumentError(f"the arguments have more than {most:,} subschemas (limit nodes)", self.place)
        if found:
            schema["$defs"] = self._definitions(found, self.places)
        self.places[""] = self.place
        return schema

    def _definitions(self, parts: dict[str, Part], places: dict[str, str]) -> JsonObject:
        """The `$defs` of a tool; `places` gets their places in the document by their pointers in its schema."""
        definitions: JsonObject = {}
        for target, part in parts.items():
            name = self.schemas.name(target)
            definitions[name] = part.schema
            places[f"/$defs/{name}"] = target
            places.update({f"/$defs/{name}{sub}": place for sub, place in part.places.items()})
            self.notes += part.notes
        return definitions

    # results

    def _output(self, operation: JsonObject) -> tuple[str | None, Any, dict[str, str]]:
        """The media type of the response of a success, its schema (None: there is none; UNSET: unknown), and places."""
        responses = operation.get("responses")
        if not is_object(responses):
            return None, UNSET, {}
        codes = successes(responses)
        chosen: tuple[str, Any, dict[str, str]] | None = None
        is_empty = bool(codes)
        for code in codes:
            place = f"{self.place}/responses/{code}"
            try:
                response, place = self.schemas.resolved(responses[code], place)
            except DocumentError as error:
                self.notes.append(Note("TB101", error.pointer.removesuffix("/$ref")))
                is_empty = False
                continue
            content = response.get("content") if is_object(response) else None
            # Every response has a description, which says what the schema or the operation says.
            beside = {k: v for k, v in response.items() if k != "description"} if is_object(response) else {}
            if not is_object(content) or not content:
                self._note_rest("responses", beside, place)
                continue
            is_empty = False
            self.schemas.charge(len(content), "output")
            media = min(content, key=_rank)
            if chosen is not None or _rank(media) > 1:  # it is not JSON, or no media type
                self.notes.append(Note("TB101", place))
                continue
            self.notes += [Note("TB101", f"{place}/content{at.join(other)}") for other in content if other != media]
            self._note_rest("responses", beside, place, media)
            schema, places = self._result(content, media, f"{place}/content")
            chosen = media_form(media)[1], schema, places
        for code in responses:
            if code not in codes:
                self.notes.append(Note("TB101", f"{self.place}/responses{at.join(code)}"))
        if chosen is not None:
            return chosen
        return None, None if is_empty else UNSET, {"": f"{self.place}/responses"}

    def _result(self, content: JsonObject, media: str, place: str) -> tuple[Any, dict[str, str]]:
        """The schema of a result with the schemas that it uses, UNSET if that is too large, and its places."""
        try:
            held, where = self._media(content, media, place)
            where = f"{where}/schema"
            if "schema" not in held:
                return UNSET, {}
            part = self.schemas.part(held["schema"], where, "output")
            found = self.schemas.closure([part], "output", self.schemas.limits.nodes // _OUTPUT_SHARE)
        except DocumentError as error:
            self.notes.append(Note("TB101", error.pointer or place))
            return UNSET, {}
        if found is None:
            self.notes.append(Note("TB101", where))
            return UNSET, {}
        self.notes += part.notes
        schema = with_keywords(part.schema)
        places = {**part.places, "": where}
        if found:
            schema["$defs"] = {**schema.get("$defs", {}), **self._definitions(found, places)}
        return schema, places

    # requirements

    def _security(self, operation: JsonObject) -> Security | None:
        """The first alternative of what a caller has to bring, as fields of the hub; None if it is nothing."""
        place = f"{self.place}/security"
        given: Json = operation.get("security")
        if given is None:
            place, given = "/security", self.schemas.root.get("security")
        if not is_list(given) or not given:
            return None
        places = [f"{place}/{n}" for n in range(len(given))]
        if not all(map(is_object, given)):
            raise DocumentError("expected a list of objects", place)
        if {} in given:  # the operation may be called without any
            self.notes += [Note("TB602", where) for where, each in zip(places, given, strict=True) if each]
            return None
        self.notes += [Note("TB602", where) for where in places[1:]]
        authorization: list[JsonObject] = []
        secrets: list[JsonObject] = []
        known = at.get(self.schemas.root, "/components/securitySchemes", {})
        for name, scopes in cast("JsonObject", given[0]).items():
            scheme = known.get(name) if is_object(known) else None
            if is_object(scheme) and (target := self.schemas.target(scheme.get("$ref"))) is not None:
                scheme = at.get(self.schemas.root, target)
            if is_object(scheme) and scheme.get("type") in ("oauth2", "openIdConnect"):
                listed = [scope for scope in scopes if isinstance(scope, str)] if is_list(scopes) else []
                authorization.append({"id": name, "oauth2": {"scopes": listed}})
            else:
                secrets.append({"id": name})
                if scopes:  # names of roles, since 3.1
                    self.notes.append(Note("TB101", f"{places[0]}{at.join(name)}"))
        return {"place": places[0], "authorization": authorization, "secrets": secrets}


def _with_examples(schema: Any, beside: JsonObject, examples: JsonObject) -> Any:
    """The schema of an argument with the keywords `beside` it, and with examples if it has none itself."""
    if examples and not (is_object(schema) and "examples" in schema):
        beside["examples"] = [*examples.values()]
    return with_keywords(schema, **beside) if beside else schema


def successes(responses: JsonObject) -> list[str]:
    """The codes of the responses of a success, in the order of their use."""
    found = (code for code in responses if re.fullmatch("2[0-9X][0-9X]", code))
    codes = sorted(found, key=lambda code: code.replace("X", "~"))  # ranges after single ones
    return codes or (["default"] if "default" in responses else [])


def _rank(media: str) -> int:
    """How much a media type is wanted: JSON first, then forms, texts, others."""
    try:
        form, sent = media_form(media)
    except DocumentError:
        return 100
    order = ("json", "urlencoded", "multipart", "text", "binary")
    return 2 * order.index(form) + (sent != "application/json" or "*" in media)


def media_form(media: str) -> tuple[str, str]:
    """How a body of a media type is made, and the media type that is sent."""
    plain = media.partition(";")[0].strip().lower()
    if not re.fullmatch(r"[\w!#$&^.+*-]+/[\w!#$&^.+*-]+", plain, re.ASCII):
        raise DocumentError(f"{media!r:.60} is no media type")
    safe = media if re.fullmatch(r"[\x20-\x7e]+", media) else plain
    if plain in ("application/json", "*/*", "application/*"):
        return "json", safe if "*" not in plain else "application/json"
    if plain.endswith(("+json", "/json")):
        return "json", safe
    if plain == "application/x-www-form-urlencoded":
        return "urlencoded", plain
    if plain == "multipart/form-data":
        return "multipart", plain
    first, _, last = plain.partition("/")
    if first == "text" or last in ("xml", "yaml", "x-yaml", "x-ndjson", "jsonl", "graphql", "javascript", "toml"):
        return "text", safe if last != "*" else "text/plain"
    if last.endswith(("+xml", "+yaml")):
        return "text", safe
    return "binary", safe if "*" not in plain else "application/octet-stream"


def _is_file(node: Json) -> bool:
    """Whether a part of a form is a file: 3.0 says format binary, 3.1 a content without an encoding."""
    if not is_object(node) or node.get("type", "string") not in ("string", ["string", "null"]):
        return False
    return node.get("format") == "binary" or ("contentMediaType" in node and "contentEncoding" not in node)


def _as_base64(node: JsonObject) -> JsonObject:
    rest = {key: value for key, value in node.items() if key not in ("format", "contentMediaType")}
    return {**rest, **BASE64, "type": rest.get("type", "string")}
