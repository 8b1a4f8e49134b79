"""Files written for `sam local`, as far as they can be tried without containers."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

from infra.local.server.template import load_template, read_document
from infra.sam.sam_local import local_deployment, local_template, variables

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
NO_ENGINE = 2


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A folder with the template as `sam build` would write it: without YAML's short tags."""
    document = read_document(ROOT / "template.yaml")
    long = {"Ref", "Condition"}

    def written_out(value: object) -> object:
        if isinstance(value, dict):
            key, *others = value
            if (
                not others
                and isinstance(key, str)
                and key in {"If", "Sub", "GetAtt", "Join", "Equals", "Not", "And", "Or", "Select", "Split"}
            ):
                return {f"Fn::{key}": written_out(value[key])}
            return {name: written_out(one) for name, one in value.items()} if key not in long else value
        return [written_out(one) for one in value] if isinstance(value, list) else value

    (tmp_path / "template.yaml").write_text(yaml.safe_dump(written_out(document)), encoding="utf-8")
    return tmp_path


def test_the_variables_are_of_every_function_and_lead_to_the_containers(build: Path) -> None:
    variables_by_function = variables(local_deployment(build))
    assert {
        route.function.name for route in load_template(ROOT / "template.yaml").routes
    } <= variables_by_function.keys()
    for one in variables_by_function.values():
        assert one["AISHA_DYNAMODB_ENDPOINT"] == "http://aisha-dynamodb:8000"
        assert one["AISHA_RECORDS_TABLE"] == "aisha-records"
        assert one["AISHA_JWKS_URL"].startswith("http://aisha-keys:8000/")
        assert one["AWS_ACCESS_KEY_ID"] == "local"


def test_the_template_declares_each_variable_since_sam_passes_no_other(build: Path) -> None:
    deployment = local_deployment(build)
    document = yaml.safe_load((build / "template.yaml").read_text(encoding="utf-8"))
    template = local_template(deployment, document, build / "adapter")
    for name, one in variables(deployment).items():
        assert template["Resources"][name]["Properties"]["Environment"]["Variables"].keys() == one.keys()
    chat = template["Resources"]["ChatFunction"]["Properties"]
    assert {"Ref": "AdapterLayer"} in chat["Layers"]
    assert chat["Environment"]["Variables"]["AWS_LWA_INVOKE_MODE"] == "buffered"


def test_the_authorizer_is_named_as_sam_can_resolve_it(build: Path) -> None:
    document = yaml.safe_load((build / "template.yaml").read_text(encoding="utf-8"))
    template = local_template(local_deployment(build), document, build / "adapter")
    authorizers = template["Resources"]["Api"]["Properties"]["Auth"]["Authorizers"]
    assert authorizers["TokenAuthorizer"]["FunctionArn"] == {"Fn::GetAtt": ["AuthorizerFunction", "Arn"]}


def test_with_a_container_engine_it_goes_on(tmp_path: Path) -> None:
    docker = tmp_path / "docker"
    docker.write_text('#!/bin/sh\necho "$@" >> "$0.log"\n', encoding="utf-8")
    docker.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    process = subprocess.run(
        [ROOT / "infra/sam/sam_local.sh", "stop"], env=environment, check=False, capture_output=True
    )
    assert process.returncode == 0, process.stderr
    assert "rm -f aisha-dynamodb aisha-keys" in (tmp_path / "docker.log").read_text(encoding="utf-8")


def test_without_a_container_engine_it_says_what_is_missing(tmp_path: Path) -> None:
    docker = tmp_path / "docker"
    docker.write_text("#!/bin/sh\nexit 1\n")
    docker.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    command = [str(ROOT / "infra/sam/sam_local.sh"), "invoke", "CrmFunction"]
    process = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert process.returncode == NO_ENGINE
    assert "no engine answers" in process.stderr
    assert "DOCKER_HOST" in process.stderr
