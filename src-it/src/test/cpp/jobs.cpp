/*
 * Jobs of one session; see jobs.h.
 */
#include "jobs.h"

#include <chrono>
#include <thread>

static const std::set<std::string> ENDS = {"DONE-OK", "DONE-FAILED", "CANCELLED", "ABORTED"};
static const auto PATIENCE = std::chrono::minutes(3);

[[noreturn]] static void refused(const ns1__BaseFaultType &fault) {
    throw failure(fault.MethodName + ": " + (fault.Description ? *fault.Description : "no description"));
}

ns1__JobFilter *one_job(session &s, const std::string &id) {
    ns1__JobId *job = soap_new_ns1__JobId(s.soap());
    job->id = id;
    job->creamURL = s.service;
    ns1__JobFilter *filter = soap_new_ns1__JobFilter(s.soap());
    filter->jobId.push_back(job);
    return filter;
}

_ns1__JobRegisterRequest *registration(session &s, const std::string &jdl, const std::string &delegation,
                                       const std::string &description_id) {
    ns1__JobDescription *description = soap_new_ns1__JobDescription(s.soap());
    description->JDL = jdl;
    description->delegationId = soap_new_std__string(s.soap());
    *description->delegationId = delegation;
    description->jobDescriptionId = soap_new_std__string(s.soap());
    *description->jobDescriptionId = description_id;
    description->autoStart = false;
    _ns1__JobRegisterRequest *request = soap_new__ns1__JobRegisterRequest(s.soap());
    request->jobDescriptionList.push_back(description);
    return request;
}

std::string register_job(session &s, const std::string &jdl, const std::string &delegation,
                         const std::string &description_id) {
    std::string *ice = soap_new_std__string(s.soap());
    *ice = "gsoap-client";
    _ns1__JobRegisterResponse answer;
    s.jobs.soap_header(ice);
    int result_code = s.jobs.JobRegister(registration(s, jdl, delegation, description_id), answer);
    s.jobs.soap_noheader();
    s.must(result_code);
    check(answer.result.size() == 1, "one description got " + std::to_string(answer.result.size()) + " results");
    const ns1__JobRegisterResult &result = *answer.result[0];
    check(result.jobDescriptionId && *result.jobDescriptionId == description_id, "the description's id did not come back");
    if (result.__union_JobRegisterResult != SOAP_UNION__ns1__union_JobRegisterResult_jobId) {
        refused(*result.union_JobRegisterResult.GenericFault); /* all others are faults of one type */
    }
    const ns1__JobId &id = *result.union_JobRegisterResult.jobId;
    check(id.id.size() == 14 && id.id.compare(0, 5, "CREAM") == 0, "no job id: " + id.id);
    check(id.creamURL.find("/ce-cream/services/CREAM2") != std::string::npos, "no address of the service: " + id.creamURL);
    return id.id;
}

void accepted(const ns1__CommandResult &results) {
    for (const ns1__Result *result : results.result) {
        if (result->__union_Result != 0) {
            refused(*result->union_Result.GenericFault);
        }
    }
}

std::string state(session &s, const std::string &id) {
    _ns1__JobStatusResponse answer;
    s.must(s.jobs.JobStatus(one_job(s, id), answer));
    check(answer.result.size() == 1, "one job has " + std::to_string(answer.result.size()) + " states");
    const ns1__JobStatusResult &result = *answer.result[0];
    if (result.__union_JobStatusResult != SOAP_UNION__ns1__union_JobStatusResult_jobStatus) {
        refused(*result.union_JobStatusResult.GenericFault);
    }
    const ns1__Status &status = *result.union_JobStatusResult.jobStatus;
    check(status.jobId && status.jobId->id == id, "the state of another job");
    check(status.timestamp > 0, "a state without time");
    return status.name;
}

std::string await(session &s, const std::string &id, const std::set<std::string> &states) {
    auto end = std::chrono::steady_clock::now() + PATIENCE;
    for (;;) {
        std::string now = state(s, id);
        if (states.count(now)) {
            return now;
        }
        check(!ENDS.count(now), "the job ended as " + now);
        check(std::chrono::steady_clock::now() < end, "the job is still " + now);
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
}
