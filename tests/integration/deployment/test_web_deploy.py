"""`make web-deploy` against moto's AWS: what it uploads, how long that is cached, and what it refuses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from infra.admin.cli import main
from infra.admin.web import deploy

pytestmark = pytest.mark.slow

REGION, STACK, BUCKET, URL = "us-east-1", "aisha-test", "files-of-the-stack", "https://d111.cloudfront.net"
RESOURCES = {"Resources": {"Queue": {"Type": "AWS::SQS::Queue"}}}


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws():
        yield


def create_stack(**outputs: str) -> None:
    template = {**RESOURCES, "Outputs": {name: {"Value": value} for name, value in outputs.items()}}
    formation: Any = boto3.client("cloudformation", region_name=REGION)
    formation.create_stack(StackName=STACK, TemplateBody=json.dumps(template))


def create_distribution() -> str:
    front: Any = boto3.client("cloudfront", region_name=REGION)
    behavior = {"TargetOriginId": "bucket", "ViewerProtocolPolicy": "redirect-to-https"}
    origin = {
        "Id": "bucket",
        "DomainName": f"{BUCKET}.s3.amazonaws.com",
        "S3OriginConfig": {"OriginAccessIdentity": ""},
    }
    config = {
        "CallerReference": "1",
        "Comment": "",
        "Enabled": True,
        "Origins": {"Quantity": 1, "Items": [origin]},
        "DefaultCacheBehavior": behavior,
    }
    return str(front.create_distribution(DistributionConfig=config)["Distribution"]["Id"])


def test_the_elements_files_are_served_with_the_time_they_may_be_kept(aws: None, tmp_path: Path) -> None:
    store: Any = boto3.client("s3", region_name=REGION)
    store.create_bucket(Bucket=BUCKET)
    distribution = create_distribution()
    create_stack(WebUrl=URL, WebBucketName=BUCKET, WebDistributionId=distribution)
    assert main(["web-deploy", "--stack", STACK, "--region", REGION]) == 0
    keys = [item["Key"] for item in store.list_objects_v2(Bucket=BUCKET)["Contents"]]
    assert "assistant.js" in keys
    assert not [key for key in keys if key.startswith(("desk", "index"))], "the desk signs in locally"
    heads = {key: store.head_object(Bucket=BUCKET, Key=key) for key in keys}
    assert heads["assistant.js"]["CacheControl"] == "public, max-age=300"
    assert heads["assistant.js"]["ContentType"].startswith("text/javascript")
    parts = [key for key in keys if key.startswith("parts/")]
    assert parts
    assert all("immutable" in heads[key]["CacheControl"] for key in parts)
    front: Any = boto3.client("cloudfront", region_name=REGION)
    (invalidation,) = front.list_invalidations(DistributionId=distribution)["InvalidationList"]["Items"]
    paths = front.get_invalidation(DistributionId=distribution, Id=invalidation["Id"])["Invalidation"]
    assert "/assistant.js" in paths["InvalidationBatch"]["Paths"]["Items"]
    store.put_object(Bucket=BUCKET, Key="parts/chunk-OLD.js", Body=b"")
    assert deploy(STACK, REGION)[0] == URL
    assert store.head_object(Bucket=BUCKET, Key="parts/chunk-OLD.js"), "an open page may still ask for it"


def test_a_stack_without_hosting_is_refused_with_what_to_do(aws: None, capsys: pytest.CaptureFixture[str]) -> None:
    create_stack(ApiUrl="https://api.example.com")
    assert main(["web-deploy", "--stack", STACK, "--region", REGION]) == 1
    error_output = capsys.readouterr().err
    assert "does not host the web client" in error_output
    assert "WebHosting=true" in error_output
    assert main(["web-deploy", "--stack", "another", "--region", REGION]) == 1
    assert "AWS says" in capsys.readouterr().err
