"""Makes the schemas that the chart is held against: one file for each kind, complete in itself, for `kubeconform -strict`.

Sources: the PyPI package kubernetes-validate (Apache-2.0), which carries the schemas of the Kubernetes API, and the definitions
(CRDs) in the Go modules sigs.k8s.io/gateway-api, github.com/prometheus-operator/prometheus-operator and
github.com/kedacore/keda/v2 (v2.17.2), all Apache-2.0.

    python3 vendor.py WHEEL GATEWAY_API_FOLDER PROMETHEUS_OPERATOR_FOLDER KEDA_FOLDER
"""

import json
import pathlib
import sys
import zipfile

import yaml

VERSION = "v1.33.0"
KINDS = [
    "ConfigMap v1", "Secret v1", "Service v1", "ServiceAccount v1", "Pod v1", "Deployment apps/v1", "StatefulSet apps/v1", "Job batch/v1",
    "HorizontalPodAutoscaler autoscaling/v2", "PodDisruptionBudget policy/v1", "NetworkPolicy networking.k8s.io/v1",
    "Ingress networking.k8s.io/v1", "CronJob batch/v1", "Role rbac.authorization.k8s.io/v1", "RoleBinding rbac.authorization.k8s.io/v1",
]
HERE = pathlib.Path(__file__).parent


def strip(node):
    """Descriptions make up most of a schema and decide nothing."""
    if isinstance(node, dict):
        return {
            key: {name: strip(schema) for name, schema in value.items()} if key in ("properties", "definitions", "$defs") else strip(value)
            for key, value in node.items()
            if not (key == "description" or key.startswith("x-kubernetes"))
        }
    return [strip(item) for item in node] if isinstance(node, list) else node


def references(node):
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rsplit("/", 1)[1]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for item in node:
            yield from references(item)


def local(node):
    if isinstance(node, dict):
        return {k: "#/definitions/" + v.rsplit("/", 1)[1] if k == "$ref" else local(v) for k, v in node.items()}
    return [local(item) for item in node] if isinstance(node, list) else node


def closed(node):
    """An object that names its properties has no others."""
    if isinstance(node, dict):
        open_ended = "additionalProperties" in node or node.get("x-kubernetes-preserve-unknown-fields")
        closed_node = {k: closed(v) for k, v in node.items()}
        return closed_node if "properties" not in node or open_ended else closed_node | {"additionalProperties": False}
    return [closed(item) for item in node] if isinstance(node, list) else node


def write(kind, group_version, schema):
    (HERE / f"{kind.lower()}-{file_group(group_version)}.json").write_text(json.dumps(strip(schema), sort_keys=True, separators=(",", ":")) + "\n")


def file_group(group_version):
    """As kubeconform names files: the group's first label, then the version."""
    group, _, version = group_version.rpartition("/")
    return "-".join(part for part in (group.split(".")[0], version) if part)


def kubernetes(wheel):
    archive = zipfile.ZipFile(wheel)
    folder = f"kubernetes_validate/kubernetes-json-schema/{VERSION}-local-strict"
    definitions = json.loads(archive.read(f"{folder}/_definitions.json"))["$defs"]
    for entry in KINDS:
        kind, group_version = entry.split()
        schema = json.loads(archive.read(f"{folder}/{kind.lower()}-{file_group(group_version)}.json"))
        wanted, known = list(references(schema)), {}
        while wanted:
            name = wanted.pop()
            if name not in known:
                known[name] = definitions[name]
                wanted += references(definitions[name])
        write(kind, group_version, local(schema) | {"definitions": local(known)})


def custom(file):
    crd = yaml.safe_load(file.read_text())["spec"]
    version = crd["versions"][0] if len(crd["versions"]) == 1 else next(v for v in crd["versions"] if v["name"] == "v1")
    schema = closed(version["schema"]["openAPIV3Schema"])
    schema["properties"]["metadata"] = {"type": "object"}
    write(crd["names"]["kind"], f"{crd['group']}/{version['name']}", schema)


wheel, gateway_api, prometheus, keda = map(pathlib.Path, sys.argv[1:])
kubernetes(wheel)
custom(gateway_api / "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml")
for kind in ("servicemonitors", "prometheusrules"):
    custom(prometheus / f"example/prometheus-operator-crd/monitoring.coreos.com_{kind}.yaml")
custom(keda / "config/crd/bases/keda.sh_scaledobjects.yaml")
