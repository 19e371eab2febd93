"""The manifests for Kubernetes as data, and what judges them without a cluster."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import kubernetes_validate
import yaml

TOP = Path(__file__).resolve().parents[2]
KUBERNETES = TOP / "deploy/kubernetes"
# The oldest that some clouds still support, one between, and the newest that has schemas here.
VERSIONS = ("1.31", "1.34", "1.37")
# What the operator of Prometheus brings; no schema of it is here.
CUSTOM = {"PrometheusRule", "ServiceMonitor"}

Resource: TypeAlias = dict[str, Any]


def read(path: Path) -> Any:
    """The one document of a file."""
    return yaml.safe_load(path.read_text("utf-8"))


def kustomizations() -> list[Path]:
    """The folders that kustomize can build, or that such a one takes in."""
    return sorted(path.parent for path in (TOP / "deploy").rglob("kustomization.yaml"))


def resources(folder: Path) -> Iterator[tuple[Path, Resource]]:
    """The resources that a folder brings itself, and their files."""
    for name in read(folder / "kustomization.yaml").get("resources", ()):
        if (folder / name).is_file():
            yield folder / name, read(folder / name)


def faults(found: Iterable[Resource], version: str) -> list[str]:
    """What a strict look at resources finds; kinds without a schema are named by their kind."""
    wrong = []
    for resource in found:
        name = f"{resource['kind']}/{resource['metadata']['name']}"
        try:
            kubernetes_validate.validate(resource, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            wrong.append(f"{name}: {'.'.join(map(str, error.path))}: {error.message}")
        except kubernetes_validate.SchemaNotFoundError:
            wrong.append(resource["kind"])
    return wrong


def pods(found: Iterable[Resource]) -> dict[str, Resource]:
    """The templates of pods, by the name of what makes them."""
    return {
        resource["metadata"]["name"]: resource["spec"]["template"]
        for resource in found
        if resource["kind"] == "Deployment"
    }
