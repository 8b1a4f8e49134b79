"""The SAM template's answers to browsers: CORS, refusals by API Gateway, and hosted files."""

import json
import re

import pytest

from aisha.api.mcp.operations import METADATA
from aisha.domain.errors import AishaError
from infra.local.server.template import load_template
from tests.fakes.aws.api_gateway import ROOT
from tests.support.template import DOCUMENT, FUNCTIONS, RESOURCES

PREFLIGHT = RESOURCES["Api"]["Properties"]["Cors"]

# --- pages of other origins


def test_pages_may_send_what_the_functions_read() -> None:
    allowed = PREFLIGHT["AllowHeaders"].strip("'").split(",")
    assert {"authorization", "content-type", "accept", "idempotency-key"} <= set(allowed)
    auth = RESOURCES["Api"]["Properties"]["Auth"]
    assert auth["AddDefaultAuthorizerToCorsPreflight"] is auth["AddApiKeyRequiredToCorsPreflight"] is False


@pytest.mark.parametrize("name", RESOURCES["Api"]["Properties"]["GatewayResponses"])
def test_pages_can_read_the_gateway_s_refusals(name: str) -> None:
    response = RESOURCES["Api"]["Properties"]["GatewayResponses"][name]
    headers = response["ResponseParameters"]["Headers"]
    assert headers["Access-Control-Allow-Origin"] == PREFLIGHT["AllowOrigin"]
    assert headers["x-request-id"] == "context.requestId"
    assert headers["X-Content-Type-Options"] == "'nosniff'"
    assert "x-request-id" in headers["Access-Control-Expose-Headers"]
    assert PREFLIGHT["AllowOrigin"]["If"][0] == "HasOrigins"


def test_no_page_of_just_any_origin_may_use_mcp() -> None:
    origins = FUNCTIONS["McpFunction"]["Environment"]["Variables"]["AISHA_MCP_ORIGINS"]
    assert origins == {"If": ["HasAnyOrigin", "", {"Ref": "AllowedOrigins"}]}
    assert DOCUMENT["Conditions"]["HasAnyOrigin"] == {"Equals": [{"Ref": "AllowedOrigins"}, "*"]}


# --- API Gateway's own answers


def test_a_401_tells_mcp_clients_where_a_token_is_to_be_had() -> None:
    headers = RESOURCES["Api"]["Properties"]["GatewayResponses"]["UNAUTHORIZED"]["ResponseParameters"]["Headers"]
    condition, with_server, otherwise = headers["WWW-Authenticate"]["If"]
    assert condition == "TellsAuthorizationServer"
    assert with_server["Sub"] == f"'Bearer resource_metadata=\"${{PublicUrl}}{METADATA}\"'"
    assert otherwise == "'Bearer'"
    public = {route.resource for route in load_template(ROOT / "template.yaml").routes if not route.authorizer}
    assert METADATA in public


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "PublicUrl",
            ["", "https://ai.abc.example", "https://x.example/v1"],
            ["http://ai.abc.example", "https://x/", "https://x/'"],
        ),
        ("MoodWebhookUrl", ["", "https://h.example/mood?k=1"], ["h.example/mood", "ftp://h.example"]),
        ("OtlpEndpoint", ["", "http://127.0.0.1:4318"], ["127.0.0.1:4318"]),
        (
            "AllowedOrigins",
            ["", "*", "https://a.example", "https://a.example,https://b.example"],
            ["a.example", "*,*", "https://a.example/x"],
        ),
    ],
)
def test_addresses_are_checked_when_they_are_given(name: str, good: list[str], bad: list[str]) -> None:
    pattern = DOCUMENT["Parameters"][name]["AllowedPattern"]
    assert all(re.fullmatch(pattern, address) for address in good)
    assert not [address for address in bad if re.fullmatch(pattern, address)]


def codes(root: type[AishaError]) -> set[str]:
    return {root.code}.union(*(codes(child) for child in root.__subclasses__()))


@pytest.mark.parametrize("name", RESOURCES["Api"]["Properties"]["GatewayResponses"])
def test_refusals_of_the_gateway_are_problems(name: str) -> None:
    response = RESOURCES["Api"]["Properties"]["GatewayResponses"][name]
    assert response["ResponseParameters"]["Headers"]["Content-Type"] == "'application/problem+json'"
    text = response["ResponseTemplates"]["application/problem+json"]
    body = json.loads(text.replace("$context.error.messageString", '"said"').replace("$context.requestId", "id"))
    assert body.get("status") == response.get("StatusCode")
    assert body["request_id"] == "id"
    assert body["detail"] == body["error"]["message"] == body["message"]
    assert body["type"] == f"urn:aisha:problem:{body['code']}"
    says_what_to_do = "again" in body["message"] or "Ask" in body["message"] or name == "DEFAULT_4XX"
    assert body.get("suggestion") or says_what_to_do
    assert body["code"] in codes(AishaError) | {"rate_limited"}, "only the gateway limits rates"


# --- the web client's files


def test_the_web_client_is_hosted_only_when_asked_for() -> None:
    hosting = {
        name: resource for name, resource in RESOURCES.items() if name.startswith("Web") and name != "WebAclAssociation"
    }
    assert len(hosting) == 6
    assert {resource.get("Condition") for resource in hosting.values()} == {"HostsWeb"}
    assert DOCUMENT["Parameters"]["WebHosting"]["Default"] == "false"


def test_the_bucket_is_private_and_read_by_its_distribution_alone() -> None:
    bucket = RESOURCES["WebBucket"]["Properties"]
    assert all(bucket["PublicAccessBlockConfiguration"].values())
    allowed, denied = RESOURCES["WebBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert (allowed["Principal"], allowed["Action"]) == ({"Service": "cloudfront.amazonaws.com"}, "s3:GetObject")
    assert "distribution/${WebDistribution}" in json.dumps(allowed["Condition"])
    assert (denied["Effect"], denied["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})
    origin = RESOURCES["WebDistribution"]["Properties"]["DistributionConfig"]["Origins"][0]
    assert "WebAccess" in json.dumps(origin["OriginAccessControlId"])


def test_hosted_files_may_be_loaded_by_any_page_and_are_no_page_themselves() -> None:
    headers = RESOURCES["WebHeaders"]["Properties"]["ResponseHeadersPolicyConfig"]
    assert headers["CorsConfig"]["AccessControlAllowOrigins"]["Items"] == ["*"]
    assert headers["CorsConfig"]["AccessControlAllowCredentials"] is False
    security = headers["SecurityHeadersConfig"]
    assert "frame-ancestors 'none'" in security["ContentSecurityPolicy"]["ContentSecurityPolicy"]
    assert security["ContentTypeOptions"]["Override"]
    behavior = RESOURCES["WebDistribution"]["Properties"]["DistributionConfig"]["DefaultCacheBehavior"]
    assert behavior["ViewerProtocolPolicy"] == "redirect-to-https"
