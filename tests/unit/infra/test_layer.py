"""Trimming of the dependencies layer, and mistakes that stop a build."""

from pathlib import Path

import pytest

from infra.build.layer import LIMIT_BYTES, LayerError, check_architecture, check_size, trim, used_services

ROOT = Path(__file__).parents[3]
ARM_ELF = b"\x7fELF" + bytes(12) + (3).to_bytes(2, "little") + (183).to_bytes(2, "little")


def write(path: Path, content: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A layer's folder with a little of everything."""
    folder = tmp_path / "DependenciesLayer/python"
    for name in (
        "dynamodb/2012-08-10/service-2.json",
        "sts/2011-06-15/service-2.json",
        "ec2/2016-11-15/service-2.json",
    ):
        write(folder / "botocore/data" / name)
    for name in ("endpoints.json", "partitions.json", "sdk-default-configuration.json", "_retry.json"):
        write(folder / "botocore/data" / name)
    for name in (
        "pkg/__init__.py",
        "pkg/core.pyi",
        "pkg/tests/test_core.py",
        "pkg/__pycache__/core.pyc",
        "grpc/__init__.py",
    ):
        write(folder / name)
    write(folder / "pkg-1.dist-info/METADATA")
    return folder


def test_the_services_are_those_that_the_code_makes_clients_of() -> None:
    services = used_services([ROOT / "shared", ROOT / "functions"])
    assert {"dynamodb", "sqs", "secretsmanager", "sesv2", "sts"} <= services
    assert "ec2" not in services


def test_a_service_that_is_no_literal_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "x.py", b"import boto3\n\nboto3.client(name)\n")
    with pytest.raises(LayerError, match=r"x\.py:3"):
        used_services([tmp_path])


def test_data_of_other_services_and_what_runs_nothing_goes(packages: Path) -> None:
    trim(packages, frozenset({"dynamodb", "sts"}))
    remaining = {str(path.relative_to(packages)) for path in packages.rglob("*") if path.is_file()}
    assert remaining == {
        "botocore/data/dynamodb/2012-08-10/service-2.json",
        "botocore/data/sts/2011-06-15/service-2.json",
        "botocore/data/endpoints.json",
        "botocore/data/partitions.json",
        "botocore/data/sdk-default-configuration.json",
        "botocore/data/_retry.json",
        "pkg/__init__.py",
        "pkg-1.dist-info/METADATA",
    }


def test_a_service_without_data_stops_the_build(packages: Path) -> None:
    with pytest.raises(LayerError, match="no service dinamodb"):
        trim(packages, frozenset({"dinamodb"}))


def test_a_library_of_another_machine_stops_the_build(packages: Path) -> None:
    write(packages / "pkg/_core.so", ARM_ELF)
    check_architecture(packages, "arm64")
    with pytest.raises(LayerError, match=r"pkg/_core\.so is not built for x86_64"):
        check_architecture(packages, "x86_64")


def test_beyond_lambdas_limit_the_build_stops(tmp_path: Path) -> None:
    for name in ("DependenciesLayer", "SharedLayer", "CrmFunction"):
        write(tmp_path / name / "file")
    assert "of Lambda's 250.0 MB" in check_size(tmp_path)
    with (tmp_path / "DependenciesLayer/big").open("wb") as big:
        big.truncate(LIMIT_BYTES)
    with pytest.raises(LayerError, match="too large"):
        check_size(tmp_path)
