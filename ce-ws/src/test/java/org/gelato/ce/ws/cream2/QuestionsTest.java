package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.json.JobDetail;
import org.gelato.ce.ws.soap.XmlResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuestionsTest extends Cream2TestBase {
    private static final Instant T1 = Instant.parse("2026-01-01T10:00:00Z");
    private static final JobStatus REGISTERED = new JobStatus(JobState.REGISTERED, T1, null, null, null);
    private static final JobStatus DONE =
            new JobStatus(JobState.DONE_FAILED, T1.plusMillis(1234), "3", "reason with \u0007 bell", "text");

    private static final Usage USAGE =
            new Usage(Duration.ofMillis(61_020), Duration.ofSeconds(70), 4, 123_456L, Usage.Source.BOTH);

    private static JobInfo info(boolean reserved, String sparse) {
        boolean full = sparse == null;
        return new JobInfo(
                new JobId(7),
                full ? "https://lb/grid1" : sparse,
                reserved || !full ? null : "4711",
                reserved,
                full ? "deleg1" : null,
                full ? "[ isRFC=\"true\" ]" : null,
                full ? "wn1" : null,
                full ? "dteam001" : null,
                "/sandbox/CREAM000000007",
                "[ Executable = \"/bin/sleep\"; ]\n",
                "Normal",
                full ? "L1" : null,
                full ? T1.plusSeconds(60) : null,
                List.of(REGISTERED, DONE),
                List.of(
                        CommandRecord.done(CommandKind.JOB_REGISTER, null, T1),
                        new CommandRecord(
                                CommandKind.JOB_START, CommandState.ERROR, "d", "f", T1, T1.plusMillis(2), null, 1)),
                full ? USAGE.details() : Map.of(JobDetail.QUEUE, "cert"),
                null);
    }

    private static XmlResponse ask(JobInfo info) throws Exception {
        server.jobs.infos = List.of(new JobInfoResult("CREAM000000007", info, null));
        XmlResponse response = ok("JobInfo", "<t:JobInfoRequest/>", "JobInfoResponse");
        assertThat(response.at("result").attribute("jobDescriptionId"))
                .isEqualTo("https://ce.example.org:8443/CREAM000000007");
        assertThat(response.at("result").names(XmlResponse.T)).containsExactly("jobInfo");
        return response.at("result", "jobInfo");
    }

    @Test
    void statusIsTheLastOne() throws Exception {
        server.jobs.statuses = List.of(
                new JobStatusResult("CREAM000000007", DONE, null),
                new JobStatusResult("CREAM000000008", REGISTERED, null));
        XmlResponse response = ok("JobStatus", "<t:JobStatusRequest/>", "JobStatusResponse");
        XmlResponse first = response.child("result", 0);
        assertThat(first.attribute("jobDescriptionId")).isEqualTo("https://ce.example.org:8443/CREAM000000007");
        XmlResponse status = first.at("jobStatus");
        assertThat(status.names(XmlResponse.T))
                .containsExactly("jobId", "name", "timestamp", "exitCode", "failureReason", "description");
        assertThat(status.at("jobId").names(XmlResponse.T)).containsExactly("id", "creamURL");
        assertThat(status.at("name").text()).isEqualTo("DONE-FAILED");
        assertThat(status.at("timestamp").text()).isEqualTo("2026-01-01T10:00:01.234Z");
        assertThat(status.at("exitCode").text()).isEqualTo("3");
        assertThat(status.at("failureReason").text()).isEqualTo("reason with ? bell");
        assertThat(response.child("result", 1).at("jobStatus").names(XmlResponse.T))
                .containsExactly("jobId", "name", "timestamp");
    }

    @ParameterizedTest
    @CsvSource({
        "JOB_UNKNOWN,JobUnknownFault,2,job not found",
        "STATUS_INVALID,JobStatusInvalidFault,4,job status mismatch",
        "DATE_MISMATCH,DateMismatchFault,0,fromDate/toDate mismatch",
        "DELEGATION_ID_MISMATCH,DelegationIdMismatchFault,1,delegationId mismatch",
        "LEASE_ID_MISMATCH,LeaseIdMismatchFault,3,leaseId mismatch",
        "GENERIC,GenericFault,0,system error"
    })
    void faultsOfJobsCarryTheirIdToo(FaultCode kind, String element, String code, String text) throws Exception {
        server.jobs.statuses =
                List.of(new JobStatusResult("https://ce:8443/CREAM9 <x>", null, new JobFault(kind, null)));
        server.jobs.infos = List.of(new JobInfoResult("CREAM9 <x>", null, new JobFault(kind, null)));
        XmlResponse status =
                ok("JobStatus", "<t:JobStatusRequest/>", "JobStatusResponse").at("result");
        XmlResponse info =
                ok("JobInfo", "<t:JobInfoRequest/>", "JobInfoResponse").at("result");
        for (XmlResponse result : List.of(status, info)) {
            assertThat(result.attribute("jobDescriptionId")).isEqualTo("https://ce.example.org:8443/CREAM9 <x>");
            assertThat(result.names(XmlResponse.T)).containsExactly(element);
        }
        assertFields(status.at(element), "jobStatus", code, text, "N/A");
        assertFields(info.at(element), "jobInfo", code, text, "N/A");
    }

    private static List<String> properties(XmlResponse info) {
        List<String> properties = new ArrayList<>();
        XmlResponse id = info.at("jobId");
        for (int i = 0; i < id.names(XmlResponse.T).size() - 2; i++) {
            XmlResponse property = id.child("property", i);
            properties.add(
                    property.at("name").text() + "=" + property.at("value").text());
        }
        return properties;
    }

    /** CREAM's JobInfo has no element for it, and a client of CREAM's reads no other. */
    @Test
    void whatAJobUsedStandsInPropertiesOfItsId() throws Exception {
        assertThat(properties(ask(info(false, null))))
                .containsExactly(
                        "USAGE_CPU_SECONDS=61.020",
                        "USAGE_WALL_SECONDS=70.000",
                        "USAGE_CORES=4",
                        "USAGE_PEAK_MEMORY_KIB=123456",
                        "USAGE_SOURCE=batch system, job wrapper");
        assertThat(ask(info(false, "")).at("jobId").names(XmlResponse.T)).containsExactly("id", "creamURL");
    }

    @Test
    void whatNobodyMeasuredHasNoProperty() {
        assertThat(new Usage(null, null, 2, null, Usage.Source.WRAPPER).details())
                .containsExactly(entry(JobDetail.CORES, "2"), entry(JobDetail.MEASURED_BY, "job wrapper"));
        assertThat(new Usage(null, Duration.ofDays(20_000), null, null, Usage.Source.BATCH_SYSTEM).details())
                .containsExactly(
                        entry(JobDetail.WALL_TIME, "1728000000.000"), entry(JobDetail.MEASURED_BY, "batch system"));
    }

    @Test
    void infoHasEveryFieldInOrder() throws Exception {
        XmlResponse info = ask(info(false, null));
        assertThat(info.names(XmlResponse.T))
                .containsExactly(
                        "jobId",
                        "GridJobId",
                        "LRMSAbsLayerJobId",
                        "LRMSJobId",
                        "delegationProxyId",
                        "delegationProxyInfo",
                        "workerNode",
                        "localUser",
                        "workingDirectory",
                        "CREAMInputSandboxURI",
                        "CREAMOutputSandboxURI",
                        "JDL",
                        "type",
                        "lease",
                        "status",
                        "status",
                        "lastCommand",
                        "lastCommand");
        assertThat(info.at("GridJobId").text()).isEqualTo("https://lb/grid1");
        assertThat(info.at("LRMSJobId").text()).isEqualTo("4711");
        assertThat(info.at("workingDirectory").text()).isEqualTo("/sandbox/CREAM000000007");
        assertThat(info.at("CREAMInputSandboxURI").text())
                .isEqualTo("gsiftp://ce.example.org/sandbox/CREAM000000007/ISB");
        assertThat(info.at("CREAMOutputSandboxURI").text())
                .isEqualTo("gsiftp://ce.example.org/sandbox/CREAM000000007/OSB");
        assertThat(info.at("JDL").text()).isEqualTo("[ Executable = \"/bin/sleep\"; ]\n");
        assertThat(info.at("lease").names(XmlResponse.T)).containsExactly("leaseId", "leaseTime");
        assertThat(info.child("status", 0).at("name").text()).isEqualTo("REGISTERED");
        assertThat(info.child("status", 1).at("name").text()).isEqualTo("DONE-FAILED");
        XmlResponse register = info.child("lastCommand", 0);
        assertThat(register.names(XmlResponse.T))
                .containsExactly(
                        "name",
                        "category",
                        "status",
                        "creationTime",
                        "startSchedulingTime",
                        "startProcessingTime",
                        "executionCompletedTime");
        assertThat(register.at("category").text()).isEqualTo("JOB_MANAGEMENT");
        assertThat(register.at("creationTime").text()).isEqualTo("2026-01-01T10:00:00.000Z");
        assertThat(info.child("lastCommand", 1).names(XmlResponse.T))
                .containsExactly(
                        "name",
                        "category",
                        "status",
                        "description",
                        "failureReason",
                        "creationTime",
                        "startSchedulingTime",
                        "startProcessingTime");
    }

    @Test
    void whatIsAbsentOrReservedIsMarkedSo() throws Exception {
        XmlResponse sparse = ask(info(false, ""));
        for (String element : List.of(
                "GridJobId",
                "LRMSAbsLayerJobId",
                "LRMSJobId",
                "delegationProxyId",
                "delegationProxyInfo",
                "workerNode",
                "localUser")) {
            assertThat(sparse.at(element).text()).as(element).isEqualTo("N/A");
        }
        assertThat(sparse.names(XmlResponse.T)).doesNotContain("lease");
        XmlResponse reserved = ask(info(true, null));
        for (String element : List.of("LRMSAbsLayerJobId", "LRMSJobId", "workingDirectory")) {
            assertThat(reserved.at(element).text()).as(element).isEqualTo("[reserved]");
        }
        assertThat(reserved.at("CREAMInputSandboxURI").text()).startsWith("gsiftp://");
    }

    @Test
    void theListHoldsIdsOnly() throws Exception {
        server.jobs.listed = List.of(new JobId(1), new JobId(999_999_999));
        XmlResponse response = ok("JobList", "", "JobListResponse");
        assertThat(response.names(XmlResponse.T)).containsExactly("result", "result");
        assertThat(response.child("result", 1).names(XmlResponse.T)).containsExactly("id", "creamURL");
        assertThat(response.child("result", 1).at("id").text()).isEqualTo("CREAM999999999");
    }
}
