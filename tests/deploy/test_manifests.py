"""The manifests, file by file and as they fit together; nothing here renders them.

kustomize is in no package of Python: `make test-system` renders all of it and judges the result.
Here every resource is judged as it stands, and what names another thing is held against it.
"""

import re
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import pytest

from hakam.rpc.server import SERVICE
from hakam.seal import read_keys
from hakam.settings import Settings, add_flags, load
from tests.deploy.manifests import (
    CUSTOM,
    KUBERNETES,
    VERSIONS,
    Resource,
    faults,
    kustomizations,
    pods,
    read,
    resources,
)
from tools import prometheus_rule

BASE = KUBERNETES / "base"
FOLDERS = kustomizations()
ALL = [resource for folder in FOLDERS for _, resource in resources(folder)]
PODS = pods(ALL)
# What a supervisor adds to the grace before it kills.
SUPERVISOR_SECONDS = 5


def names(paths: list[Path]) -> list[str]:
    return [path.relative_to(KUBERNETES.parent).as_posix() for path in paths]


def given(folder: Path) -> list[str]:
    """The files that a kustomization names, as it names them."""
    told = read(folder / "kustomization.yaml")
    patches = [patch["path"] for patch in told.get("patches", ())]
    generators = [*told.get("configMapGenerator", ()), *told.get("secretGenerator", ())]
    files = [file.split("=")[-1] for made in generators for file in made.get("files", ())]
    return [*told.get("resources", ()), *told.get("components", ()), *patches, *files]


def environments() -> dict[str, dict[str, str]]:
    """The variables that each folder sets, over those of the base."""
    found = {}
    for folder in FOLDERS:
        made = read(folder / "kustomization.yaml").get("configMapGenerator", ())
        lines = [line for one in made for line in one.get("literals", ())]
        found[folder.name] = dict(line.split("=", 1) for line in lines)
    return {name: found["base"] | own for name, own in found.items()}


def settings(environ: dict[str, str]) -> Settings:
    parser = ArgumentParser()
    add_flags(parser)
    return load(parser.parse_args([], Namespace()), environ)


class TestFiles:
    @pytest.mark.parametrize("folder", FOLDERS, ids=names(FOLDERS))
    def test_all_that_is_named_is_there_and_all_that_is_there_is_named(self, folder: Path) -> None:
        told = given(folder)
        assert [name for name in told if not (folder / name).exists()] == []
        here = {path.name for path in folder.iterdir() if path.is_file()}
        assert here - set(told) <= {"kustomization.yaml"}

    @pytest.mark.parametrize("folder", FOLDERS, ids=names(FOLDERS))
    def test_a_folder_that_is_named_can_be_built(self, folder: Path) -> None:
        taken = [(folder / name).resolve() for name in given(folder) if (folder / name).is_dir()]
        assert [path for path in taken if path not in FOLDERS] == []

    @pytest.mark.parametrize("version", VERSIONS)
    @pytest.mark.parametrize("folder", FOLDERS, ids=names(FOLDERS))
    def test_every_resource_is_valid_by_the_letter(self, folder: Path, version: str) -> None:
        found = [resource for _, resource in resources(folder)]
        wrong = [fault for fault in faults(found, version) if fault not in CUSTOM]
        assert wrong == []

    def test_what_is_wrong_is_seen(self) -> None:
        wrong: Resource = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}}
        assert faults([wrong | {"spec": {"prots": []}}], VERSIONS[0]) != []
        assert faults([wrong | {"kind": "Servise"}], VERSIONS[0]) == ["Servise"]

    def test_every_patch_is_for_something_of_the_base(self) -> None:
        have = {(one["kind"], one["metadata"]["name"]) for _, one in resources(BASE)}
        for folder in FOLDERS:
            for patch in read(folder / "kustomization.yaml").get("patches", ()):
                body = read(folder / patch["path"])
                target = patch.get("target") or {"kind": body["kind"], **body["metadata"]}
                assert (target["kind"], target["name"]) in have

    @pytest.mark.parametrize("folder", FOLDERS, ids=names(FOLDERS))
    def test_a_patch_changes_only_what_is_there(self, folder: Path) -> None:
        base = {(one["kind"], one["metadata"]["name"]): one for _, one in resources(BASE)}
        for patch in read(folder / "kustomization.yaml").get("patches", ()):
            body = read(folder / patch["path"])
            if isinstance(body, list):
                target = base[patch["target"]["kind"], patch["target"]["name"]]
                for operation in body:
                    assert at(target, operation["path"].split("/")[1:]) is not None
            elif "$patch" not in body:
                assert missing(body, base[body["kind"], body["metadata"]["name"]]) == []

    def test_the_rules_are_those_of_prometheus(self) -> None:
        assert prometheus_rule.main(["--check"]) == 0


def at(value: Any, path: list[str]) -> Any:
    for step in path:
        value = value[step]
    return value


def missing(patch: Any, base: Any, where: str = "") -> list[str]:
    """The fields of a patch that the base does not have; parts of lists go by their name."""
    if isinstance(patch, list):
        named = {one["name"]: one for one in base}
        return [word for one in patch for word in missing(one, named.get(one["name"]), where)]
    if not isinstance(patch, dict):
        return []
    if not isinstance(base, dict):
        return [where]
    lacking = [f"{where}.{key}" for key in patch if key not in base]
    return lacking + [
        word for key in patch.keys() & base.keys() for word in missing(patch[key], base[key], key)
    ]


class TestSettings:
    @pytest.mark.parametrize("folder", environments())
    def test_the_variables_are_settings(self, folder: str) -> None:
        chosen = settings(environments()[folder])
        assert chosen.log_format == "json"
        assert chosen.workers == 1

    @pytest.mark.parametrize("folder", environments())
    def test_there_is_time_to_end_in(self, folder: str) -> None:
        chosen = settings(environments()[folder])
        needed = chosen.drain_seconds + chosen.grace_seconds + SUPERVISOR_SECONDS
        assert needed < PODS["hakam"]["spec"]["terminationGracePeriodSeconds"]

    def test_strangers_get_no_plain_states(self) -> None:
        assert settings(environments()["browser"]).plain_states == "keeper"

    def test_no_key_is_kept_here(self) -> None:
        assert read_keys((BASE / "no-keys.txt").read_text("ascii")) == ()
        path = settings(environments()["base"]).keys_file
        (mount,) = (m for m in container("hakam")["volumeMounts"] if m["name"] == "keys")
        assert path == f"{mount['mountPath']}/keys.txt"
        assert "keys.txt=no-keys.txt" in (BASE / "kustomization.yaml").read_text("utf-8")


def container(name: str) -> dict[str, Any]:
    (only,) = PODS[name]["spec"]["containers"]
    found: dict[str, Any] = only
    return found


def ports(name: str) -> dict[str, int]:
    return {port["name"]: port["containerPort"] for port in container(name)["ports"]}


def of_kind(kind: str) -> list[Resource]:
    return [one for one in ALL if one["kind"] == kind]


class TestPods:
    @pytest.mark.parametrize("name", PODS)
    def test_they_may_do_nothing_but_serve(self, name: str) -> None:
        spec = PODS[name]["spec"]
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["runAsUser"] > 0
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert spec["automountServiceAccountToken"] is False
        assert container(name)["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert "memory" in container(name)["resources"]["limits"]

    @pytest.mark.parametrize("name", PODS)
    def test_no_service_sets_a_setting(self, name: str) -> None:
        assert PODS[name]["spec"]["enableServiceLinks"] is False

    @pytest.mark.parametrize("name", PODS)
    def test_they_are_spread_over_nodes(self, name: str) -> None:
        spread = PODS[name]["spec"]["topologySpreadConstraints"]
        assert "kubernetes.io/hostname" in [one["topologyKey"] for one in spread]
        for one in spread:
            selected = one["labelSelector"]["matchLabels"].items()
            assert selected <= PODS[name]["metadata"]["labels"].items()

    def test_the_ports_are_those_that_are_served(self) -> None:
        chosen = settings(environments()["base"])
        assert ports("hakam") == {"grpc": chosen.port, "metrics": chosen.metrics_port}

    @pytest.mark.parametrize("probe", ["startupProbe", "readinessProbe", "livenessProbe"])
    def test_they_are_probed_by_what_the_service_is_called(self, probe: str) -> None:
        asked = container("hakam")[probe]["grpc"]
        assert asked == {"port": ports("hakam")["grpc"], "service": SERVICE}

    def test_several_workers_would_have_a_folder(self) -> None:
        mounted = {mount["mountPath"]: mount for mount in container("hakam")["volumeMounts"]}
        assert not mounted["/tmp"].get("readOnly")  # noqa: S108 - of the container

    def test_the_proxy_listens_where_it_is_said_to(self) -> None:
        text = (KUBERNETES.parent / "envoy/envoy.yaml").read_text("utf-8")
        listening = re.findall(r"address: 0\.0\.0\.0, port_value: (\d+)", text)
        assert list(map(int, listening)) == list(ports("hakam-envoy").values())
        assert f"address: hakam, port_value: {ports('hakam')['grpc']}" in text


class TestNames:
    @pytest.mark.parametrize(
        "one", of_kind("Service") + of_kind("NetworkPolicy") + of_kind("PodDisruptionBudget")
    )
    def test_what_selects_pods_selects_some(self, one: Resource) -> None:
        spec = one["spec"]
        selector = spec.get("podSelector", spec.get("selector"))
        labels = selector.get("matchLabels", selector).items()
        assert [n for n, pod in PODS.items() if labels <= pod["metadata"]["labels"].items()] != []

    @pytest.mark.parametrize("name", PODS)
    def test_a_deployment_has_its_own_pods(self, name: str) -> None:
        (one,) = (one for one in of_kind("Deployment") if one["metadata"]["name"] == name)
        assert one["spec"]["selector"]["matchLabels"] == PODS[name]["metadata"]["labels"]

    @pytest.mark.parametrize("one", of_kind("Service"))
    def test_a_service_leads_to_ports_that_are_there(self, one: Resource) -> None:
        name = one["spec"]["selector"]["app.kubernetes.io/name"]
        assert {port["targetPort"] for port in one["spec"]["ports"]} <= ports(name).keys()

    def test_the_service_shows_every_pod(self) -> None:
        (service,) = (one for one in of_kind("Service") if one["metadata"]["name"] == "hakam")
        assert service["spec"]["clusterIP"] == "None"

    def test_what_is_scaled_is_there_and_says_no_number(self) -> None:
        for scaler in of_kind("HorizontalPodAutoscaler"):
            target = scaler["spec"]["scaleTargetRef"]
            assert target["name"] in PODS
            (deployed,) = (
                one for one in of_kind("Deployment") if one["metadata"]["name"] == target["name"]
            )
            assert "replicas" not in deployed["spec"]

    def test_what_is_scraped_is_there(self) -> None:
        (monitor,) = of_kind("ServiceMonitor")
        (service,) = (one for one in of_kind("Service") if one["metadata"]["name"] == "hakam")
        wanted = monitor["spec"]["selector"]["matchLabels"].items()
        assert wanted <= service["metadata"]["labels"].items()
        served = {port["name"] for port in service["spec"]["ports"]}
        assert {endpoint["port"] for endpoint in monitor["spec"]["endpoints"]} <= served
