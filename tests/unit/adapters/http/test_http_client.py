"""The addresses that an HTTP tool's requests may go to, and the requests' deadlines."""

import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from aisha.adapters.http.addresses import may_connect
from aisha.adapters.http.http_client import HttpClient, HttpRequest
from aisha.domain.errors import AishaError, DeadlineExceededError, PermissionDeniedError, UnavailableError
from tests.fakes.systems.customer_api import CustomerApi, Reply

NAME = "crm.example.com"


def request(url: str, *, allow_private: bool = True, seconds: float = 5.0) -> HttpRequest:
    return HttpRequest("GET", url, {"Accept": "*/*"}, None, seconds, 10_000, allow_private)


class Resolver:
    """A `getaddrinfo` with scripted answers, one after the other."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    def __call__(self, host: str, port: int, **options: Any) -> list[tuple[Any, Any, Any, Any, Any]]:
        return [(2, 1, 6, "", (address, port)) for address in self.answers.pop(0)]


@pytest.mark.parametrize(
    ("address", "public", "private"),
    [
        ("93.184.216.34", True, True),
        ("2606:4700::1111", True, True),
        ("10.1.2.3", False, True),
        ("172.16.0.1", False, True),
        ("192.168.1.1", False, True),
        ("127.0.0.1", False, True),
        ("::1", False, True),
        ("fd12::1", False, True),
        ("::ffff:127.0.0.1", False, True),
        ("64:ff9b::a00:1", False, True),
        ("64:ff9b::5db8:d822", True, True),
        ("2002:7f00:1::", False, True),
        ("169.254.169.254", False, False),
        ("::ffff:169.254.169.254", False, False),
        ("fd00:ec2::254", False, False),
        ("fe80::1%eth0", False, False),
        ("224.0.0.1", False, False),
        ("::", False, False),
        ("64:ff9b:1::1", False, False),
        ("64:ff9b:1::a9fe:a9fe", False, False),
        ("::5db8:d822", False, False),
        ("::a9fe:a9fe", False, False),
        ("::ffff:0:5db8:d822", False, False),
        ("fec0::1", False, False),
        ("5f00::1", False, False),
        ("fd20:ce::254", False, False),
        ("2001:db8::1", False, False),
        ("192.0.0.192", False, False),
        ("168.63.129.16", False, False),
        ("100.100.100.200", False, False),
        ("0.1.2.3", False, False),
        ("240.0.0.1", False, False),
        ("255.255.255.255", False, False),
    ],
)
def test_an_address_is_open_by_its_range(address: str, public: bool, private: bool) -> None:
    assert may_connect(address, allow_private=False) is public
    assert may_connect(address, allow_private=True) is private


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["169.254.169.254"]])
def test_a_public_name_for_a_private_address_is_refused(addresses: list[str]) -> None:
    with CustomerApi(Reply("mine")) as api, pytest.raises(PermissionDeniedError, match=NAME):
        HttpClient(resolve=Resolver(addresses)).send(request(f"http://{NAME}:{api.port}/", allow_private=False))
    assert api.requests == []


def test_the_checked_address_is_the_one_that_is_connected_to() -> None:
    resolver = Resolver(["127.0.0.1"], ["169.254.169.254"])
    with CustomerApi(Reply("mine")) as api:
        answer = HttpClient(resolve=resolver).send(request(f"http://{NAME}:{api.port}/"))
    assert answer.body == b"mine"
    assert api.requests[0].headers["host"] == f"{NAME}:{api.port}"
    assert len(resolver.answers) == 1, "the name was looked up a second time"


def test_every_request_checks_the_address_again() -> None:
    client = HttpClient(resolve=Resolver(["127.0.0.1"], ["169.254.169.254"]))
    with CustomerApi(Reply("mine")) as api:
        client.send(request(f"http://{NAME}:{api.port}/"))
        with pytest.raises(PermissionDeniedError):
            client.send(request(f"http://{NAME}:{api.port}/"))
    assert len(api.requests) == 1


def test_the_next_address_is_tried() -> None:
    with CustomerApi(Reply("mine")) as api:
        resolver = Resolver(["127.0.0.2", "127.0.0.1"])
        assert HttpClient(resolve=resolver).send(request(f"http://{NAME}:{api.port}/")).body == b"mine"


@pytest.mark.parametrize("reply", [Reply("x", hangs=True), Reply("x" * 10_000, drips=True)])
def test_a_slow_answer_ends_in_time(reply: Reply) -> None:
    start = monotonic()
    with CustomerApi(reply) as api, pytest.raises(DeadlineExceededError, match=r"0\.3 seconds"):
        HttpClient().send(request(api.url, seconds=0.3))
    assert monotonic() - start < 3


def test_a_server_that_does_not_exist_is_unavailable() -> None:
    with CustomerApi(Reply("x")) as api:
        url = api.url
    with pytest.raises(UnavailableError, match="reached"):
        HttpClient().send(request(url))


def test_an_unknown_name_is_an_error() -> None:
    def unknown(*_: Any, **__: Any) -> list[Any]:
        raise OSError(-2, "Name or service not known")

    with pytest.raises(UnavailableError, match="reached"):
        HttpClient(resolve=unknown).send(request(f"https://{NAME}/"))


@pytest.mark.parametrize("headers", [{"Content-Length": "50"}, {"Content-Length": "five"}])
def test_an_answer_that_breaks_off_is_an_error(headers: dict[str, str]) -> None:
    reply = Reply("short", headers={**headers, "Connection": "close"})
    with CustomerApi(reply) as api, pytest.raises(UnavailableError, match="broke off"):
        HttpClient().send(request(api.url))


# --- TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a self-signed certificate of crm.example.com and its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "certificate.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def secure_api(certificate: Path) -> Iterator[CustomerApi]:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with CustomerApi(Reply("mine"), tls) as api:
        yield api


def test_tls_checks_the_name_and_not_the_address(secure_api: CustomerApi, certificate: Path) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate))
    there = Resolver(["127.0.0.1"], ["127.0.0.1"])
    client = HttpClient(trusting, there)
    assert client.send(request(f"https://{NAME}:{secure_api.port}/")).body == b"mine"
    with pytest.raises(UnavailableError):
        client.send(request(f"https://rival.example.com:{secure_api.port}/"))
    assert len(secure_api.requests) == 1


def test_an_unknown_authority_is_not_trusted(secure_api: CustomerApi) -> None:
    with pytest.raises(AishaError) as error:
        HttpClient(resolve=Resolver(["127.0.0.1"])).send(request(f"https://{NAME}:{secure_api.port}/"))
    assert error.value.code == "unavailable"
    assert secure_api.requests == []
