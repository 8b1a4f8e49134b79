"""The supply chain's checks: locks, vulnerabilities, licences, an SBOM, bandit, secrets.

The tools are those of locks/supply-chain.txt, in an environment of their own whose folder is the argument. A check
whose service cannot be reached is reported as skipped, with the reason; every other finding fails the run.
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
SUPPLY_CHAIN = Path(__file__).parent
REPORTS = ROOT / ".local/supply-chain"
LAYER_LOCK = ROOT / "layers/dependencies/requirements.txt"
LOCKS = (
    LAYER_LOCK,
    ROOT / "requirements-local.txt",
    ROOT / "requirements-dev.txt",
    ROOT / "bench/frameworks/requirements.txt",
    *sorted((SUPPLY_CHAIN / "locks").glob("*.txt")),
)
ENTROPY = ("HexHighEntropyString", "Base64HighEntropyString")
"""Detectors that only measure randomness: they report thousands of trace ids, schema names and hashes of locks."""
AUDIT_SECONDS = 90
# E.g. `uvicorn[standard]==0.30.1 \`, without the hashes on the following lines.
_PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)


class Finding(Exception):
    """A check that did not pass; the message says what is wrong and what to do."""


class Skipped(Exception):
    """A check that can't be done on this machine; the message says why."""


def canonical(name: str) -> str:
    """Return a distribution's name in the form that registries compare."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(lock: str) -> dict[str, str]:
    """Return the versions of a lock by name.

    Raises `Finding` for a package without a hash, which an installer would take unchecked.
    """
    versions = {}
    # One block for each package: the lines of its hashes are indented.
    for block in re.split(r"\n(?=\S)", lock):
        for name, version in _PINNED.findall(block):
            if "--hash=sha256:" not in block:
                raise Finding(f"{name}=={version} has no hash; regenerate the locks: make lock")
            versions[canonical(name)] = version
    return versions


def check_locks() -> str:
    """Check that every lock has hashes and has every package that pyproject.toml asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups: dict[str, list[Any]] = project["dependency-groups"]
    required = {LAYER_LOCK: project["project"]["dependencies"]}
    for name in ("local", "dev"):
        # The other entries of a group are tables that include another group.
        required[ROOT / f"requirements-{name}.txt"] = [entry for entry in groups[name] if isinstance(entry, str)]
    count = 0
    for lock in LOCKS:
        versions = pinned(lock.read_text(encoding="utf-8"))
        count += len(versions)
        names = {canonical(re.split(r"[\[<>=!~; ]", entry, maxsplit=1)[0]) for entry in required.get(lock, ())}
        if missing := sorted(names - versions.keys()):
            raise Finding(f"{lock.name} lacks {', '.join(missing)}, which pyproject.toml asks for: make lock")
    return f"{count} pinned versions in {len(LOCKS)} locks, each with its hashes"


def check_vulnerabilities(tools: Path) -> str:
    """Look up known vulnerabilities of the layer's packages in the registry's advisory data."""
    command = [str(tools / "pip-audit"), "--disable-pip", "--no-deps", "--require-hashes", "-r", str(LAYER_LOCK)]
    command += ["-f", "json", "--progress-spinner", "off"]
    try:
        process = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=AUDIT_SECONDS)
    except subprocess.TimeoutExpired:
        raise Skipped(f"the advisory service did not answer in {AUDIT_SECONDS} s") from None
    if not process.stdout.lstrip().startswith("{"):
        raise Skipped(f"the advisory service does not answer: {process.stderr.strip().splitlines()[-1:]}")
    return judge_audit(json.loads(process.stdout))


def judge_audit(report: Any) -> str:
    """Return a summary of pip-audit's report. Packages that it could not look up are not called safe."""
    packages = report["dependencies"]
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    problems = [
        f"{package['name']} {package['version']}: {vulnerability['id']}"
        for package in packages
        for vulnerability in package.get("vulns", ())
    ]
    if problems:
        raise Finding("; ".join(problems))
    # A mirror of a registry may have no advisories at all: then there is nothing to judge by.
    if len(unknown) == len(packages):
        raise Skipped("the configured registry has no advisory data for any package")
    if unknown:
        raise Finding(f"not found by the advisory service: {', '.join(unknown)}")
    return f"{len(packages)} packages without a known vulnerability"


def licence_of(package: Distribution) -> str:
    """Return a package's licence: its SPDX expression, else its classifiers, else the first line of the old field."""
    metadata = package.metadata
    if expression := metadata.get("License-Expression"):
        return str(expression)
    classifiers = [line for line in metadata.get_all("Classifier") or () if line.startswith("License ::")]
    names = [name for line in classifiers if (name := line.rpartition(" :: ")[2]) != "OSI Approved"]
    return "; ".join(names) or (metadata.get("License") or "").strip().partition("\n")[0] or "unknown"


def is_allowed(licence: str, allowed: Iterable[str]) -> bool:
    """Return True when all parts of a licence are allowed; one side of "A OR B" is enough."""
    allowed_names = {_bare(name) for name in allowed}
    choices = re.split(r"\s+OR\s+", licence)
    return any(all(_bare(part) in allowed_names for part in re.split(r";|\s+AND\s+", choice)) for choice in choices)


def _bare(licence: str) -> str:
    return licence.replace("(", "").replace(")", "").strip()


def check_licences(policy: Any) -> str:
    """Check the licences of the layer's packages, as this environment has them, and list them in licences.md."""
    versions = pinned(LAYER_LOCK.read_text(encoding="utf-8"))
    installed = {canonical(package.metadata["Name"]): package for package in distributions()}
    licences = {name: licence_of(installed[name]) for name in sorted(versions) if name in installed}
    absent = sorted(versions.keys() - licences.keys())
    lines = [
        "# Licences of the dependencies layer",
        "",
        "| Package | Version | Licence |",
        "|---|---|---|",
    ]
    lines += [f"| {name} | {versions[name]} | {licence} |" for name, licence in licences.items()]
    if absent:
        lines += ["", f"Only on other platforms: {', '.join(absent)}"]
    (REPORTS / "licences.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rules = policy["licences"]
    forbidden = [
        f"{name} ({licence})"
        for name, licence in licences.items()
        if name not in rules["reviewed"] and not is_allowed(licence, rules["allowed"])
    ]
    if forbidden:
        raise Finding(f"review the terms of {', '.join(forbidden)} and record it in infra/supply_chain/policy.toml")
    return f"{len(licences)} packages, all under terms of policy.toml; listed in {_report_path('licences.md')}"


def write_sbom(tools: Path) -> str:
    """Write a CycloneDX bill of materials of the layer."""
    path = REPORTS / "sbom.cdx.json"
    command = [str(tools / "cyclonedx-py"), "requirements", "--pyproject", "pyproject.toml", "--output-reproducible"]
    command += ["--of", "JSON", "--sv", "1.6", "--validate", "-o", str(path), str(LAYER_LOCK)]
    run(command)
    count = len(json.loads(path.read_text(encoding="utf-8"))["components"])
    expected = len(pinned(LAYER_LOCK.read_text(encoding="utf-8")))
    if count != expected:
        raise Finding(f"the SBOM has {count} components, the lock {expected}")
    return f"{count} components in {_report_path('sbom.cdx.json')} (CycloneDX 1.6)"


def check_code(tools: Path) -> str:
    """Run bandit over the deployed code and the code that deploys it."""
    run([str(tools / "bandit"), "-q", "-c", str(SUPPLY_CHAIN / "bandit.yaml"), "-r", "shared", "functions", "infra"])
    return "bandit finds nothing in shared, functions and infra"


def check_secrets(tools: Path, policy: Any) -> str:
    """Look for keys and passwords in the files that are committed or about to be."""
    files = [file for file in tracked_files() if ROOT / file not in LOCKS]
    disabled = [part for name in ENTROPY for part in ("--disable-plugin", name)]
    results = json.loads(run([str(tools / "detect-secrets"), "scan", "--no-verify", *disabled, *files]))["results"]
    reasons: dict[str, str] = policy["secrets"]
    suspects = [
        f"{path}:{hit['line_number']} {hit['type']}"
        for path, hits in sorted(results.items())
        if not any(fnmatch(path, pattern) for pattern in reasons)
        for hit in hits
    ]
    if suspects:
        raise Finding(f"remove it, or explain it in infra/supply_chain/policy.toml: {'; '.join(suspects)}")
    return f"{len(files)} files; {sum(map(len, results.values()))} findings, each with its reason in policy.toml"


def tracked_files() -> list[str]:
    """Return the text files that git tracks or would add."""
    files = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"]).splitlines()
    return [file for file in files if (ROOT / file).is_file() and not file.endswith((".png", ".jpg", ".svg", ".pdf"))]


def run(command: list[str]) -> str:
    """Return the output of a command. Raises `Finding` with its output and errors when it fails."""
    process = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if process.returncode:
        raise Finding(f"{Path(command[0]).name}: {process.stdout.strip()}\n{process.stderr.strip()}")
    return process.stdout


def _report_path(name: str) -> str:
    return str((REPORTS / name).relative_to(ROOT))


def main(tools: Path) -> int:
    """Run every check and print its result and seconds. Return 1 when one found something, else 0."""
    policy = tomllib.loads((SUPPLY_CHAIN / "policy.toml").read_text(encoding="utf-8"))
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
            result = check()
        except Skipped as error:
            result = f"skipped: {error}"
        except Finding as error:
            result, failed = f"FAILED: {error}", True
        print(f"{name:<16}{result}  ({time.monotonic() - began:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) / "bin"))
