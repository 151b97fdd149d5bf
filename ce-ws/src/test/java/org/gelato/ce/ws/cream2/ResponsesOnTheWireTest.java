package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.event.JobEvent;
import org.gelato.ce.core.job.CommandState;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.lease.Lease;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.json.JobDetail;
import org.gelato.ce.ws.soap.Envelopes;
import org.gelato.ce.ws.soap.SoapServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses have the bytes that Metro and JAXB wrote when they wrote them: those were recorded, and are the files beside this class. */
class ResponsesOnTheWireTest extends Cream2TestBase {
    private static final Instant T1 = Instant.parse("2026-01-01T10:00:00Z");
    private static final String ODD =
            "<a href='x' b=\"y\">&amp; ]]> \u00e4\u20ac\ud83d\ude00 \t|\r\n|\n\u0085\u2028\u007f";

    @AfterEach
    void forgetMore() {
        server.jobEvents.events = List.of();
        server.admission.state = new Admission.State(true, null, server.admission.state.thresholds());
    }

    @ParameterizedTest
    @CsvSource({
        "JobStatus, <t:JobStatusRequest/>",
        "JobInfo, <t:JobInfoRequest/>",
        "JobList, ''",
        "QueryEvent, <t:QueryEventRequest><t:eventType>JOB_STATUS</t:eventType></t:QueryEventRequest>",
        "JobCancel, <t:JobCancelRequest/>",
        "JobSetLeaseId, <t:JobSetLeaseIdRequest><t:jobFilter/></t:JobSetLeaseIdRequest>",
        "JobRegister, <t:JobRegisterRequest><t:jobDescriptionList><t:JDL>[]</t:JDL></t:jobDescriptionList></t:JobRegisterRequest>",
        "getLeaseList, ''"
    })
    void areTheBytesThatMetroWrote(String operation, String body) throws Exception {
        assertResponse("empty", operation, body);
        fill();
        assertResponse("full", operation, body);
    }

    @ParameterizedTest
    @CsvSource({
        "setLease, <t:setLeaseRequest><t:leaseId>L1</t:leaseId></t:setLeaseRequest>",
        "getLease, <t:getLeaseRequest>L1</t:getLeaseRequest>",
        "deleteLease, <t:deleteLeaseRequest>L1</t:deleteLeaseRequest>"
    })
    void soAreThoseOfOneThing(String operation, String body) throws Exception {
        fill();
        assertResponse("full", operation, body);
    }

    @ParameterizedTest
    @CsvSource({
        "getServiceMetadata, <key>a &lt;&#13;</key>",
        "getNewProxyReq, ''",
        "getTerminationTime, <delegationID>d</delegationID>",
        "destroy, <delegationID>d</delegationID>"
    })
    void soAreThoseOfTheDelegationService(String operation, String parts) throws Exception {
        String body = "<d:" + operation + ">" + parts + "</d:" + operation + ">";
        assertSame(
                operation + "-11.xml",
                server.call(SoapServer.DELEGATION, "", Envelopes.soap11(body)),
                "text/xml;charset=utf-8");
        assertSame(
                operation + "-12.xml",
                server.call(SoapServer.DELEGATION, "application/soap+xml", "", Envelopes.soap12(body)),
                "application/soap+xml;charset=utf-8");
    }

    private static void fill() {
        JobStatus registered = new JobStatus(JobState.REGISTERED, T1, null, null, null);
        JobStatus failed = new JobStatus(JobState.DONE_FAILED, T1.plusMillis(1234), "3", ODD, "");
        server.jobs.listed = List.of(new JobId(1), new JobId(999_999_999));
        server.jobs.statuses = List.of(
                new JobStatusResult("CREAM000000007", failed, null),
                new JobStatusResult("CREAM000000008", registered, null),
                new JobStatusResult(ODD, null, new JobFault(FaultCode.JOB_UNKNOWN, null)));
        JobFault unknown = new JobFault(FaultCode.JOB_UNKNOWN, ODD);
        server.jobs.commanded = List.of(new CommandResult("CREAM000000007", null), new CommandResult(ODD, unknown));
        server.jobs.registered = List.of(
                new RegisterResult("a\n" + ODD, new JobId(7), Path.of("/sandbox/7"), Map.of("n", "v"), true, "d", null),
                new RegisterResult(null, new JobId(8), Path.of("/sandbox/8"), Map.of(), false, "d", null),
                new RegisterResult(
                        "", null, null, Map.of(), false, null, new JobFault(FaultCode.DELEGATION_ENDED, "d <1>")));
        server.leases.kept = List.of(new Lease("L <1>", T1.plusMillis(5)), new Lease("L2", T1));
        server.admission.state = new Admission.State(false, ODD, "Threshold <1>");
        JobInfo full = new JobInfo(
                new JobId(7),
                "https://lb/grid1",
                "4711",
                false,
                "deleg1",
                "[ isRFC=\"true\" ]",
                "wn1",
                "dteam001",
                "/sandbox/CREAM000000007",
                ODD + "\u0007\u0000\uffff",
                "Normal",
                "L1",
                T1.plusSeconds(60),
                List.of(registered, failed),
                List.of(
                        CommandRecord.done(CommandKind.JOB_REGISTER, null, T1),
                        new CommandRecord(CommandKind.JOB_START, CommandState.ERROR, "d", ODD, T1, null, null, 1)),
                Map.of(JobDetail.QUEUE, "cert"),
                null);
        JobInfo sparse = new JobInfo(
                new JobId(8),
                null,
                null,
                true,
                null,
                null,
                null,
                null,
                "/sandbox/CREAM000000008",
                "[ Executable = \"/bin/sleep\"; ]\n",
                "Normal",
                null,
                null,
                List.of(registered),
                List.of(),
                Map.of(JobDetail.QUEUE, "cert"),
                null);
        server.jobs.infos = List.of(
                new JobInfoResult("CREAM000000007", full, null),
                new JobInfoResult("CREAM000000008", sparse, null),
                new JobInfoResult(ODD, null, new JobFault(FaultCode.DATE_MISMATCH, null)));
        server.jobEvents.events = List.of(
                new JobEvent(41, new JobId(7), failed, "https://lb/grid1?a&b", "wn1"),
                new JobEvent(42, new JobId(8), registered, null, null));
    }

    private static void assertResponse(String what, String operation, String body) throws IOException {
        String action = "http://glite.org/2007/11/ce/cream/" + operation;
        SoapServer.Response soap11 = server.call(SoapServer.CREAM2, action, Envelopes.soap11(body));
        SoapServer.Response soap12 = server.call(
                SoapServer.CREAM2,
                "application/soap+xml; charset=utf-8; action=\"" + action + "\"",
                "",
                Envelopes.soap12(body));
        assertSame(operation + "-" + what + "-11.xml", soap11, "text/xml;charset=utf-8");
        assertSame(operation + "-" + what + "-12.xml", soap12, "application/soap+xml;charset=utf-8");
    }

    private static void assertSame(String file, SoapServer.Response response, String type) throws IOException {
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        assertThat(response.head().toLowerCase(Locale.ROOT)).contains("content-type: " + type);
        try (InputStream recorded = ResponsesOnTheWireTest.class.getResourceAsStream(file)) {
            assertThat(response.body())
                    .isEqualTo(
                            new String(Objects.requireNonNull(recorded, file).readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
