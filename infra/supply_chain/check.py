"""Where the code's parts come from and what is in them: locks, vulnerabilities, licences, an SBOM, bandit, secrets.

The tools are those of locks/supply-chain.txt, in an environment of their own whose folder is the argument. A check that
needs a service which does not answer here says "skipped" and why; every other finding fails the run.
"""

import json
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
REPORTS = ROOT / ".local/supply-chain"
LAYER_LOCK = ROOT / "layers/dependencies/requirements.txt"
LOCKS = (
    LAYER_LOCK,
    ROOT / "requirements-local.txt",
    ROOT / "requirements-dev.txt",
    ROOT / "bench/frameworks/requirements.txt",
    *sorted((HERE / "locks").glob("*.txt")),
)
ENTROPY = ("HexHighEntropyString", "Base64HighEntropyString")
"""Detectors that only measure randomness: here they find trace ids, schema names and hashes of locks by the thousand."""
AUDIT_SECONDS = 90
_PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)


class Finding(Exception):
    """A check that did not pass; says what is wrong and what to do."""


class Skipped(Exception):
    """A check that this machine can't do; says why."""


def canonical(name: str) -> str:
    """A distribution's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(lock: str) -> dict[str, str]:
    """Names and versions of a lock. Raises `Finding` for one without a hash, which an installer would take unchecked."""
    found = {}
    for block in re.split(r"\n(?=\S)", lock):
        for name, version in _PINNED.findall(block):
            if "--hash=sha256:" not in block:
                raise Finding(f"{name}=={version} has no hash; write the locks anew: make lock")
            found[canonical(name)] = version
    return found


def check_locks() -> str:
    """Every lock has hashes, and every package that pyproject.toml asks for is in its lock."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups: dict[str, list[Any]] = project["dependency-groups"]
    asked = {LAYER_LOCK: project["project"]["dependencies"]}
    for name in ("local", "dev"):
        asked[ROOT / f"requirements-{name}.txt"] = [one for one in groups[name] if isinstance(one, str)]
    count = 0
    for lock in LOCKS:
        versions = pinned(lock.read_text(encoding="utf-8"))
        count += len(versions)
        names = {canonical(re.split(r"[\[<>=!~; ]", one, maxsplit=1)[0]) for one in asked.get(lock, ())}
        if missing := sorted(names - versions.keys()):
            raise Finding(f"{lock.name} lacks {', '.join(missing)}, which pyproject.toml asks for: make lock")
    return f"{count} pinned versions in {len(LOCKS)} locks, each with its hashes"


def check_vulnerabilities(tools: Path) -> str:
    """Known vulnerabilities of what the layer carries, from the registry's advisory data."""
    command = [str(tools / "pip-audit"), "--disable-pip", "--no-deps", "--require-hashes", "-r", str(LAYER_LOCK)]
    command += ["-f", "json", "--progress-spinner", "off"]
    try:
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=AUDIT_SECONDS)
    except subprocess.TimeoutExpired:
        raise Skipped(f"the advisory service did not answer in {AUDIT_SECONDS} s") from None
    if not done.stdout.lstrip().startswith("{"):
        raise Skipped(f"the advisory service does not answer: {done.stderr.strip().splitlines()[-1:]}")
    return judge_audit(json.loads(done.stdout))


def judge_audit(report: Any) -> str:
    """What pip-audit's report comes to. Packages it could not look up are not called safe."""
    packages = report["dependencies"]
    unknown = [one["name"] for one in packages if "skip_reason" in one]
    bad = [f"{one['name']} {one['version']}: {found['id']}" for one in packages for found in one.get("vulns", ())]
    if bad:
        raise Finding("; ".join(bad))
    if len(unknown) == len(packages):
        raise Skipped("the registry that is reached from here has no advisory data for any package")
    if unknown:
        raise Finding(f"not found by the advisory service: {', '.join(unknown)}")
    return f"{len(packages)} packages without a known vulnerability"


def licence_of(package: Distribution) -> str:
    """A package's licence: its SPDX expression, else its classifiers, else the first line of the old field."""
    about = package.metadata
    if expression := about.get("License-Expression"):
        return str(expression)
    classifiers = [
        one.rpartition(" :: ")[2] for one in about.get_all("Classifier") or () if one.startswith("License ::")
    ]
    named = [one for one in classifiers if one != "OSI Approved"]
    return "; ".join(named) or (about.get("License") or "").strip().partition("\n")[0] or "unknown"


def is_allowed(licence: str, allowed: Iterable[str]) -> bool:
    """Whether all parts of a licence are allowed; of "A OR B" one is enough."""
    known = {_bare(one) for one in allowed}
    choices = re.split(r"\s+OR\s+", licence)
    return any(all(_bare(part) in known for part in re.split(r";|\s+AND\s+", choice)) for choice in choices)


def _bare(licence: str) -> str:
    return licence.replace("(", "").replace(")", "").strip()


def check_licences(policy: Any) -> str:
    """Licences of what the layer carries, written to licences.md. They are read from this environment's packages."""
    wanted = pinned(LAYER_LOCK.read_text(encoding="utf-8"))
    installed = {canonical(one.metadata["Name"]): one for one in distributions()}
    here = {name: licence_of(installed[name]) for name in sorted(wanted) if name in installed}
    absent = sorted(wanted.keys() - here.keys())
    lines = [
        "# Licences of what the dependencies layer carries",
        "",
        "| Package | Version | Licence |",
        "|---|---|---|",
    ]
    lines += [f"| {name} | {wanted[name]} | {licence} |" for name, licence in here.items()]
    if absent:
        lines += ["", f"Only on other platforms: {', '.join(absent)}"]
    (REPORTS / "licences.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rules = policy["licences"]
    bad = [
        f"{name} ({licence})"
        for name, licence in here.items()
        if name not in rules["reviewed"] and not is_allowed(licence, rules["allowed"])
    ]
    if bad:
        raise Finding(f"look at the terms of {', '.join(bad)} and say so in infra/supply_chain/policy.toml")
    return f"{len(here)} packages, all under terms of policy.toml; listed in {_shown('licences.md')}"


def write_sbom(tools: Path) -> str:
    """A CycloneDX bill of materials of the layer."""
    path = REPORTS / "sbom.cdx.json"
    command = [str(tools / "cyclonedx-py"), "requirements", "--pyproject", "pyproject.toml", "--output-reproducible"]
    command += ["--of", "JSON", "--sv", "1.6", "--validate", "-o", str(path), str(LAYER_LOCK)]
    run(command)
    count = len(json.loads(path.read_text(encoding="utf-8"))["components"])
    expected = len(pinned(LAYER_LOCK.read_text(encoding="utf-8")))
    if count != expected:
        raise Finding(f"the SBOM has {count} components, the lock {expected}")
    return f"{count} components in {_shown('sbom.cdx.json')} (CycloneDX 1.6)"


def check_code(tools: Path) -> str:
    """bandit over what is deployed and what deploys it."""
    run([str(tools / "bandit"), "-q", "-c", str(HERE / "bandit.yaml"), "-r", "shared", "functions", "infra"])
    return "bandit finds nothing in shared, functions and infra"


def check_secrets(tools: Path, policy: Any) -> str:
    """Keys and passwords in what is committed or about to be."""
    files = [one for one in tracked_files() if ROOT / one not in LOCKS]
    command = [
        str(tools / "detect-secrets"),
        "scan",
        "--no-verify",
        *(part for name in ENTROPY for part in ("--disable-plugin", name)),
    ]
    found = json.loads(run([*command, *files]))["results"]
    reasons: dict[str, str] = policy["secrets"]
    bad = [
        f"{path}:{one['line_number']} {one['type']}"
        for path, hits in sorted(found.items())
        if not any(fnmatch(path, pattern) for pattern in reasons)
        for one in hits
    ]
    if bad:
        raise Finding(f"take it out, or say in infra/supply_chain/policy.toml what it is: {'; '.join(bad)}")
    return f"{len(files)} files; {sum(map(len, found.values()))} findings, each with its reason in policy.toml"


def tracked_files() -> list[str]:
    """Files that git keeps or would, without pictures and the like."""
    listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"]).splitlines()
    return [one for one in listed if (ROOT / one).is_file() and not one.endswith((".png", ".jpg", ".svg", ".pdf"))]


def run(command: list[str]) -> str:
    """What a command prints. Raises `Finding` with all it said when it fails."""
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Finding(f"{Path(command[0]).name}: {done.stdout.strip()}\n{done.stderr.strip()}")
    return done.stdout


def _shown(name: str) -> str:
    return str((REPORTS / name).relative_to(ROOT))


def main(tools: Path) -> int:
    """Runs every check and tells its result and seconds; 1 when one found something."""
    policy = tomllib.loads((HERE / "policy.toml").read_text(encoding="utf-8"))
    REPORTS.mkdir(parents=True, exist_ok=True)
    checks: dict[str, Callable[[], str]] = {
        "locks": check_locks,
        "vulnerabilities": lambda: check_vulnerabilities(tools),
        "licences": lambda: check_licences(policy),
        "sbom": lambda: write_sbom(tools),
        "bandit": lambda: check_code(tools),
        "secrets": lambda: check_secrets(tools, policy),
    }
    failed = False
    for name, check in checks.items():
        began = time.monotonic()
        try:
            said = check()
        except Skipped as error:
            said = f"skipped: {error}"
        except Finding as error:
            said, failed = f"FAILED: {error}", True
        print(f"{name:<16}{said}  ({time.monotonic() - began:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) / "bin"))
