package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.soap.XmlResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandsTest extends Cream2TestBase {
    private static String jobId(String id) {
        return "<t:jobId><t:id>" + id
                + "</t:id><t:creamURL>https://localhost:21008//ce-cream/services/CREAM2</t:creamURL>" + "</t:jobId>";
    }

    @ParameterizedTest
    @CsvSource({"JobStart,start", "JobCancel,cancel", "JobPurge,purge", "JobSuspend,suspend", "JobResume,resume"})
    void aFilterArrivesWhole(String operation, String called) throws Exception {
        server.jobs.commanded = List.of(new CommandResult("CREAM000000001", null));
        XmlResponse response = ok(
                operation,
                "<t:" + operation + "Request>" + jobId("CREAM000000001") + jobId("https://ce:8443/CREAM000000002")
                        + "<t:status>REGISTERED</t:status><t:status>IDLE</t:status>"
                        + "<t:fromDate>1970-01-01T00:00:00Z</t:fromDate><t:toDate>2033-05-18T05:33:20.5+02:00</t:toDate>"
                        + "<t:delegationId>deleg1</t:delegationId><t:leaseId>L1</t:leaseId></t:" + operation
                        + "Request>",
                operation + "Response");
        assertThat(server.jobs.calls).containsExactly(called);
        assertThat(server.jobs.filter)
                .isEqualTo(new JobFilter(
                        List.of("CREAM000000001", "https://ce:8443/CREAM000000002"),
                        List.of("REGISTERED", "IDLE"),
                        Instant.EPOCH,
                        Instant.parse("2033-05-18T03:33:20.5Z"),
                        "deleg1",
                        "L1"));
        assertThat(response.at("result").names(XmlResponse.T)).containsExactly("jobId");
        assertThat(response.at("result", "jobId").names(XmlResponse.T)).containsExactly("id", "creamURL");
    }

    @Test
    void anEmptyRequestIsAFilterForAllAndItsAnswerIsEmpty() throws Exception {
        XmlResponse response = ok("JobCancel", "<t:JobCancelRequest></t:JobCancelRequest>", "JobCancelResponse");
        assertThat(response.children()).isEmpty();
        assertThat(server.jobs.filter).isEqualTo(JobFilter.all());
    }

    @ParameterizedTest
    @CsvSource({
        "JobStart,JOB_START,JOB_UNKNOWN,JobUnknownFault,1,job not found!",
        "JobCancel,JOB_CANCEL,STATUS_INVALID,JobStatusInvalidFault,2,the job has a status not compatible with the JOB_CANCEL command!",
        "JobPurge,JOB_PURGE,DATE_MISMATCH,DateMismatchFault,3,fromDate/toDate mismatch",
        "JobPurge,JOB_PURGE,DELEGATION_ID_MISMATCH,DelegationIdMismatchFault,3,delegationId mismatch",
        "JobStart,JOB_START,LEASE_ID_MISMATCH,LeaseIdMismatchFault,3,leaseId mismatch",
        "JobStart,JOB_START,GENERIC,GenericFault,0,system error",
        "JobSuspend,JOB_SUSPEND,STATUS_INVALID,JobStatusInvalidFault,2,the job has a status not compatible with the JOB_SUSPEND command!",
        "JobResume,JOB_RESUME,JOB_UNKNOWN,JobUnknownFault,1,job not found!"
    })
    void aRefusedJobHasItsFault(
            String operation, String command, FaultCode kind, String element, String code, String text)
            throws Exception {
        server.jobs.commanded = List.of(
                new CommandResult("CREAM000000001", null),
                new CommandResult("CREAM000000002", new JobFault(kind, null)));
        XmlResponse response = ok(
                operation,
                "<t:" + operation + "Request>" + jobId("CREAM000000001") + "</t:" + operation + "Request>",
                operation + "Response");
        assertThat(response.child("result", 0).names(XmlResponse.T)).containsExactly("jobId");
        XmlResponse refused = response.child("result", 1);
        assertThat(refused.names(XmlResponse.T)).containsExactly("jobId", element);
        assertThat(refused.at("jobId", "id").text()).isEqualTo("CREAM000000002");
        assertFields(refused.at(element), command, code, text, "N/A");
    }

    @Test
    void unknownElementsBesideAJobIdAreIgnored() throws Exception {
        ok(
                "JobCancel",
                "<t:JobCancelRequest><t:why>bored</t:why>" + jobId("CREAM000000001") + "</t:JobCancelRequest>",
                "JobCancelResponse");
        assertThat(server.jobs.filter.ids()).containsExactly("CREAM000000001");
    }
}
