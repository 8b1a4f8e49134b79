"""Put the files of `<aisha-assistant>` into the bucket that a deployed stack serves them from."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from infra.admin.errors import WebError

DIST = Path(__file__).parents[2] / "web" / "dist"
ENTRY = "assistant.js"
PARTS = "parts"
TYPES = {".js": "text/javascript; charset=utf-8", ".txt": "text/plain; charset=utf-8"}
SHORT_LIVED = "public, max-age=300"
IMMUTABLE = "public, max-age=31536000, immutable"
"""The name of a part has a hash of its content, so it never changes."""


def add_arguments(parser: argparse.ArgumentParser, _command: str = "web-deploy") -> None:
    """Add the command's options."""
    parser.add_argument("--stack", required=True, help="name of the CloudFormation stack")
    parser.add_argument("--region", required=True, help="its AWS region")


def run(options: argparse.Namespace) -> None:
    """Upload the files, and print where pages load them from. Raises `WebError`."""
    try:
        url, count = deploy(options.stack, options.region)
    except (BotoCoreError, ClientError) as error:
        raise WebError(f"AWS says: {error}") from error
    print(f"{count} files. Pages load {url}/{ENTRY}")


def deploy(stack: str, region: str) -> tuple[str, int]:
    """Upload the element's files; return the address that serves them, and their number. Raises `WebError`.

    Parts of earlier versions stay: an open page, or a copy of `assistant.js` in a cache, still asks for them.
    """
    outputs = _outputs(stack, region)
    if "WebBucketName" not in outputs:
        raise WebError(
            f"The stack {stack} in {region} does not host the web client. Deploy it with WebHosting=true, or serve "
            "web/dist/assistant.js and web/dist/parts/ from your own web server."
        )
    files = _files()
    store: Any = boto3.client("s3", region_name=region)
    # The file that names the parts comes last: whoever gets it finds them.
    for path in files:
        store.put_object(
            Bucket=outputs["WebBucketName"],
            Key=path.relative_to(DIST).as_posix(),
            Body=path.read_bytes(),
            ContentType=TYPES[path.suffix],
            CacheControl=IMMUTABLE if path.parent.name == PARTS else SHORT_LIVED,
        )
    # Parts need no invalidation: a changed one has another name.
    changed = [f"/{path.relative_to(DIST).as_posix()}" for path in files if path.parent == DIST]
    front: Any = boto3.client("cloudfront", region_name=region)
    front.create_invalidation(
        DistributionId=outputs["WebDistributionId"],
        InvalidationBatch={"Paths": {"Quantity": len(changed), "Items": changed}, "CallerReference": str(uuid4())},
    )
    return outputs["WebUrl"], len(files)


def _files() -> list[Path]:
    """Return what pages load, without the desk, which signs in at the local server: parts first, the entry last."""
    if not (DIST / ENTRY).exists():
        raise WebError(f"There is no {DIST / ENTRY}. Run make web.")
    return [*sorted((DIST / PARTS).glob("*.js")), DIST / "NOTICES.txt", DIST / ENTRY]


def _outputs(stack: str, region: str) -> Mapping[str, str]:
    formation: Any = boto3.client("cloudformation", region_name=region)
    stacks = formation.describe_stacks(StackName=stack)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stacks[0].get("Outputs", [])}
