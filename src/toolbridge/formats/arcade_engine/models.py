"""The documents of Arcade's engine format as its two editions type them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from ...wire import Wire

ValueType = Literal["string", "integer", "number", "boolean", "json", "array"]
InnerType = Literal["string", "integer", "number", "boolean", "json"]


class ValueSchema(Wire, kw_only=True, omit_defaults=True):
    """The type of a value. `json` without properties is any object, with properties a closed one."""

    val_type: ValueType
    inner_val_type: InnerType | UnsetType | None = UNSET
    enum: list[str] | UnsetType | None = UNSET
    properties: dict[str, ValueSchema] | UnsetType | None = UNSET
    inner_properties: dict[str, ValueSchema] | UnsetType | None = UNSET
    description: str | UnsetType | None = UNSET
    required_keys: list[str] | UnsetType | None = UNSET
    inner_required_keys: list[str] | UnsetType | None = UNSET
    nullable: bool | UnsetType | None = UNSET


class InputParameter(Wire, kw_only=True, omit_defaults=True):
    """One parameter; `inferrable` false means that the client must fill it, not the model."""

    name: str
    required: bool
    value_schema: ValueSchema
    description: str | UnsetType | None = UNSET
    inferrable: bool | UnsetType = UNSET


class Input(Wire, kw_only=True):
    """The parameters, in order."""

    parameters: list[InputParameter]


class Output(Wire, kw_only=True, omit_defaults=True):
    """What a call gives back."""

    description: str | UnsetType | None = UNSET
    available_modes: list[str] | UnsetType = UNSET
    value_schema: ValueSchema | UnsetType | None = UNSET


class Toolkit(Wire, kw_only=True, omit_defaults=True):
    """The toolkit that a tool belongs to, and its version."""

    name: str
    description: str | UnsetType | None = UNSET
    version: str | UnsetType | None = UNSET


class OAuth2(Wire, kw_only=True, omit_defaults=True):
    """What an OAuth 2.0 authorization must allow."""

    scopes: list[str] | UnsetType | None = UNSET


class Authorization(Wire, kw_only=True, omit_defaults=True):
    """The authorization that a tool needs."""

    provider_type: str
    provider_id: str | UnsetType | None = UNSET
    id: str | UnsetType | None = UNSET
    oauth2: OAuth2 | UnsetType | None = UNSET


class Key(Wire, kw_only=True):
    """A secret, or a piece of metadata, that a tool needs, by name."""

    key: str


class Requirements(Wire, kw_only=True, omit_defaults=True):
    """What a caller must bring besides arguments."""

    authorization: Authorization | UnsetType | None = UNSET
    secrets: list[Key] | UnsetType | None = UNSET
    metadata: list[Key] | UnsetType | None = UNSET


class Behavior(Wire, kw_only=True, omit_defaults=True):
    """What a tool does to the world."""

    operations: list[str] | UnsetType | None = UNSET
    read_only: bool | UnsetType | None = UNSET
    destructive: bool | UnsetType | None = UNSET
    idempotent: bool | UnsetType | None = UNSET
    open_world: bool | UnsetType | None = UNSET


class Metadata(Wire, kw_only=True, omit_defaults=True):
    """What is said about a tool; `extras` is free."""

    classification: dict[str, Any] | UnsetType | None = UNSET
    behavior: Behavior | UnsetType | None = UNSET
    extras: dict[str, Any] | UnsetType | None = UNSET


class ToolDefinition(Wire, kw_only=True, omit_defaults=True):
    """ToolDefinition of arcade-core 4."""

    name: str
    fully_qualified_name: str
    description: str
    toolkit: Toolkit
    input: Input
    output: Output
    requirements: Requirements
    deprecation_message: str | UnsetType | None = UNSET
    metadata: Metadata | UnsetType | None = UNSET
    meta: dict[str, Any] | UnsetType | None = UNSET


class OtcValueSchema(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The type of a value in the draft of March 2025; an array must say its inner type, be it null."""

    val_type: ValueType
    inner_val_type: InnerType | UnsetType | None = UNSET
    enum: list[str] | UnsetType | None = UNSET


class OtcParameter(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One parameter in the draft of March 2025."""

    name: str
    required: bool
    value_schema: OtcValueSchema
    description: str | UnsetType = UNSET
    inferrable: bool | UnsetType = UNSET


class OtcInput(Wire, kw_only=True, forbid_unknown_fields=True):
    """The parameters, in order."""

    parameters: list[OtcParameter]


class OtcOutput(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a call gives back, in the draft of March 2025."""

    available_modes: Annotated[
        list[Literal["value", "error", "null", "artifact", "requires_authorization"]], Meta(min_length=1)
    ]
    description: str | UnsetType = UNSET
    value_schema: OtcValueSchema | UnsetType = UNSET


class OtcToolkit(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The toolkit in the draft of March 2025."""

    name: str
    version: str
    description: str | UnsetType = UNSET


class OtcOAuth2(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an OAuth 2.0 authorization must allow."""

    scopes: list[str] | UnsetType = UNSET


class OtcAuthorization(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The authorization in the draft of March 2025."""

    provider_type: str
    provider_id: str | UnsetType = UNSET
    id: str | UnsetType = UNSET
    oauth2: OtcOAuth2 | UnsetType = UNSET


class OtcKey(Wire, kw_only=True, forbid_unknown_fields=True):
    """A secret in the draft of March 2025, by name."""

    key_id: str


class OtcRequirements(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a caller must bring, in the draft of March 2025."""

    authorization: OtcAuthorization | Literal["none", "token"] | UnsetType | None = UNSET
    secrets: list[OtcKey] | UnsetType | None = UNSET


class OtcToolDefinition(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Tool definition of the OpenToolCalling draft of March 2025."""

    name: str
    fully_qualified_name: str
    toolkit: OtcToolkit
    input: OtcInput
    output: OtcOutput
    description: str | UnsetType = UNSET
    requirements: OtcRequirements | UnsetType = UNSET


class OtcAnyRequirements(Wire, kw_only=True, omit_defaults=True):
    """Requirements as they are read: what the engine writes under the draft's names is understood."""

    authorization: dict[str, Any] | str | UnsetType | None = UNSET
    secrets: list[dict[str, Any]] | UnsetType | None = UNSET


class OtcAnyToolDefinition(Wire, kw_only=True, omit_defaults=True):
    """A tool of the draft as it is read: with the nulls and the nested types that the engine soon had."""

    name: str
    fully_qualified_name: str
    toolkit: Toolkit
    input: Input
    output: Output
    description: str | UnsetType | None = UNSET
    requirements: OtcAnyRequirements | UnsetType | None = UNSET
