"""The manifests as kustomize renders them, by the kubectl that `make test-system` fetches."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.manifests import CUSTOM, KUBERNETES, TOP, VERSIONS, Resource, faults, pods

pytestmark = pytest.mark.system

OVERLAYS = sorted(path.name for path in (KUBERNETES / "overlays").iterdir())
FETCHED = TOP / "build/kubectl/kubectl"
PAGE = (TOP / "docs/operations.md").read_text("utf-8")


def render(folder: Path) -> list[Resource]:
    kubectl = str(FETCHED) if FETCHED.exists() else shutil.which("kubectl")
    assert kubectl is not None, "no kubectl: run `make test-system`"
    rendered = subprocess.run(  # noqa: S603
        [kubectl, "kustomize", str(folder)], capture_output=True, text=True, check=True
    )
    assert rendered.stderr == ""
    return list(yaml.safe_load_all(rendered.stdout))


@pytest.fixture(scope="module", params=[*OVERLAYS, "yours"])
def rendered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """An overlay, rendered; the last is the example of the page, with files of its own."""
    if request.param != "yours":
        return render(KUBERNETES / "overlays" / request.param)
    yours = tmp_path_factory.mktemp("yours")
    shutil.copytree(TOP / "deploy", yours / "hakam/deploy")
    example = PAGE.split("\n## Kubernetes\n")[1].split("\n```yaml\n")[1].split("\n```\n")[0]
    (yours / "kustomization.yaml").write_text(example, "utf-8")
    (yours / "keys.txt").write_text("a key\n", "utf-8")
    shutil.copy(TOP / "deploy/envoy/envoy.yaml", yours)
    return render(yours)


@pytest.mark.parametrize("version", VERSIONS)
def test_it_is_valid_by_the_letter(rendered: list[Resource], version: str) -> None:
    assert set(faults(rendered, version)) <= CUSTOM


def test_all_of_it_is_in_one_namespace_that_it_brings(rendered: list[Resource]) -> None:
    names = {one["metadata"].get("namespace") for one in rendered if one["kind"] != "Namespace"}
    assert names == {"hakam"}
    assert [one["metadata"]["name"] for one in rendered if one["kind"] == "Namespace"] == ["hakam"]


def test_what_a_pod_asks_for_is_there(rendered: list[Resource]) -> None:
    have = {(one["kind"], one["metadata"]["name"]) for one in rendered}
    for pod in pods(rendered).values():
        asked = {("ServiceAccount", pod["spec"]["serviceAccountName"])}
        for volume in pod["spec"]["volumes"]:
            if "secret" in volume:
                asked.add(("Secret", volume["secret"]["secretName"]))
            if "configMap" in volume:
                asked.add(("ConfigMap", volume["configMap"]["name"]))
        for container in pod["spec"]["containers"]:
            asked |= {
                ("ConfigMap", one["configMapRef"]["name"]) for one in container.get("envFrom", ())
            }
        assert asked <= have


def test_every_image_has_a_tag(rendered: list[Resource]) -> None:
    for pod in pods(rendered).values():
        for container in pod["spec"]["containers"]:
            assert re.fullmatch(r"[\w./-]+:v?\d+\.\d+\.\d+", container["image"])


def test_no_spread_is_there_twice(rendered: list[Resource]) -> None:
    for pod in pods(rendered).values():
        keys = [one["topologyKey"] for one in pod["spec"]["topologySpreadConstraints"]]
        assert len(keys) == len(set(keys))


def test_the_local_one_needs_no_metrics_of_the_cluster() -> None:
    local = render(KUBERNETES / "overlays/local")
    assert "HorizontalPodAutoscaler" not in {one["kind"] for one in local}
    assert [o["spec"]["replicas"] for o in local if o["kind"] == "Deployment"] == [2]
