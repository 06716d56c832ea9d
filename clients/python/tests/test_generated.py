"""The package has every operation and every field of /openapi.json."""

from __future__ import annotations

import dataclasses
import importlib.util
import inspect
import json
import types
import urllib.request
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from sponsorgate import Sponsorgate, models
from sponsorgate._methods import ROUTES
from sponsorgate.webhooks import EVENT_DATA

FOLDER = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def document(service_url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{service_url}/openapi.json", timeout=30) as response:
        return dict(json.load(response))


def load_generator() -> Any:
    spec = importlib.util.spec_from_file_location("generate", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # dataclasses look their module up.
    __import__("sys").modules["generate"] = module
    spec.loader.exec_module(module)
    return module


def test_the_generated_files_are_those_of_the_running_service(document: dict[str, Any]) -> None:
    for name, source in load_generator().generate(document).items():
        assert (FOLDER / "src/sponsorgate" / name).read_text() == source, "run clients/python/generate.py"


def resolve(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    return schema


def own_operations(document: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    return {
        operation["operationId"]: (verb.upper(), path, operation)
        for path, methods in document["paths"].items()
        if not path.startswith("/compat/")
        for verb, operation in methods.items()
        if isinstance(operation, dict) and "operationId" in operation
    }


def methods_by_operation() -> dict[str, Any]:
    """Reads from the source of each method which operation it calls. Does not use the generator."""
    api = Sponsorgate("http://x", "at_x")
    groups = [api, *(value for value in vars(api).values() if hasattr(value, "_call"))]
    found: dict[str, Any] = {}
    for group in groups:
        for _, method in inspect.getmembers(group, inspect.iscoroutinefunction):
            source = inspect.getsource(method)
            found.update({name: method for name in ROUTES if f'"{name}"' in source})
    return found


def test_every_operation_has_a_route_and_a_method_with_every_field(document: dict[str, Any]) -> None:
    operations = own_operations(document)
    assert set(ROUTES) == set(operations)
    methods = methods_by_operation()
    for name, (verb, path, operation) in operations.items():
        assert (ROUTES[name].verb, ROUTES[name].path) == (verb, path)
        parameters = inspect.signature(methods[name]).parameters
        wanted: dict[str, bool] = {}
        for one in operation.get("parameters", []):
            if one["name"] != "api_token":
                wanted[one["name"].lower().replace("-", "_")] = one.get("required", False)
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        body = resolve(document, body)
        for field in body.get("properties", {}):
            wanted[field] = field in body.get("required", [])
        options = {"timeout", "retries"}
        assert set(parameters) - options == set(wanted), name
        for field, is_required in wanted.items():
            assert (parameters[field].default is inspect.Parameter.empty) == is_required, f"{name}.{field}"


def test_every_field_of_every_answer_has_its_type(document: dict[str, Any]) -> None:
    methods = methods_by_operation()
    for name, (_, _, operation) in own_operations(document).items():
        answers: list[dict[str, Any]] = [one for status, one in operation["responses"].items() if status[0] == "2"]
        schema = (answers or [{}])[0].get("content", {}).get("application/json", {}).get("schema")
        result = get_type_hints(methods[name], vars(models))["return"]
        if schema is None:
            assert result is type(None), name
        else:
            agree(document, schema, result, name)


def agree(document: dict[str, Any], schema: dict[str, Any], kind: Any, where: str) -> None:
    """Asserts that a value of the schema fits the Python type."""
    schema = resolve(document, schema)
    variants = schema.get("anyOf") or schema.get("oneOf")
    kinds = list(get_args(kind)) if get_origin(kind) in (Union, types.UnionType) else [kind]
    if variants:
        for variant in variants:
            fits = []
            for one in kinds if "anyOf" not in resolve(document, variant) else [kind]:
                try:
                    agree(document, variant, one, where)
                    fits.append(one)
                except AssertionError:
                    pass
            assert fits, f"{where}: nothing in {kind} fits {variant}"
        return
    wanted = schema.get("type", "object")
    if isinstance(wanted, list):
        for one in wanted:
            agree(document, {**schema, "type": one}, kind, where)
        return
    if wanted == "null":
        assert type(None) in kinds, where
        return
    inner = next((one for one in kinds if one is not type(None)), None)
    assert inner is not None, where
    if wanted == "object" and "properties" in schema:
        assert dataclasses.is_dataclass(inner), where
        hints = get_type_hints(inner)
        assert set(hints) == set(schema["properties"]), where
        for field, value in schema["properties"].items():
            agree(document, value, hints[field], f"{where}.{field}")
            if field not in schema.get("required", []):
                assert type(None) in get_args(hints[field]), f"{where}.{field}"
    elif wanted == "array":
        assert get_origin(inner) is list, where
        agree(document, schema["items"], get_args(inner)[0], f"{where}[]")
    elif get_origin(inner) is Literal:
        assert set(get_args(inner)) == {one for one in schema.get("enum", [schema.get("const")]) if one}, where
    else:
        known: dict[str, tuple[Any, ...]] = {
            "integer": (int,),
            "number": (float,),
            "boolean": (bool,),
            "string": (str, datetime),
            "object": (dict,),
        }
        assert (get_origin(inner) or inner) in known[wanted], where
        if schema.get("format") == "date-time":
            assert inner is datetime, where


def test_every_field_of_every_webhook_event_has_its_type(document: dict[str, Any]) -> None:
    described = document["webhooks"]
    assert set(described) | {"webhook.test"} == set(EVENT_DATA)
    for name, methods in described.items():
        body = resolve(document, methods["post"]["requestBody"]["content"]["application/json"]["schema"])
        assert {"type", "id", "timestamp", "sequence", "data"} <= set(body["properties"])
        agree(document, body["properties"]["data"], EVENT_DATA[name], name)


def test_the_error_codes_are_those_of_the_service(document: dict[str, Any]) -> None:
    codes = document["components"]["schemas"]["Error"]["properties"]["code"]["enum"]
    assert list(get_args(models.ErrorCode)) == codes
