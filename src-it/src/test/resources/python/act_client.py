"""One round of a submitter of aCT: many descriptions at once, by the calls of pyarcrest that aCT makes; PyArcRestIT runs it.

Arguments: URL of the CE, directory for input, number of jobs, proxy.
Prints one JSON object: what PyArcRestIT compares.
"""

import json
import os
import sys
import time

# ARC's own library reads and writes the descriptions; it is no package of pip.
sys.path.append("/usr/lib/python3/dist-packages")

from pyarcrest.arc import ARCRest
from pyarcrest.errors import MatchmakingError

PATIENCE = 120

# What aCT makes of a job of PanDA, in the form in which it keeps it.
XRSL = """&(executable="pilot.sh")(arguments="-q" "two words")
(jobname="act {number}")(stdout="log.txt")(join="yes")(gmlog="gmlog")
(inputfiles=("pilot.sh" "{folder}/pilot.sh")("pandaJobData.out" "{folder}/pandaJobData{number}.out"))
(outputfiles=("heartbeat.json" ""))
(rerun="2")(walltime="60")(cputime="60")(memory="1000")(count="1")(priority="50")
(environment=("PANDA_JSID" "aCT")("GTAG" "https://act.example.org/log"))
(runtimeenvironment="ENV/PROXY")"""


def state_of_all(client, ids):
    return {result.value for result in client.getJobsStatus(ids)}


def main(url, folder, number, proxy):
    report = {}
    with open(os.path.join(folder, "pilot.sh"), "w") as file:
        file.write('#!/bin/sh\ncat pandaJobData.out\necho "$PANDA_JSID $2"\necho {} >heartbeat.json\n')
    for n in range(number):
        with open(os.path.join(folder, f"pandaJobData{n}.out"), "w") as file:
            file.write(f"job {n}\n")
    client = ARCRest.getClient(url=url, proxypath=proxy, timeout=60)
    delegation = client.createDelegation()
    descriptions = [XRSL.format(number=n, folder=folder) for n in range(number)]
    # One that no queue here can run: aCT cancels it, and goes on with the others.
    descriptions.append(descriptions[0] + '(queue="nosuch")')
    results = client.submitJobs(descriptions, "long", delegation, workers=10, sendsize=8388608, timeout=60)
    report["unmatched"] = isinstance(results[-1].value, MatchmakingError)
    report["errors"] = [str(result.value) for result in results[:-1] if result.error]
    ids = [result.value[0] for result in results[:-1]]
    report["ids"] = ids
    end = time.monotonic() + PATIENCE
    while state_of_all(client, ids) != {"FINISHED"}:
        if time.monotonic() > end:
            raise AssertionError(f"jobs are {state_of_all(client, ids)}")
        time.sleep(0.5)
    report["codes"] = sorted({result.value["ExitCode"] for result in client.getJobsInfo(ids)})
    fetched = os.path.join(folder, "fetched")
    errors = client.downloadJobFiles(
        fetched, ids, outputFilters={job: "log\\.txt|heartbeat\\.json" for job in ids}, diagnoseFiles={job: ["errors"] for job in ids}, workers=10
    )
    report["download errors"] = [str(error) for of_job in errors for error in of_job]
    report["logs"] = [open(os.path.join(fetched, job, "log.txt")).read() for job in ids]
    report["heartbeats"] = all(os.path.exists(os.path.join(fetched, job, "heartbeat.json")) for job in ids)
    report["cleaned"] = sum(1 for result in client.cleanJobs(ids) if not result.error)
    client.close()
    print(json.dumps(report))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
