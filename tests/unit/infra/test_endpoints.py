"""The check that each endpoint and its resource in the template fit together."""

import re
from pathlib import Path

import pytest

from infra.endpoints import check_endpoints

TEMPLATE = """
Resources:
  Api: {Type: AWS::Serverless::Api}
  GreetingFunction:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/greeting/
      Events:
        Greeting: {Type: Api, Properties: {RestApiId: !Ref Api, Method: GET, Path: /api/ai/greeting}}
"""
HANDLER = """
app = RestApi()

@app.operation("GET", "/api/ai/greeting", "getGreeting")
def greet():
    return "Hello"

handler = app.resolve
"""


def place(root: Path, template: str = TEMPLATE, handler: str = HANDLER) -> Path:
    (root / "functions/greeting").mkdir(parents=True)
    (root / "functions/greeting/handler.py").write_text(handler, encoding="utf-8")
    (root / "template.yaml").write_text(template, encoding="utf-8")
    return root


def test_every_endpoint_of_the_product_fits() -> None:
    check_endpoints()


def test_an_endpoint_with_its_resource_fits(tmp_path: Path) -> None:
    check_endpoints(place(tmp_path))


@pytest.mark.parametrize(
    ("template", "handler", "sentence"),
    [
        (
            "Resources: {}",
            HANDLER,
            "functions/greeting/handler.py: template.yaml has no function with the CodeUri functions/greeting/",
        ),
        (
            TEMPLATE.replace("greeting/\n", "greetings/\n"),
            HANDLER,
            "template.yaml: GreetingFunction has the CodeUri functions/greetings/, in which there is no handler.py",
        ),
        (
            TEMPLATE.replace("Path: /api/ai/greeting", "Path: /api/ai/greetings"),
            HANDLER,
            "functions/greeting/handler.py:4: its function in template.yaml has no event GET /api/ai/greeting",
        ),
        (
            TEMPLATE,
            HANDLER.replace("handler = app.resolve", ""),
            "functions/greeting/handler.py: define `handler` in it, as docs/extending.md shows",
        ),
        (
            TEMPLATE,
            HANDLER + HANDLER,
            "functions/greeting/handler.py:12: another operation has the id 'getGreeting', "
            "in functions/greeting/handler.py:4",
        ),
        (
            TEMPLATE,
            HANDLER + HANDLER.replace("getGreeting", "getOther"),
            "functions/greeting/handler.py:12: another operation has GET /api/ai/greeting, "
            "in functions/greeting/handler.py:4",
        ),
        (TEMPLATE, HANDLER.replace("greet():", "greet(:"), "functions/greeting/handler.py:5: invalid syntax"),
        (
            TEMPLATE.replace("/api/ai/greeting", '"/api/ai/greeting/{name}"'),
            HANDLER.replace("/api/ai/greeting", "/api/ai/greeting/{name}"),
            "functions/greeting/handler.py:5: greet() must take name of /api/ai/greeting/{name}",
        ),
        (
            TEMPLATE,
            HANDLER.replace("greet()", "greet(name)"),
            "functions/greeting/handler.py:5: greet() takes name, not in /api/ai/greeting",
        ),
        (
            TEMPLATE.replace("RestApiId: !Ref Api, ", ""),
            HANDLER,
            "template.yaml: the event Greeting of GreetingFunction needs RestApiId: !Ref Api",
        ),
        (
            TEMPLATE.replace("      CodeUri: functions/greeting/\n", ""),
            HANDLER,
            "template.yaml: GreetingFunction has no CodeUri, such as functions/greeting/",
        ),
        (
            TEMPLATE.replace("    Type: AWS::Serverless::Function", "   Type: AWS::Serverless::Function"),
            HANDLER,
            "template.yaml:6: mapping values are not allowed in this context",
        ),
        (
            TEMPLATE,
            HANDLER.replace('@app.operation("GET", "/api/ai/greeting", "getGreeting")\n', ""),
            "functions/greeting/handler.py: no function of it serves GET /api/ai/greeting, an event in template.yaml",
        ),
        (
            TEMPLATE,
            HANDLER.replace('"GET"', '"get"'),
            "functions/greeting/handler.py:4: its function in template.yaml has no event get /api/ai/greeting",
        ),
    ],
)
def test_each_mistake_is_one_sentence(tmp_path: Path, template: str, handler: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        check_endpoints(place(tmp_path, template, handler))
