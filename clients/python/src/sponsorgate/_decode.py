from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from datetime import datetime, timezone
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


class DecodeError(ValueError):
    """The response does not have the fields that the model needs."""


def decode(value: Any, kind: Any, where: str = "answer") -> Any:
    """Returns `value`, parsed from JSON, as an instance of `kind`. Unknown fields and values of enums are accepted."""
    origin = get_origin(kind)
    if kind is Any or origin is Literal:
        return value
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _decode_object(value, kind, where)
    if origin in (Union, types.UnionType):
        return _decode_union(value, get_args(kind), where)
    if origin is list:
        inside = get_args(kind)[0]
        return [decode(item, inside, f"{where}[{index}]") for index, item in enumerate(_need(value, list, where))]
    if origin is dict:
        inside = get_args(kind)[1]
        return {key: decode(item, inside, f"{where}.{key}") for key, item in _need(value, dict, where).items()}
    if kind is datetime:
        return parse_time(_need(value, str, where), where)
    if kind is float:
        return float(_need(value, (int, float), where))
    return _need(value, kind, where)


def _decode_union(value: Any, kinds: tuple[Any, ...], where: str) -> Any:
    if value is None and type(None) in kinds:
        return None
    last: DecodeError | None = None
    for kind in kinds:
        if kind is type(None):
            continue
        try:
            return decode(value, kind, where)
        except DecodeError as error:
            last = error
    raise last or DecodeError(f"{where} has an unexpected value")


def _decode_object(value: Any, kind: type[Any], where: str) -> Any:
    given = _need(value, dict, where)
    hints: dict[str, Any] = _hints(kind)  # type: ignore[arg-type]
    values = {}
    for one in dataclasses.fields(kind):
        if given.get(one.name) is None and one.default is None:
            continue
        if one.name not in given:
            raise DecodeError(f"{where}.{one.name} is missing")
        values[one.name] = decode(given[one.name], hints[one.name], f"{where}.{one.name}")
    return kind(**values)


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _need(value: Any, kind: Any, where: str) -> Any:
    # True is an int in Python, and never a number on the wire.
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise DecodeError(f"{where} has an unexpected type")
    return value


def parse_time(text: str, where: str = "time") -> datetime:
    """Reads ISO 8601. Python 3.10 cannot read a `Z`, and neither two digits of a second."""
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError as error:
        raise DecodeError(f"{where} is not a time") from error


def encode(value: Any) -> Any:
    """Returns `value` for JSON: models become objects without their empty fields, times become ISO 8601."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        pairs = ((one.name, getattr(value, one.name)) for one in dataclasses.fields(value))
        return {key: encode(item) for key, item in pairs if item is not None}
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=timezone.utc)).isoformat()
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items() if item is not None}
    if isinstance(value, (str, bytes)):
        return value
    if isinstance(value, (list, tuple, set, frozenset)) or hasattr(value, "__iter__"):
        return [encode(item) for item in value]
    return value
