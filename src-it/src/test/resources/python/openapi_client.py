"""A client that openapi-python-client makes of the CE's OpenAPI document; OpenApiClientIT runs it.

Arguments: what to do, then
  generate DOCUMENT DIRECTORY          makes the package "generated" there; prints its operations and what the generator says
  delegate DIRECTORY URL PROXY CAS     begins a delegation; prints its id and the certificate request
  submit DIRECTORY URL PROXY CAS ID CHAIN DESCRIPTION
                                       completes it, submits one job, and reads its states until the last one; prints them
Prints one JSON object. Nothing but the generated package speaks to the CE.
"""

import importlib
import io
import json
import pathlib
import ssl
import subprocess
import sys
import time

PATIENCE = 120


def generate(document, directory):
    """The names of the generated operations, and the generator's own words."""
    config = pathlib.Path(directory, "config.json")
    # Nothing formats what nobody reads; values of an enumeration are plain strings.
    config.write_text(json.dumps({"post_hooks": [], "literal_enums": True}))
    said = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--path", document, "--meta", "none",
         "--output-path", str(pathlib.Path(directory, "generated")), "--config", str(config)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    modules = pathlib.Path(directory, "generated", "api").glob("*/*.py")
    operations = sorted(module.stem for module in modules if module.stem != "__init__")
    for operation in operations:
        operation_of(directory, operation)
    return {"status": said.returncode, "said": said.stdout, "operations": operations}


def operation_of(directory, name):
    """The module of an operation, compiled."""
    if directory not in sys.path:
        sys.path.insert(0, directory)
    (module,) = pathlib.Path(directory, "generated", "api").glob(f"*/{name}.py")
    return importlib.import_module(f"generated.api.{module.parent.name}.{name}")


def client(directory, url, proxy, authorities):
    """As the generated package has it, with the proxy as the client's certificate."""
    sys.path.insert(0, directory)
    context = ssl.create_default_context(cafile=authorities)
    context.load_cert_chain(proxy)
    # Generated code reads JSON, and does not ask for it by itself.
    return importlib.import_module("generated").Client(
        base_url=url, verify_ssl=context, headers={"Accept": "application/json"})


def file_of(data):
    """A body of bytes."""
    return importlib.import_module("generated.types").File(payload=io.BytesIO(data))


def must(response, status):
    """The response, which has this status."""
    if int(response.status_code) != status:
        raise AssertionError(f"{response.status_code}: {response.content!r}")
    return response


def delegate(directory, url, proxy, authorities):
    """A certificate request."""
    made = must(
        operation_of(directory, "new_delegation").sync_detailed(
            "1.1", client=client(directory, url, proxy, authorities), action="new"), 201)
    return {"id": made.headers["location"].rsplit("/", 1)[-1], "request": made.content.decode()}


def submit(directory, url, proxy, authorities, delegation, chain, description):
    """The states of a job from its submission to its end."""
    user = client(directory, url, proxy, authorities)
    must(operation_of(directory, "put_delegation").sync_detailed(
        "1.1", delegation, client=user, body=file_of(pathlib.Path(chain).read_bytes())), 200)
    act = operation_of(directory, "act_on_jobs")
    text = pathlib.Path(description).read_bytes()
    new = must(act.sync_detailed("1.1", client=user, action="new", body=file_of(text)), 201)
    (job,) = new.parsed.to_dict()["job"]
    ids = importlib.import_module("generated.models").Ids.from_dict({"job": [{"id": job["id"]}]})
    states = [job["state"]]
    end = time.monotonic() + PATIENCE
    while states[-1] not in ("FINISHED", "FAILED", "KILLED") and time.monotonic() < end:
        time.sleep(0.2)
        (now,) = must(act.sync_detailed("1.1", client=user, action="status", body=ids), 201).parsed.to_dict()["job"]
        if now["state"] != states[-1]:
            states.append(now["state"])
    output = must(operation_of(directory, "get_file").sync_detailed("1.1", job["id"], "out", client=user), 200)
    return {"id": job["id"], "states": states, "output": output.content.decode()}


if __name__ == "__main__":
    work = {"generate": generate, "delegate": delegate, "submit": submit}[sys.argv[1]]
    print(json.dumps(work(*sys.argv[2:])))
