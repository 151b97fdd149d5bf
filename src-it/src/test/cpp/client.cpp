/*
 * The life of jobs at a CE, told by a client whose every message is made and read by code that gSOAP generated from the
 * WSDLs the CE publishes. One line per step; exit code 0 when all went well, 1 when a step failed, 2 when none was tried.
 */
#include <ctime>
#include <iostream>

#include "jobs.h"
#include "signature.h"

static const time_t HOUR = 3600;

/* What all steps share. */
struct story {
    session &user;
    const std::string &proxy;
    const std::string batch_system;
    const std::string delegation;
    steps told;

    std::string jdl(int seconds) const {
        return "[ Executable = \"/bin/sleep\"; Arguments = \"" + std::to_string(seconds) +
               "\"; StdOutput = \"out\"; StdError = \"err\"; BatchSystem = \"" + batch_system + "\"; QueueName = \"long\"; ]";
    }
};

static std::string words(const typed_fault &fault) { return fault.kind + " " + fault.method + ": " + fault.description; }

static void delegate(story &t) {
    DelegationSoapProxy &d = t.user.delegations;
    std::string request;
    t.told.step("getVersion", [&] {
        ns2__getVersionResponse answer;
        t.user.must(d.getVersion(answer));
        check(!answer.getVersionReturn.empty(), "no version");
        return answer.getVersionReturn;
    });
    t.told.step("getInterfaceVersion", [&] {
        ns2__getInterfaceVersionResponse answer;
        t.user.must(d.getInterfaceVersion(answer));
        check(!answer.getInterfaceVersionReturn.empty(), "no version");
        return answer.getInterfaceVersionReturn;
    });
    t.told.step("getServiceMetadata", [&] {
        ns2__getServiceMetadataResponse answer;
        t.user.must(d.getServiceMetadata("some key", answer));
        check(answer._getServiceMetadataReturn == "some key", "not the key: " + answer._getServiceMetadataReturn);
        return answer._getServiceMetadataReturn;
    });
    t.told.step("getTerminationTime (fault)", [&] {
        ns2__getTerminationTimeResponse answer;
        typed_fault fault = t.user.fault(d.getTerminationTime("nosuch", answer));
        check(fault.kind == "DelegationException" && fault.description.find("not found!") != std::string::npos, words(fault));
        return words(fault);
    });
    t.told.step("getProxyReq", [&] {
        ns2__getProxyReqResponse answer;
        t.user.must(d.getProxyReq(t.delegation, answer));
        request = answer._getProxyReqReturn;
        return std::to_string(request.size()) + " bytes";
    });
    t.told.step("putProxy", [&] {
        ns2__putProxyResponse answer;
        t.user.must(d.putProxy(t.delegation, sign_request(request, t.proxy), answer));
        return t.delegation;
    });
    t.told.step("getTerminationTime", [&] {
        ns2__getTerminationTimeResponse answer;
        t.user.must(d.getTerminationTime(t.delegation, answer));
        check(answer._getTerminationTimeReturn > time(nullptr) + HOUR, "the delegation ends too early");
        return std::to_string(answer._getTerminationTimeReturn - time(nullptr)) + " seconds left";
    });
    t.told.step("renewProxyReq", [&] {
        ns2__renewProxyReqResponse answer;
        t.user.must(d.renewProxyReq(t.delegation, answer));
        check(answer._renewProxyReqReturn != request, "the same request twice");
        request = answer._renewProxyReqReturn;
        return std::to_string(request.size()) + " bytes";
    });
    t.told.step("putProxy (renewal)", [&] {
        ns2__putProxyResponse answer;
        t.user.must(d.putProxy(t.delegation, sign_request(request, t.proxy), answer));
        return t.delegation;
    });
    t.told.step("getNewProxyReq", [&] {
        ns2__getNewProxyReqResponse answer;
        t.user.must(d.getNewProxyReq(answer));
        const ns2__NewProxyReq *made = answer.getNewProxyReqReturn;
        check(made && made->proxyRequest && made->delegationID && !made->delegationID->empty(), "no request with an id");
        ns2__putProxyResponse done;
        t.user.must(d.putProxy(*made->delegationID, sign_request(*made->proxyRequest, t.proxy), done));
        ns2__destroyResponse gone;
        t.user.must(d.destroy(*made->delegationID, gone));
        return *made->delegationID;
    });
}

static void look(story &t) {
    t.told.step("getServiceInfo", [&] {
        ns1__ServiceInfo info;
        t.user.must(t.user.jobs.getServiceInfo(0, info));
        check(info.doesAcceptNewJobSubmissions, "it takes no jobs");
        check(info.startupTime > 0 && info.startupTime <= time(nullptr), "it started in the future");
        return info.interfaceVersion + " " + info.serviceVersion;
    });
}

static void run_to_the_end(story &t) {
    Cream2SoapProxy &j = t.user.jobs;
    std::string id;
    t.told.step("JobRegister", [&] {
        id = register_job(t.user, t.jdl(1), t.delegation, "JobName_1");
        check(state(t.user, id) == "REGISTERED", "it did not wait for its start");
        return id;
    });
    t.told.step("JobStart", [&] {
        ns1__CommandResult answer;
        t.user.must(j.JobStart(one_job(t.user, id), answer));
        accepted(answer);
        return "";
    });
    t.told.step("JobStatus", [&] { return await(t.user, id, {"DONE-OK"}); });
    t.told.step("JobInfo", [&] {
        _ns1__JobInfoResponse answer;
        t.user.must(j.JobInfo(one_job(t.user, id), answer));
        check(answer.result.size() == 1 &&
                  answer.result[0]->__union_JobInfoResult == SOAP_UNION__ns1__union_JobInfoResult_jobInfo,
              "no record");
        const ns1__JobInfo &info = *answer.result[0]->union_JobInfoResult.jobInfo;
        check(info.jobId->id == id && info.delegationProxyId == t.delegation && info.type == "Normal", "another record");
        check(info.JDL && info.JDL->find("/bin/sleep") != std::string::npos, "another description");
        std::string path;
        for (const ns1__Status *status : info.status) {
            path += (path.empty() ? "" : ", ") + status->name;
        }
        check(path.find("REGISTERED, PENDING") == 0 && info.status.back()->name == "DONE-OK", "states: " + path);
        check(info.status.back()->exitCode && *info.status.back()->exitCode == "0", "no exit code");
        check(!info.lastCommand.empty(), "no commands");
        return path;
    });
    t.told.step("JobList", [&] {
        _ns1__JobListResponse answer;
        t.user.must(j.JobList(answer));
        check(answer.result.size() == 1 && answer.result[0]->id == id, "not this one job");
        return answer.result[0]->creamURL + " " + id;
    });
    t.told.step("QueryEvent", [&] {
        _ns1__QueryEventRequest request;
        std::string from = "0";
        request.fromEventId = &from;
        request.eventType = "JOB_STATUS";
        _ns1__QueryEventResult answer;
        t.user.must(j.QueryEvent(&request, answer));
        check(answer.event.size() >= 3 && !answer.dbId.empty(), "only " + std::to_string(answer.event.size()) + " events");
        for (const ns1__Event *event : answer.event) {
            check(event->timestamp > 0 && !event->id.empty() && !event->property.empty(), "an empty event");
        }
        return std::to_string(answer.event.size()) + " events of " + answer.dbId;
    });
    t.told.step("JobPurge", [&] {
        ns1__CommandResult answer;
        t.user.must(j.JobPurge(one_job(t.user, id), answer));
        accepted(answer);
        return "";
    });
}

static void lease_suspend_and_cancel(story &t) {
    Cream2SoapProxy &j = t.user.jobs;
    const std::string lease_id = "gsoap-lease";
    std::string before, id; /* one slot: while the first runs the second waits, and what waits can be held */
    t.told.step("setLease", [&] {
        ns1__Lease lease, answer;
        lease.leaseId = lease_id;
        lease.leaseTime = time(nullptr) + 3 * HOUR;
        t.user.must(j.setLease(&lease, answer));
        check(answer.leaseId == lease_id && answer.leaseTime > time(nullptr), "another lease: " + answer.leaseId);
        return answer.leaseId;
    });
    t.told.step("getLease", [&] {
        ns1__Lease answer;
        t.user.must(j.getLease(lease_id, answer));
        check(answer.leaseId == lease_id && answer.leaseTime > time(nullptr), "another lease: " + answer.leaseId);
        return std::to_string(answer.leaseTime - time(nullptr)) + " seconds left";
    });
    t.told.step("getLeaseList", [&] {
        _ns1__getLeaseListResponse answer;
        t.user.must(j.getLeaseList(answer));
        check(answer.result.size() == 1 && answer.result[0]->leaseId == lease_id, "not this one lease");
        return std::to_string(answer.result.size()) + " lease";
    });
    t.told.step("JobRegister", [&] { return id = register_job(t.user, t.jdl(600), t.delegation, "JobName_2"); });
    t.told.step("JobSetLeaseId", [&] {
        _ns1__JobSetLeaseIdRequest request;
        std::string with = lease_id;
        request.newLeaseId = &with;
        request.jobFilter = one_job(t.user, id);
        ns1__CommandResult answer;
        t.user.must(j.JobSetLeaseId(&request, answer));
        accepted(answer);
        request.newLeaseId = nullptr;
        request.jobFilter = one_job(t.user, id);
        t.user.must(j.JobSetLeaseId(&request, answer));
        accepted(answer);
        return "tied and untied";
    });
    t.told.step("deleteLease", [&] {
        __ns3__deleteLeaseResponse answer;
        t.user.must(j.deleteLease(lease_id, answer));
        _ns1__getLeaseListResponse left;
        t.user.must(j.getLeaseList(left));
        check(left.result.empty(), "it is still there");
        return "";
    });
    t.told.step("JobStart", [&] {
        before = register_job(t.user, t.jdl(600), t.delegation, "JobName_3");
        ns1__CommandResult first, second;
        t.user.must(j.JobStart(one_job(t.user, before), first));
        accepted(first);
        std::string running = await(t.user, before, {"REALLY-RUNNING"});
        t.user.must(j.JobStart(one_job(t.user, id), second));
        accepted(second);
        return running + ", " + await(t.user, id, {"IDLE"});
    });
    t.told.step("JobSuspend", [&] {
        ns1__CommandResult answer;
        t.user.must(j.JobSuspend(one_job(t.user, id), answer));
        accepted(answer);
        return await(t.user, id, {"HELD"});
    });
    t.told.step("JobResume", [&] {
        ns1__CommandResult answer;
        t.user.must(j.JobResume(one_job(t.user, id), answer));
        accepted(answer);
        return await(t.user, id, {"IDLE"});
    });
    t.told.step("JobCancel", [&] {
        ns1__JobFilter *both = one_job(t.user, id);
        both->jobId.push_back(one_job(t.user, before)->jobId.front());
        ns1__CommandResult answer;
        t.user.must(j.JobCancel(both, answer));
        accepted(answer);
        await(t.user, before, {"CANCELLED"});
        return await(t.user, id, {"CANCELLED"});
    });
    t.told.step("JobPurge", [&] {
        ns1__CommandResult answer;
        t.user.must(j.JobPurge(one_job(t.user, id), answer));
        accepted(answer);
        return "";
    });
}

static void faults(story &t, session &stranger) {
    Cream2SoapProxy &j = t.user.jobs;
    t.told.step("JobRegister (fault of one description)", [&] {
        _ns1__JobRegisterResponse answer;
        t.user.must(j.JobRegister(registration(t.user, t.jdl(1), "nosuch", "JobName_4"), answer));
        check(answer.result.size() == 1, "not one result");
        const ns1__JobRegisterResult &result = *answer.result[0];
        check(result.jobDescriptionId && *result.jobDescriptionId == "JobName_4", "the description's id did not come back");
        check(result.__union_JobRegisterResult == SOAP_UNION__ns1__union_JobRegisterResult_DelegationProxyFault ||
                  result.__union_JobRegisterResult == SOAP_UNION__ns1__union_JobRegisterResult_DelegationIdMismatchFault ||
                  result.__union_JobRegisterResult == SOAP_UNION__ns1__union_JobRegisterResult_GenericFault,
              "no fault of the delegation");
        const ns1__BaseFaultType *fault = result.union_JobRegisterResult.GenericFault;
        check(fault->Description && !fault->Description->empty(), "a fault without description");
        return *fault->Description;
    });
    t.told.step("JobStatus (fault of one job)", [&] {
        _ns1__JobStatusResponse answer;
        t.user.must(j.JobStatus(one_job(t.user, "CREAM000000000"), answer));
        check(answer.result.size() == 1 &&
                  answer.result[0]->__union_JobStatusResult == SOAP_UNION__ns1__union_JobStatusResult_JobUnknownFault,
              "no JobUnknownFault");
        const ns1__BaseFaultType &fault = *answer.result[0]->union_JobStatusResult.JobUnknownFault;
        check(fault.Timestamp > 0 && fault.Description, "a fault without time or description");
        return fault.MethodName + ": " + *fault.Description;
    });
    t.told.step("JobPurge (InvalidArgumentFault)", [&] {
        ns1__CommandResult answer;
        typed_fault fault = t.user.fault(j.JobPurge(one_job(t.user, ""), answer));
        check(fault.kind == "InvalidArgumentFault" && fault.method == "jobPurge" && !fault.description.empty() && fault.timed,
              words(fault));
        return words(fault);
    });
    t.told.step("JobList (AuthorizationFault)", [&] {
        _ns1__JobListResponse answer;
        typed_fault fault = stranger.fault(stranger.jobs.JobList(answer));
        check(fault.kind == "AuthorizationFault" && !fault.method.empty() && !fault.description.empty() && fault.timed,
              words(fault));
        return words(fault);
    });
}

static void closed_service(story &t, session &admin) {
    t.told.step("acceptNewJobSubmissions", [&] {
        __ns3__acceptNewJobSubmissionsResponse empty;
        admin.must(admin.jobs.acceptNewJobSubmissions(false, empty));
        ns1__ServiceInfo info;
        t.user.must(t.user.jobs.getServiceInfo(0, info));
        check(!info.doesAcceptNewJobSubmissions, "it still takes jobs");
        return "false";
    });
    t.told.step("JobRegister (JobSubmissionDisabledFault)", [&] {
        _ns1__JobRegisterResponse answer;
        typed_fault fault = t.user.fault(
            t.user.jobs.JobRegister(registration(t.user, t.jdl(1), t.delegation, "JobName_4"), answer));
        check(fault.kind == "JobSubmissionDisabledFault" && !fault.method.empty(), words(fault));
        return words(fault);
    });
    t.told.step("acceptNewJobSubmissions", [&] {
        __ns3__acceptNewJobSubmissionsResponse empty;
        admin.must(admin.jobs.acceptNewJobSubmissions(true, empty));
        return "true";
    });
}

static void destroy(story &t) {
    t.told.step("destroy", [&] {
        ns2__destroyResponse answer;
        t.user.must(t.user.delegations.destroy(t.delegation, answer));
        ns2__getTerminationTimeResponse ended;
        typed_fault fault = t.user.fault(t.user.delegations.getTerminationTime(t.delegation, ended));
        check(fault.description.find("not found!") != std::string::npos, words(fault));
        return t.delegation;
    });
}

int main(int argc, char **argv) {
    if (argc != 7) {
        std::cerr << "usage: client https://HOST:PORT BATCH-SYSTEM CA-DIRECTORY PROXY ADMIN-PROXY STRANGER-PROXY" << std::endl;
        return 2;
    }
    try {
        soap_ssl_init();
        const std::string base = argv[1], authorities = argv[3], proxy = argv[4];
        session user(base, proxy, authorities), admin(base, argv[5], authorities), stranger(base, argv[6], authorities);
        story t{user, proxy, argv[2], "gsoap-delegation", {}};
        delegate(t);
        look(t);
        run_to_the_end(t);
        lease_suspend_and_cancel(t);
        faults(t, stranger);
        closed_service(t, admin);
        destroy(t);
        return t.told.end();
    } catch (const std::exception &e) {
        std::cerr << "gSOAP: " << e.what() << std::endl;
        return 2;
    }
}
