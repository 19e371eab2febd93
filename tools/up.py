"""Two replicas, Envoy and Prometheus on this machine, until Ctrl-C: `make up`.

The configurations are those of deploy/, with the addresses of this machine in place of theirs.
"""

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.error import URLError
from urllib.request import urlopen

import yaml

__all__ = ["envoy_config", "main", "prometheus_config"]

TOP: Final = Path(__file__).resolve().parent.parent
_ENVOY: Final = TOP / "deploy/envoy/envoy.yaml"
_RULES: Final = TOP / "deploy/prometheus/hakam.rules.yml"
_PORTS: Final = ((50051, 9464), (50052, 9465))
# Not Prometheus' own 9090: where Debian's package starts it by itself, it stands there.
_WEB, _ADMIN, _PROMETHEUS = 8080, 9901, 9095
_START_SECONDS: Final = 30
_END_SECONDS: Final = 15
_WHERE: Final = f"""\
Hakam is up; Ctrl-C ends it.
  gRPC         ipv4:{",".join(f"127.0.0.1:{port}" for port, _ in _PORTS)}
  gRPC-Web     http://127.0.0.1:{_WEB} (Envoy; its own pages: http://127.0.0.1:{_ADMIN})
  metrics      {", ".join(f"http://127.0.0.1:{metrics}/metrics" for _, metrics in _PORTS)}
  Prometheus   http://127.0.0.1:{_PROMETHEUS} (rules: /rules, alerts: /alerts)
  dashboard    import deploy/grafana/hakam.json where you have Grafana
Try it:
  .venv/bin/hakam play tjau --address ipv4:{",".join(f"127.0.0.1:{port}" for port, _ in _PORTS)}\
"""


def envoy_config(replicas: Sequence[int], web: int, admin: int) -> str:
    """The proxy's configuration, for ports of loopback."""
    config = yaml.safe_load(_ENVOY.read_text("utf-8"))
    resources = config["static_resources"]
    config["admin"]["address"] = _address(admin)
    resources["listeners"][0]["address"] = _address(web)
    endpoints = [{"endpoint": {"address": _address(port)}} for port in replicas]
    cluster = resources["clusters"][0]
    cluster["load_assignment"]["endpoints"] = [{"lb_endpoints": endpoints}]
    return yaml.safe_dump(config)


def _address(port: int) -> dict[str, Any]:
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}


def prometheus_config(targets: Sequence[str], every: str = "5s") -> str:
    """A configuration that scrapes the targets as one job, with our rules."""
    return yaml.safe_dump(
        {
            "global": {"scrape_interval": every, "evaluation_interval": every},
            "rule_files": [str(_RULES)],
            "scrape_configs": [
                {"job_name": "hakam", "static_configs": [{"targets": list(targets)}]}
            ],
        }
    )


def _commands(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """What is started, by its name."""
    for port, metrics in _PORTS:
        serve = [sys.executable, "-m", "hakam", "serve", "--workers", "1", "--port", str(port)]
        yield f"hakam-{port}", [*serve, "--metrics-port", str(metrics)]
    envoy = folder / "envoy.yaml"
    envoy.write_text(envoy_config([port for port, _ in _PORTS], _WEB, _ADMIN))
    yield "envoy", [_program("envoy"), "-c", str(envoy), "--log-level", "warning"]
    prometheus = folder / "prometheus.yml"
    prometheus.write_text(prometheus_config([f"127.0.0.1:{metrics}" for _, metrics in _PORTS]))
    yield (
        "prometheus",
        [
            _program("prometheus"),
            f"--config.file={prometheus}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{_PROMETHEUS}",
        ],
    )


def _program(name: str) -> str:
    """Where a program is: in this environment, or on the path."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        sys.exit(f"{name} is missing; `make up` as root installs it")
    return found


@contextmanager
def _running(command: list[str], log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with log.open("wb") as out:
        # In a session of its own, so that Ctrl-C reaches us alone and we end them in order.
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _is_ready() -> bool:
    pages = [f"http://127.0.0.1:{metrics}/readyz" for _, metrics in _PORTS]
    pages += [f"http://127.0.0.1:{_ADMIN}/ready", f"http://127.0.0.1:{_PROMETHEUS}/-/ready"]
    with suppress(URLError, OSError):
        return all(urlopen(page, timeout=5).status == 200 for page in pages)  # noqa: S310
    return False


def _stay(processes: dict[str, "subprocess.Popen[bytes]"], folder: Path) -> int:
    """Until a signal, which is 0, or until one of them ends by itself, which is 1."""
    told = False
    ends = time.monotonic() + _START_SECONDS
    while True:
        time.sleep(0.2)
        for name, process in processes.items():
            if process.poll() is not None:
                said = (folder / f"{name}.log").read_text("utf-8", "replace")[-2000:]
                print(f"{name} ended with {process.returncode}:\n{said}", file=sys.stderr)
                return 1
        if not told and _is_ready():
            told = True
            print(_WHERE, flush=True)
        if not told and time.monotonic() > ends:
            print("not ready in time", file=sys.stderr)
            return 1


def main() -> int:
    """0 after Ctrl-C or SIGTERM."""
    for signum in (signal.SIGTERM, signal.SIGINT):  # a shell's job in the background ignores this
        signal.signal(signum, signal.default_int_handler)
    with TemporaryDirectory(prefix="hakam-up-") as name, ExitStack() as stack:
        folder = Path(name)
        try:
            processes = {
                part: stack.enter_context(_running(command, folder / f"{part}.log"))
                for part, command in _commands(folder)
            }
            return _stay(processes, folder)
        except KeyboardInterrupt:
            print("ending")
            return 0


if __name__ == "__main__":
    sys.exit(main())
