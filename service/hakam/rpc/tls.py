"""TLS: a certificate, its key, and the authorities of clients, from files that may change.

Every handshake looks for newer files. gRPC's core takes what it is given without a word and fails
every handshake if that is wrong, so files are judged here, before they are used.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import grpc
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509 import Certificate, load_pem_x509_certificates
from structlog.typing import FilteringBoundLogger

from hakam.rpc.watched import Watched
from hakam.settings import Settings, SettingsError

__all__ = ["credentials"]

_Key: TypeAlias = RSAPrivateKey | EllipticCurvePrivateKey

# What gRPC's core has handshakes for.
_CURVES: Final = ("secp256r1", "secp384r1", "secp521r1")


def credentials(settings: Settings, log: FilteringBoundLogger) -> grpc.ServerCredentials | None:
    """What the port is served with, or None without TLS; raises SettingsError for broken files."""
    names = [settings.tls_cert_file, settings.tls_key_file, settings.tls_client_ca_file]
    if not any(names):
        return None
    if not (settings.tls_cert_file and settings.tls_key_file):
        raise SettingsError("TLS needs both --tls-cert-file and --tls-key-file")
    paths = [name for name in names if name]

    def read(contents: Sequence[bytes]) -> grpc.ServerCertificateConfiguration:
        return _configuration(paths, contents)

    watched = Watched(paths, read, log)
    return grpc.dynamic_ssl_server_credentials(
        watched.get(), watched.get, require_client_authentication=bool(settings.tls_client_ca_file)
    )


def _configuration(
    paths: Sequence[str], contents: Sequence[bytes]
) -> grpc.ServerCertificateConfiguration:
    certificate, *_ = _certificates(paths[0], contents[0])
    if _key(paths[1], contents[1]).public_key() != certificate.public_key():
        raise SettingsError(f"{paths[1]}: not the key of the certificate in {paths[0]}")
    for path, content in zip(paths[2:], contents[2:], strict=True):
        _certificates(path, content)
    return grpc.ssl_server_certificate_configuration([(contents[1], contents[0])], *contents[2:])


def _certificates(path: str, content: bytes) -> list[Certificate]:
    try:
        return load_pem_x509_certificates(content)
    except ValueError:
        raise SettingsError(f"{path}: no certificate in PEM form") from None


def _key(path: str, content: bytes) -> _Key:
    try:
        key = load_pem_private_key(content, password=None)
    except TypeError:
        raise SettingsError(f"{path}: the key must not be under a passphrase") from None
    except (ValueError, UnsupportedAlgorithm):
        raise SettingsError(f"{path}: no private key in PEM form") from None
    if isinstance(key, EllipticCurvePrivateKey) and key.curve.name in _CURVES:
        return key
    if isinstance(key, RSAPrivateKey):
        return key
    raise SettingsError(f"{path}: the key must be of RSA, P-256, P-384 or P-521")
