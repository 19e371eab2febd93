"""Certificates for tests, made anew: an authority, and what it signs."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Signed:
    """A certificate and its key, in PEM form."""

    certificate: bytes
    key: bytes

    def put(self, certificate: Path, key: Path) -> None:
        """Put both in the place of what is there, each at once."""
        put(certificate, self.certificate)
        put(key, self.key)


def put(path: Path, content: bytes) -> None:
    """Put a file in the place of another, so that nobody sees half of it."""
    new = path.with_suffix(".new")
    new.write_bytes(content)
    new.replace(path)


def pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


class Authority:
    """Signs certificates for 127.0.0.1."""

    def __init__(self, name: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        constraints = x509.BasicConstraints(ca=True, path_length=None)
        now = datetime.now(UTC)
        builder = self._builder(self._name, self._key).add_extension(constraints, critical=True)
        certificate = builder.not_valid_before(now - 9 * DAY).not_valid_after(now + 99 * DAY)
        self.certificate = certificate.sign(self._key, SHA256()).public_bytes(Encoding.PEM)

    def sign(
        self, name: str, *, starts: timedelta = -DAY, ends: timedelta = DAY, hosts: bool = True
    ) -> Signed:
        """A certificate that is valid from and to what is added to now, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.now(UTC)
        builder = self._builder(subject, key)
        builder = builder.not_valid_before(now + starts).not_valid_after(now + ends)
        address = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
        if hosts:
            builder = builder.add_extension(address, critical=False)
        certificate = builder.sign(self._key, SHA256())
        return Signed(certificate.public_bytes(Encoding.PEM), pem(key))

    def _builder(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey
    ) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
        )
