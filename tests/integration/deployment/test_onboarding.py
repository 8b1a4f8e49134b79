"""Onboarding against moto's AWS: its output, the resources that it creates, and that it changes nothing unasked."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from aisha.adapters.auth.jwt_tokens import TokenVerifier
from aisha.adapters.clock import SystemClock
from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository
from aisha.adapters.dynamodb.tables import create_tables
from aisha.application.tenants.access import Access, access_of
from aisha.application.tenants.plans import FREE, Plan, plan_of
from aisha.application.tenants.profile import profile_of
from aisha.application.tenants.profile_cache import TenantProfiles
from aisha.bootstrap import Services
from aisha.domain.entries import PROFILE
from aisha.domain.rate_limits import RateLimits
from aisha.settings import read_settings
from infra.admin.cli import main
from tests.fakes.aws.api_gateway import function, serving

pytestmark = pytest.mark.slow

REGION, STACK, TABLE, STAGE = "us-east-1", "aisha-test", "entries-of-the-stack", "v1"
STANDARD = Plan("standard", RateLimits(), 100.0)
TEMPLATE = {
    "Resources": {"Queue": {"Type": "AWS::SQS::Queue"}},
    "Outputs": {"EntriesTableName": {"Value": TABLE}, "Other": {"Value": "else"}},
}


class Deployment:
    """The resources of a deployment that onboarding uses: the stack, its table, its API and usage plans."""

    def __init__(self) -> None:
        self.gateway: Any = boto3.client("apigateway", region_name=REGION)
        self.entries = DynamoDBEntryRepository(TABLE, SystemClock(), region=REGION)
        create_tables("records", "conversations", TABLE, region=REGION)
        formation: Any = boto3.client("cloudformation", region_name=REGION)
        formation.create_stack(StackName=STACK, TemplateBody=json.dumps(TEMPLATE))
        self.api = self._api()
        self.plans = {name: self._plan(f"{STACK}-{name}") for name in ("free", "standard", "enterprise")}
        self._plan("another-standard")

    def _api(self) -> str:
        api = self.gateway.create_rest_api(name=STACK)["id"]
        root = self.gateway.get_resources(restApiId=api)["items"][0]["id"]
        where = {"restApiId": api, "resourceId": root, "httpMethod": "GET"}
        self.gateway.put_method(**where, authorizationType="NONE")
        self.gateway.put_integration(**where, type="MOCK", requestTemplates={})
        self.gateway.create_deployment(restApiId=api, stageName=STAGE)
        return str(api)

    def _plan(self, name: str) -> str:
        stages = [{"apiId": self.api, "stage": STAGE}]
        return str(self.gateway.create_usage_plan(name=name, apiStages=stages)["id"])

    def keys(self, plan: str) -> list[str]:
        """Return the values of the API keys in a plan."""
        entries = self.gateway.get_usage_plan_keys(usagePlanId=self.plans[plan])["items"]
        return [self.gateway.get_api_key(apiKey=entry["id"], includeValue=True)["value"] for entry in entries]


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployment]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws():
        yield Deployment()


def onboard(*options: str, tenant: str = "acme", plan: str = "standard") -> int:
    return main(["onboard", "--tenant", tenant, "--plan", plan, "--stack", STACK, "--region", REGION, *options])


def stored_state(aws: Deployment) -> tuple[list[Any], list[Any]]:
    table: Any = boto3.client("dynamodb", region_name=REGION)
    return table.scan(TableName=TABLE)["Items"], aws.gateway.get_api_keys()["items"]


def test_without_apply_it_only_prints_its_plan(aws: Deployment, capsys: pytest.CaptureFixture[str]) -> None:
    assert onboard("--labels", "lead=Prospect", "--users", "alice:admin:leads,contacts") == 0
    output = capsys.readouterr().out
    assert "would: create the profile: plan = standard; labels = lead=Prospect" in output
    assert "would: grant alice the roles admin and the modules leads, contacts" in output
    assert f"would: create an API key in the usage plan {STACK}-standard" in output
    assert "Nothing was changed" in output
    assert stored_state(aws) == ([], [])


def test_a_tenant_gets_its_profile_limits_and_grants(aws: Deployment) -> None:
    options = ("--assistant-name", "Ada", "--labels", "lead=Prospect, account=Client", "--budget-usd", "25")
    assert onboard(*options, "--users", "alice:admin:leads,contacts; bob:member:leads", "--apply") == 0
    profile = profile_of(TenantProfiles(aws.entries, SystemClock()), "acme")
    assert (profile.assistant_name, dict(profile.labels)) == ("Ada", {"lead": "Prospect", "account": "Client"})
    entry = aws.entries.find("acme", None, PROFILE, PROFILE)
    assert entry is not None
    assert plan_of(entry.body, STANDARD) == Plan("standard", RateLimits(), 25.0)
    assert access_of(aws.entries, "acme", "alice") == Access(("admin",), ("contacts", "leads"))
    assert access_of(aws.entries, "acme", "bob") == Access(("member",), ("leads",))
    assert access_of(aws.entries, "rival", "bob") == Access()


def test_an_administrator_trusts_tools_by_role_and_takes_trust_away(aws: Deployment) -> None:
    assert onboard("--trust", "create_note; update_lead=admin,manager", "--apply") == 0
    trust = {"create_note": ["*"], "update_lead": ["admin", "manager"]}
    assert stored_trust(aws) == trust
    assert onboard("--assistant-name", "Ada", "--apply") == 0
    assert stored_trust(aws) == trust, "it stays until it is named again"
    assert onboard("--trust", "update_lead=none", "--apply") == 0
    assert stored_trust(aws) == trust | {"update_lead": []}


@pytest.mark.parametrize("trust", ["sing", "update_lead=", "=admin", "update_lead=admin;no_such_tool=admin"])
def test_trust_that_names_nobody_or_no_tool_changes_nothing(
    aws: Deployment, capsys: pytest.CaptureFixture[str], trust: str
) -> None:
    assert onboard("--trust", trust, "--apply") != 0
    assert stored_state(aws) == ([], [])
    assert "Traceback" not in capsys.readouterr().err


def stored_trust(aws: Deployment) -> Any:
    entry = aws.entries.find("acme", None, PROFILE, PROFILE)
    assert entry is not None
    return entry.body["trust"]


def test_a_tenant_s_model_provider_is_written_down(aws: Deployment, capsys: pytest.CaptureFixture[str]) -> None:
    assert onboard("--provider", "anthropic", "--apply") == 0
    entry = aws.entries.find("acme", None, PROFILE, PROFILE)
    assert entry is not None
    assert plan_of(entry.body, STANDARD).provider == "anthropic"
    assert onboard("--provider", "acme-ai", "--apply") == 1
    assert "There is no provider 'acme-ai'. There are: anthropic, bedrock, gemini, groq" in capsys.readouterr().err


def test_the_key_is_the_one_that_the_authorizer_names(aws: Deployment) -> None:
    class Verifier(TokenVerifier):
        def __init__(self) -> None:
            pass

        def claims(self, _: str) -> dict[str, Any]:
            return {"tenant_id": "acme", "sub": "alice", "exp": 4102444800, "roles": [], "modules": []}

    assert onboard("--apply") == 0
    arn = f"arn:aws:execute-api:{REGION}:012345678912:{aws.api}/{STAGE}/POST/api/ai/chat"
    with serving(Services(token_verifier=Verifier(), settings=read_settings({}))):
        answer = function("authorizer").handler({"authorizationToken": "Bearer x", "methodArn": arn}, None)
    assert aws.keys("standard") == [answer["usageIdentifierKey"]]


def test_repeating_it_does_nothing(aws: Deployment, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--labels", "lead=Prospect", "--users", "alice:admin:leads", "--apply")
    assert onboard(*options) == 0
    before = stored_state(aws)
    capsys.readouterr()
    assert onboard(*options) == 0
    assert "nothing to do" in capsys.readouterr().out
    assert stored_state(aws) == before


def test_another_plan_moves_the_key_and_leaves_the_rest(aws: Deployment, capsys: pytest.CaptureFixture[str]) -> None:
    onboard("--labels", "lead=Prospect", "--budget-usd", "25", "--apply")
    value = aws.keys("standard")
    assert onboard("--labels", "account=Client", "--apply", plan="free") == 0
    assert f"move the API key from {STACK}-standard to {STACK}-free" in capsys.readouterr().out
    assert (aws.keys("standard"), aws.keys("free")) == ([], value)
    entry = aws.entries.find("acme", None, PROFILE, PROFILE)
    assert entry is not None
    assert plan_of(entry.body, STANDARD) == Plan("free", FREE.rates, 25.0)
    assert entry.body["labels"] == {"lead": "Prospect", "account": "Client"}


def test_what_the_tenant_chose_itself_stays(aws: Deployment) -> None:
    aws.entries.put("acme", None, PROFILE, PROFILE, {"persona": ["Be brief."], "rules": {"delete_lead": "deny"}})
    assert onboard("--apply") == 0
    profile = profile_of(TenantProfiles(aws.entries, SystemClock()), "acme")
    assert (profile.persona, dict(profile.rules)) == (("Be brief.",), {"delete_lead": "deny"})


def test_tenants_whose_names_begin_alike_have_keys_of_their_own(aws: Deployment) -> None:
    for tenant in ("acme-north", "acme"):
        assert onboard("--apply", tenant=tenant) == 0
    assert len(set(aws.keys("standard"))) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--labels", "leed=Prospect"), "no entity type 'leed'"),
        (("--labels", "lead"), "is no label"),
        (("--users", "alice:leads"), "is no user"),
        (("--users", "alice:admin:leeds"), "no module 'leeds'"),
        (("--users", "al ice:admin:leads"), "no tenant or user"),
        (("--budget-usd", "-1"), "budget_usd can't be -1"),
        (("--user-per-minute", "0"), "user_per_minute can't be 0"),
        (("--plan", "gold"), "no plan 'gold'. There are: enterprise, free, standard"),
        (("--tenant", "acme#1"), "no tenant or user"),
        (("--stack", "elsewhere"), "AWS says"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_options_are_refused_before_anything_is_changed(
    aws: Deployment, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    assert onboard("--apply", *options) == 1
    assert message in capsys.readouterr().err
    assert stored_state(aws) == ([], [])
