"""Many jobs of one request through their whole lives, by pyarcrest alone; PyArcRestIT runs it.

Arguments: URL of the CE, directory for what is fetched, number of jobs, and "proxy" and its file, or "token", its text and that of
another one to renew a delegated one with.
Prints one JSON object: what PyArcRestIT compares with what the CE says itself.
"""

import json
import os
import sys
import time

from pyarcrest.arc import ARCRest
from pyarcrest.errors import ARCHTTPError

PATIENCE = 120

ADL = """<ActivityDescription xmlns="http://www.eu-emi.eu/es/2010/12/adl">
  <ActivityIdentification><Name>job{number}</Name></ActivityIdentification>
  <Application>
    <Executable><Path>/bin/cat</Path><Argument>in.txt</Argument></Executable>
    <Output>out.txt</Output>
  </Application>
  <Resources><QueueName>long</QueueName></Resources>
  <DataStaging>
    <InputFile><Name>in.txt</Name></InputFile>
    <OutputFile><Name>out.txt</Name></OutputFile>
  </DataStaging>
</ActivityDescription>
"""


def values(results):
    """What each job was answered; the first error ends the test."""
    for result in results:
        if result.error:
            raise result.value
    return [result.value for result in results]


def until_all(client, ids, wanted):
    """Waits until all jobs are in the state; one that ends otherwise ends the test."""
    end = time.monotonic() + PATIENCE
    while True:
        states = values(client.getJobsStatus(ids))
        wrong = {state for state in states if state in ("FINISHED", "FAILED", "KILLED") and state != wanted}
        if wrong:
            raise AssertionError(f"jobs are {wrong}, not {wanted}")
        if set(states) == {wanted}:
            return
        if time.monotonic() > end:
            raise AssertionError(f"jobs are still {set(states)}, not {wanted}")
        time.sleep(0.2)


def answered(call, expected):
    """The status of a refusal."""
    try:
        call()
    except ARCHTTPError as refused:
        if refused.status != expected:
            raise
        return expected
    raise AssertionError(f"no refusal, expected {expected}")


def main(url, directory, number, kind, credential, other=None):
    report = {}
    client = ARCRest.getClient(url=url, **{"proxypath" if kind == "proxy" else "token": credential})
    report["versions"] = sorted(client.getAPIVersions())
    report["chosen"] = client.version
    client.matchJob(client.getCEInfo(), queue="long", walltime=60)

    delegation = client.createDelegation()
    kinds = {one["id"]: one["type"] for one in client.getDelegationsList()}
    report["delegations"] = kinds == {delegation: "x509" if kind == "proxy" else "jwt"}

    # Many jobs in one request; the delegation is named beside them, not in them.
    many = "<ActivityDescriptions>" + "".join(ADL.format(number=n) for n in range(number)) + "</ActivityDescriptions>"
    made = values(client.createJobs(many, delegationID=delegation))
    ids = [job for job, state in made]
    report["ids"] = ids
    report["created"] = sorted({state for job, state in made})
    report["listed"] = sorted(client.getJobsList()) == sorted(ids)
    report["delegation of all"] = values(client.getJobsDelegations(ids)) == [[delegation]] * number

    inputs = []
    for n in range(number):
        path = os.path.join(directory, f"in{n}.txt")
        with open(path, "w") as file:
            file.write(f"input of job {n}\n")
        inputs.append({"in.txt": path})
    errors = client.uploadJobFiles(ids, inputs, workers=4)
    report["upload errors"] = [str(error) for of_job in errors for error in of_job]
    until_all(client, ids, "FINISHED")
    infos = values(client.getJobsInfo(ids))
    report["info states"] = sorted({info["state"] for info in infos})
    report["exit codes"] = sorted({info["ExitCode"] for info in infos})
    report["queues"] = sorted({info["Queue"] for info in infos})

    fetched = os.path.join(directory, "fetched")
    errors = client.downloadJobFiles(
        fetched, ids, outputFilters={job: "out\\.txt" for job in ids}, diagnoseFiles={job: ["status"] for job in ids}, workers=4
    )
    report["download errors"] = [str(error) for of_job in errors for error in of_job]
    texts = [open(os.path.join(fetched, job, "out.txt")).read() for job in ids]
    report["own output"] = texts == [f"input of job {n}\n" for n in range(number)]
    report["diagnosis"] = open(os.path.join(fetched, ids[0], "gmlog", "status")).read()

    # One job alone is sent as an object, not as a list of one.
    sleeper = "&(executable=/bin/sleep)(arguments=600)(queue=long)"
    one = values(client.createJobs(sleeper, isADL=False, delegationID=delegation))[0][0]
    until_all(client, [one], "RUNNING")
    before = client.getDelegation(delegation)
    client.refreshDelegation(delegation, token=other)
    report["renewed"] = before != client.getDelegation(delegation)
    report["delegation of a running job"] = answered(lambda: client.deleteDelegation(delegation), 409)
    values(client.killJobs([one]))
    until_all(client, [one], "KILLED")

    everything = [*ids, one]
    report["cleaned"] = len(values(client.cleanJobs(everything)))
    end = time.monotonic() + PATIENCE
    while client.getJobsList():
        if time.monotonic() > end:
            raise AssertionError("cleaned jobs are still listed")
        time.sleep(0.2)
    report["after clean"] = sorted({result.value.status for result in client.getJobsStatus(everything)})
    client.deleteDelegation(delegation)
    report["delegation after deletion"] = answered(lambda: client.getDelegation(delegation), 404)
    client.close()
    print(json.dumps(report))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
