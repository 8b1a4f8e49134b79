"""Write the files with which `sam local` runs the built functions: a template, variables, keys and demo data.

SAM passes only variables that a template declares, and AWS's adapter comes as a layer that takes an account to
download. So the template written here names every variable, takes the adapter from a folder, and has nothing but
functions and API.
"""

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from aisha.adapters.clock import SystemClock
from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository
from aisha.adapters.dynamodb.tables import create_tables
from infra.local.demo.data import seed
from infra.local.server.keys import AUDIENCE, ISSUER, TokenSigner
from infra.local.tables import REGION, TABLES
from infra.sam.deployment import LAYERS, Deployment

ROOT = Path(__file__).parents[2]
DYNAMODB, KEYS = "http://aisha-dynamodb:8000", "http://aisha-keys:8000"
"""Containers of sam_local.sh, by their names in its network."""
API_TYPES = ("AWS::Serverless::Api", "AWS::Serverless::Function")
BUFFERED = {"AWS_LWA_INVOKE_MODE": "buffered"}
"""`sam local` does not support streamed responses: the adapter buffers them."""
LOCAL_KEYS = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}


def local_deployment(build: Path) -> Deployment:
    """Return the built functions with this machine's containers as their services."""
    return Deployment(
        folder=build,
        python=Path("python3"),
        values={
            "RecordsTable": TABLES.records,
            "ConversationsTable": TABLES.conversations,
            "EntriesTable": TABLES.entries,
            "JwksUrl": f"{KEYS}/jwks.json",
            "JwtIssuer": ISSUER,
            "JwtAudience": AUDIENCE,
        },
        outside={"AISHA_DYNAMODB_ENDPOINT": DYNAMODB, "AISHA_QUEUE": "none"},
        logs=build,
    )


def variables(deployment: Deployment) -> dict[str, dict[str, str]]:
    """Return every function's variables by its logical name: the file of `sam local --env-vars`."""
    return {
        name: deployment.variables(name) | LOCAL_KEYS | (BUFFERED if deployment.is_streaming(name) else {})
        for name in deployment.functions
    }


def local_template(deployment: Deployment, document: dict[str, Any], adapter: Path) -> dict[str, Any]:
    """Return the built template with absolute folders, without the resources that `sam local` ignores."""
    resources = {name: resource for name, resource in document["Resources"].items() if resource["Type"] in API_TYPES}
    environment = variables(deployment)
    for name in deployment.functions:
        own = dict(resources[name]["Properties"])
        layers = [{"Ref": layer} for layer in LAYERS]
        own["Layers"] = [*layers, {"Ref": "AdapterLayer"}] if deployment.is_streaming(name) else layers
        own["Environment"] = {"Variables": environment[name]}
        own["CodeUri"] = str(deployment.folder / name)
        own["Timeout"] = int(deployment.property_of(name, "Timeout"))
        own["MemorySize"] = int(deployment.property_of(name, "MemorySize"))
        # A queue or a schedule starts nothing here, and roles, alarms and aliases belong to AWS.
        own["Events"] = {key: one for key, one in own.get("Events", {}).items() if one["Type"] == "Api"}
        for key in ("Policies", "Role", "DeadLetterQueue", "DeploymentPreference", "AutoPublishAlias", "SnapStart"):
            own.pop(key, None)
        resources[name] = {"Type": resources[name]["Type"], "Properties": own}
    for api in (
        resource["Properties"] for resource in resources.values() if resource["Type"] == "AWS::Serverless::Api"
    ):
        # SAM can't resolve the alias, would skip the authorizer, and each request would be 401.
        for name, authorizer in api.get("Auth", {}).get("Authorizers", {}).items():
            arn = {"Fn::GetAtt": [_function_of(authorizer["FunctionArn"]), "Arn"]}
            api["Auth"]["Authorizers"][name] = authorizer | {"FunctionArn": arn}
    for layer, folder in (*((layer, deployment.folder / layer) for layer in LAYERS), ("AdapterLayer", adapter)):
        resources[layer] = {"Type": "AWS::Serverless::LayerVersion", "Properties": {"ContentUri": str(folder)}}
    architecture = deployment.property_of(deployment.functions[0], "Architectures")
    function = {"Runtime": "python3.13", "Handler": "handler.handler", "Architectures": architecture}
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Transform": "AWS::Serverless-2016-10-31",
        "Parameters": document["Parameters"],
        "Conditions": document.get("Conditions", {}),
        "Mappings": document.get("Mappings", {}),
        "Globals": {"Function": function},
        "Resources": resources,
    }


def _function_of(arn: dict[str, Any]) -> str:
    """Return the logical name of the function to which `!Ref Name.Alias` or `!GetAtt Name.Arn` refers."""
    (target,) = arn.values()
    return str(target if isinstance(target, str) else target[0]).partition(".")[0]


def write(build: Path, adapter: Path, folder: Path, architecture: str) -> None:
    """Write template.yaml, env.json, keys/jwks.json and authorizer.json (its event with a valid token) in `folder`."""
    deployment = local_deployment(build)
    document = yaml.safe_load((build / "template.yaml").read_text(encoding="utf-8"))
    template = local_template(deployment, document, adapter)
    template["Globals"]["Function"]["Architectures"] = [architecture]
    template = {key: value for key, value in template.items() if value}
    for resource in template["Resources"].values():
        resource["Properties"].pop("Architectures", None)
    signer = TokenSigner(ROOT / ".local")
    (folder / "keys").mkdir(parents=True, exist_ok=True)
    (folder / "template.yaml").write_text(yaml.safe_dump(template, sort_keys=False), encoding="utf-8")
    for name, content in (("env.json", variables(deployment)), ("keys/jwks.json", signer.jwks())):
        (folder / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    event = json.loads((ROOT / "events/authorizer.json").read_text(encoding="utf-8"))
    event["authorizationToken"] = f"Bearer {signer.user_token('alice', 'demo', datetime.now(UTC))}"
    (folder / "authorizer.json").write_text(json.dumps(event, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """`write` the files, or `seed` DynamoDB at an endpoint with tables and demo data."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("command", choices=["write", "seed"])
    parser.add_argument("--build", type=Path, default=ROOT / ".local/build")
    parser.add_argument("--folder", type=Path, default=ROOT / ".local/sam-local")
    parser.add_argument("--adapter", type=Path, default=ROOT / ".local/sam-local/adapter")
    parser.add_argument("--architecture", default="x86_64")
    parser.add_argument("--endpoint", default="http://127.0.0.1:8000")
    options = parser.parse_args()
    if options.command == "write":
        write(options.build.resolve(), options.adapter.resolve(), options.folder, options.architecture)
        return
    create_tables(*TABLES, region=REGION, endpoint=options.endpoint)
    seed(
        DynamoDBRecordRepository(TABLES.records, SystemClock(), region=REGION, endpoint=options.endpoint),
        datetime.now(UTC),
    )


if __name__ == "__main__":
    main()
