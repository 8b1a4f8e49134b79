"""Requirements on the repository itself."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
SDKS = {"anthropic", "boto3", "botocore", "groq", "httpx", "openai", "opensearchpy", "pynamodb"}
CORE = ("domain", "application", "tools", "brainlets")
DEPLOY_COMMANDS = (
    *("sam deploy", "sam.sh deploy"),
    *("cloudformation deploy", "cloudformation create-stack", "cloudformation update-stack"),
)


def imported_packages(path: Path) -> Iterator[str]:
    """Yield the top-level package of every import of a module that has an SDK's name, inside functions too."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if any(name in text for name in SDKS) else ():
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def test_the_core_imports_no_sdk_of_a_provider_or_a_store() -> None:
    """H-001, N-003."""
    modules = [path for package in CORE for path in (ROOT / "shared/aisha" / package).rglob("*.py")]
    assert len(modules) > 100
    assert [f"{path}: {name}" for path in modules for name in imported_packages(path) if name in SDKS] == []


def test_no_script_deploys_by_itself() -> None:
    """A-176: comments and messages may name the command that a person runs, and one script asks before it deploys."""
    scripts = [ROOT / ".ci/run", ROOT / "Makefile", *(ROOT / "infra").rglob("*.sh")]
    lines = [line.partition("#")[0] for path in scripts for line in path.read_text(encoding="utf-8").splitlines()]
    commands = [line.strip() for line in lines if not line.strip().startswith("echo")]
    assert [line for line in commands if any(command in line for command in DEPLOY_COMMANDS)] == [
        'infra/sam/sam.sh deploy "${options[@]}"'
    ]
    assert '[ -z "$approved" ] || options+=(--no-confirm-changeset)' in commands


def test_a_workflow_deploys_only_where_reviewers_can_be_asked() -> None:
    jobs = [
        job
        for path in (ROOT / ".github/workflows").glob("*.yml")
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    ]
    deploying = [job for job in jobs if any("deploy" in step.get("run", "") for step in job.get("steps", ()))]
    assert deploying
    assert [job for job in deploying if not job.get("environment")] == []


def test_an_environment_that_is_not_configured_is_refused_before_anything_is_deployed() -> None:
    process = subprocess.run(
        [ROOT / "infra/sam/deploy.sh", "nowhere", "yes"], capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stdout) == (2, "")
    assert "give an environment of samconfig.toml" in process.stderr


def test_what_a_release_built_is_still_executable_where_it_is_deployed(tmp_path: Path) -> None:
    """Files of an artifact lose their permissions, and a streaming function can't start without that of run.sh."""
    build, deploy = (
        yaml.safe_load((ROOT / f".github/workflows/{file}.yml").read_text(encoding="utf-8"))["jobs"][job]["steps"]
        for file, job in (("release", "build"), ("deploy", "deploy"))
    )
    [uploaded] = [step["with"]["path"] for step in build if "upload-artifact" in step.get("uses", "")]
    pack, unpack = ([step["run"] for step in job if uploaded in step.get("run", "")] for job in (build, deploy))
    program = tmp_path / ".aws-sam/build/ChatFunction/run.sh"
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    subprocess.run(["bash", "-euc", "\n".join([*pack, "rm -r .aws-sam", *unpack])], cwd=tmp_path, check=True)
    assert program.stat().st_mode & 0o777 == 0o755
