"""Pilots through their lives by DIRAC's AREXComputingElement; DiracIT runs it.

Arguments: host, port, queue as DIRAC names it, VO, and what authorizes: "proxy" and its file, "token" and its text, or "both" and
the file and the text.
Prints one JSON object: what DiracIT compares.
"""

import json
import os
import sys
import time

from DIRAC.ConfigurationSystem.Client.ConfigurationData import gConfigurationData
from DIRAC.Core.Security.X509Chain import X509Chain
from DIRAC.Resources.Computing.AREXComputingElement import AREXComputingElement

PATIENCE = 120
GROUP = "pilots"


def value(result):
    if not result["OK"]:
        raise AssertionError(result["Message"])
    return result.get("Value")


def until(ce, reference, wanted):
    end = time.monotonic() + PATIENCE
    while True:
        status = value(ce.getJobStatus([reference]))[reference]
        if status == wanted:
            return status
        if status in ("Done", "Failed", "Aborted") or time.monotonic() > end:
            raise AssertionError(f"{reference} is {status}, not {wanted}: {value(ce.getJobLog(reference))}")
        time.sleep(0.2)


def show_proxy(ce, proxy):
    """DIRAC's group is an extension of the proxy, which a delegation must keep."""
    chain = X509Chain()
    value(chain.loadProxyFromFile(proxy))
    value(chain.generateProxyToFile("pilot.pem", 12 * 3600, diracGroup=GROUP))
    os.environ["X509_USER_PROXY"] = os.path.abspath("pilot.pem")
    chain = X509Chain()
    value(chain.loadProxyFromFile("pilot.pem"))
    ce.setProxy(chain)


def proxies(ce):
    """What the delegations hold."""
    return [value(ce._getProxyFromDelegationID(one)).dumpChainToString()["Value"] for one in value(ce._getDelegationIDs())]


def renewed(ce, job):
    """DIRAC renews what ends sooner than this, each time that it reads states."""
    ce.proxyTimeLeftBeforeRenewal = 10**8
    before = proxies(ce)
    value(ce.getJobStatus([job]))
    return before != proxies(ce)


def main(host, port, queue, vo, kind, *credentials):
    gConfigurationData.setOptionInCFG("/DIRAC/VirtualOrganization", vo)
    gConfigurationData.setOptionInCFG(f"/Registry/Groups/{GROUP}/VO", vo)
    gConfigurationData.sync()
    ce = AREXComputingElement(host)
    parameters = {"Queue": queue, "Port": port, "Timeout": "30", "RESTVersion": "1.0"}
    if kind == "both":
        parameters["AlwaysIncludeProxy"] = "True"
    ce.setParameters(parameters)
    value(ce._reset())
    if kind != "token":
        show_proxy(ce, credentials[0])
    if kind != "proxy":
        ce.setToken({"access_token": credentials[-1]})
    delegates = kind != "token"

    with open("pilot.sh", "w") as file:
        file.write('#!/bin/sh\necho "pilot $DIRAC_PILOT_STAMP"\ncat cfg.txt\necho trouble >&2\n')
        file.write('echo "${X509_USER_PROXY:+with} proxy"\n')
    with open("sleeper.sh", "w") as file:
        file.write("#!/bin/sh\nexec sleep 600\n")
    with open("cfg.txt", "w") as file:
        file.write("configuration\n")

    report = {}
    submitted = ce.submitJob("pilot.sh", None, numberOfJobs=3, inputs=["cfg.txt"])
    references = value(submitted)
    stamps = submitted["PilotStampDict"]
    report["references"] = references
    report["audience"] = ce.audienceName
    # The second submission takes the delegation of the first.
    sleeper = value(ce.submitJob("sleeper.sh", None))[0]
    delegations = value(ce._getDelegationIDs())
    report["delegations"] = len(delegations)
    if delegates:
        report["group"] = value(value(ce._getProxyFromDelegationID(delegations[0])).getDIRACGroup())
    report["sleeper"] = until(ce, sleeper, "Running")
    status = ce.getCEStatus()
    value(status)
    report["running"] = {name: type(status[name]).__name__ for name in ("RunningJobs", "WaitingJobs")}
    for reference in references:
        until(ce, reference, "Done")
    outputs = []
    for reference in references:
        out, err = value(ce.getJobOutput(f"{reference}:::{stamps[reference]}"))
        proxy = f"{'with' if delegates else ''} proxy\n"
        outputs.append(out == f"pilot {stamps[reference]}\nconfiguration\n{proxy}" and err == "trouble\n")
    report["outputs"] = outputs
    value(ce.killJob([sleeper]))
    report["killed"] = until(ce, sleeper, "Aborted")
    if delegates:
        report["renewed"] = renewed(ce, sleeper)
    value(ce.cleanJob([*references, sleeper]))
    print(json.dumps(report))
    sys.stdout.flush()
    # Without DIRAC's threads, which wait for a configuration service.
    os._exit(0)


main(*sys.argv[1:])
