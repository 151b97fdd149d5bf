"""Sends requests made from the OpenAPI document, by schemathesis; SchemathesisIT runs it.

Arguments: URL of the document, file of the authorities, bearer token, examples for each operation, id of a job whose session is
open, id of a delegation.
Prints one JSON object: the number of requests and operations, and what did not conform.
"""

import json
import sys
import urllib.parse

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = (
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
# These statuses are the protocol's own, for what is the client's fault: a method or action that there is not, and a
# description that cannot be read.
PROTOCOL = {
    ("/{version}/jobs", "POST"): (500, 501),
    ("/{version}/delegations", "POST"): (501,),
    ("/{version}/delegations/{delegation}", "POST"): (501,),
}
MOST_SHOWN = 20


@schemathesis.serializer("application/x-pem-file", "application/rsl")
def text(ctx, value):
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


def refused(case, response):
    """Whether a status of 500 and more is the protocol's answer to a bad request."""
    allowed = PROTOCOL.get((case.operation.path, case.method.upper()), ())
    text = response.text
    return response.status_code in allowed and "internal error" not in text and text.strip() != ""


def main(url, authorities, token, examples, job, delegation):
    load_all_checks()
    document = requests.get(url, verify=authorities, timeout=30).json()
    parameters = document["components"]["parameters"]
    # What is random names nothing that there is, so valid requests name what does exist; invalid ones have anything.
    parameters["job"]["schema"]["enum"] = [job, job, "CREAM000000042"]
    parameters["delegation"]["schema"]["enum"] = [delegation, delegation, "nosuch"]
    parameters["path"]["schema"]["enum"] = ["a.txt", "b.txt", "nosuch", "a%2Fb", "..", "ä b+?#.txt"]
    document["components"]["schemas"]["Id"]["properties"]["id"]["enum"] = [job, "CREAM000000042", ""]
    act = document["paths"]["/{version}/jobs"]["post"]
    for parameter in act["parameters"]:
        if parameter["name"] in ("instances", "instances_min"):
            parameter["schema"]["enum"] = ["1", "2", "0", "x"]
        if parameter["name"] == "queue":
            parameter["schema"]["enum"] = ["long", "nosuch"]
    act["requestBody"]["content"]["application/rsl"]["schema"]["enum"] = [
        "&(executable=/bin/true)(queue=long)",
        "+(&(executable=/bin/true))(&(executable=/bin/false))",
        "&(executable=",
    ]
    schema = schemathesis.openapi.from_dict(document)
    base = urllib.parse.urljoin(url, "/arex/rest")
    session = requests.Session()
    session.verify = authorities
    report = {"requests": 0, "operations": [], "statuses": {}, "failures": []}

    def send(case):
        case.headers["Authorization"] = "Bearer " + token
        response = case.call(base_url=base, session=session, verify=authorities, timeout=30)
        report["requests"] += 1
        key = f"{case.method} {case.operation.path}"
        seen = report["statuses"].setdefault(key, {})
        seen[str(response.status_code)] = seen.get(str(response.status_code), 0) + 1
        problems = []
        if response.status_code >= 500 and response.status_code != 503 and not refused(case, response):
            problems.append(f"server error {response.status_code}: {response.text[:200]}")
        try:
            case.validate_response(response, checks=list(CHECKS))
        # Whatever it finds is what is reported; several at once are a group, which is no Exception.
        except (Exception, BaseExceptionGroup) as e:
            problems.append(str(e)[:600])
        for problem in problems:
            if len(report["failures"]) < MOST_SHOWN:
                report["failures"].append(f"{key}: {problem}")

    for result in schema.get_all_operations():
        operation = result.ok()
        report["operations"].append(f"{operation.method.upper()} {operation.path}")
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                strategy = operation.as_strategy(generation_mode=mode)
                run = given(case=strategy)(lambda case: send(case))
                run = settings(
                    max_examples=int(examples),
                    deadline=None,
                    database=None,
                    derandomize=True,
                    phases=[Phase.explicit, Phase.generate],
                    suppress_health_check=list(HealthCheck),
                )(run)
                run()
            except Exception as e:
                # An operation without anything to break has no bad requests.
                if mode is GenerationMode.POSITIVE:
                    raise
                report.setdefault("skipped", []).append(f"{operation.path}: {type(e).__name__}")
    print(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
