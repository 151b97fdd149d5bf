package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.json.JobDetail;
import org.gelato.ce.ws.soap.Envelopes;
import org.gelato.ce.ws.soap.SoapServer;
import org.gelato.ce.ws.soap.XmlResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests by ids alone and registrations, as most are: a header that may be ignored changes neither what they mean nor what they get. */
class ListedCallsTest extends Cream2TestBase {
    private static final String STRANGE = "<t:strange>x</t:strange>";

    private static final Instant T1 = Instant.parse("2026-01-01T10:00:00Z");
    private static final String IDS = "<t:jobId><t:id>CREAM1</t:id><t:creamURL>https://x/CREAM2</t:creamURL></t:jobId>"
            + "<t:jobId><t:id> https://ce:8443/CREAM2\n</t:id></t:jobId>";

    private static SoapServer.Response call(String operation, String header, String body) throws Exception {
        return server.call(
                "/" + SoapServer.CREAM2,
                "http://glite.org/2007/11/ce/cream/" + operation,
                Envelopes.soap11(header, "<t:" + operation + "Request>" + body + "</t:" + operation + "Request>"));
    }

    private static String headWithoutDateAndId(SoapServer.Response response) {
        return response.head().replaceAll("(Date|X-Request-Id): .*\r\n", "");
    }

    private static void fill() {
        JobFault gone = new JobFault(FaultCode.JOB_UNKNOWN, null);
        JobStatus registered = new JobStatus(JobState.REGISTERED, T1, null, null, null);
        server.jobs.statuses = List.of(
                new JobStatusResult("CREAM1", registered, null),
                new JobStatusResult("https://ce:8443/CREAM2 <&\u00e4", null, gone));
        server.jobs.commanded =
                List.of(new CommandResult("CREAM1", null), new CommandResult("https://ce:8443/CREAM2 <&\u00e4", gone));
        server.jobs.infos = List.of(
                new JobInfoResult("CREAM2", null, gone),
                new JobInfoResult(
                        "CREAM1",
                        new JobInfo(
                                new JobId(1),
                                null,
                                null,
                                true,
                                null,
                                null,
                                null,
                                "dteam001",
                                "/s",
                                "[ ]",
                                "Normal",
                                null,
                                null,
                                List.of(registered),
                                List.of(CommandRecord.done(CommandKind.JOB_REGISTER, null, T1)),
                                Map.of(JobDetail.QUEUE, "q"),
                                null),
                        null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"JobStatus", "JobInfo", "JobStart", "JobCancel", "JobPurge", "JobSuspend", "JobResume"})
    void meanAndGetTheSameWithAStrangeHeader(String operation) throws Exception {
        fill();
        server.metered.clear();
        SoapServer.Response withHeader = call(operation, STRANGE, IDS);
        JobFilter meant = server.jobs.filter;
        server.jobs.filter = null;
        SoapServer.Response listed = call(operation, "", IDS);
        assertThat(server.jobs.filter)
                .isEqualTo(meant)
                .isEqualTo(JobFilter.ofIds(List.of("CREAM1", "https://ce:8443/CREAM2")));
        assertThat(server.jobs.calls).hasSize(2);
        assertThat(listed.body()).isEqualTo(withHeader.body());
        assertThat(headWithoutDateAndId(listed)).isEqualTo(headWithoutDateAndId(withHeader));
        assertThat(listed.status()).isEqualTo(200);

        server.jobs.failure = ServiceException.invalid("because");
        withHeader = call(operation, STRANGE, IDS);
        listed = call(operation, "", IDS);
        assertThat(listed.status()).isEqualTo(withHeader.status()).isEqualTo(500);
        assertThat(listed.xml().at("Body", "Fault").names(""))
                .isEqualTo(withHeader.xml().at("Body", "Fault").names(""));
        assertThat(listed.xml().at("Body", "Fault", "faultstring").text())
                .isEqualTo(withHeader.xml().at("Body", "Fault", "faultstring").text());
        assertThat(server.metered)
                .containsExactly(
                        "CREAM2 " + operation + " OK",
                        "CREAM2 " + operation + " OK",
                        "CREAM2 " + operation + " REFUSED",
                        "CREAM2 " + operation + " REFUSED");
    }

    @Test
    void registrationsMeanAndGetTheSame() throws Exception {
        String descriptions =
                "<t:jobDescriptionList jobDescriptionId='d 1'><t:JDL>[ a = \"&lt;&amp;\u00e4\"; ]\n</t:JDL>"
                        + "<t:autoStart> false </t:autoStart><t:delegationId> d\n</t:delegationId><t:leaseId>L</t:leaseId>"
                        + "<t:delegationProxy>p\nq</t:delegationProxy></t:jobDescriptionList>"
                        + "<t:jobDescriptionList><t:JDL><![CDATA[[ b ]]]></t:JDL><t:autoStart/></t:jobDescriptionList>"
                        + "<t:jobDescriptionList jobDescriptionId=''><t:JDL>[]</t:JDL><t:autoStart>1</t:autoStart><t:delegationId/>"
                        + "</t:jobDescriptionList><t:jobDescriptionList><t:JDL>[]</t:JDL><t:autoStart>0</t:autoStart>"
                        + "</t:jobDescriptionList><t:jobDescriptionList><t:JDL>[]</t:JDL></t:jobDescriptionList>";
        server.jobs.registered = List.of(
                new RegisterResult("d <1", new JobId(7), Path.of("/s/ab"), Map.of("n", "v"), true, "d", null),
                new RegisterResult(
                        null, null, null, Map.of(), false, null, new JobFault(FaultCode.LEASE_UNKNOWN, null)));
        SoapServer.Response withHeader = call("JobRegister", STRANGE, descriptions);
        List<JobDescription> meant = server.jobs.descriptions;
        server.jobs.descriptions = null;
        SoapServer.Response listed = call("JobRegister", "", descriptions);
        assertThat(server.jobs.descriptions).isEqualTo(meant).hasSize(5);
        assertThat(listed.body()).isEqualTo(withHeader.body());
        assertThat(headWithoutDateAndId(listed)).isEqualTo(headWithoutDateAndId(withHeader));
    }

    @Test
    void areRefusedWithAHeaderThatMustBeUnderstood() throws Exception {
        SoapServer.Response refused = call("JobPurge", "<t:strange E:mustUnderstand=\"1\">x</t:strange>", IDS);
        assertThat(refused.status()).isEqualTo(500);
        assertThat(refused.xml().at("Body", "Fault", "faultcode").text()).isEqualTo("S:MustUnderstand");
        assertThat(refused.xml().at("Body", "Fault", "faultstring").text()).contains("}strange]");
        SoapServer.Response soap12 = server.call(
                SoapServer.CREAM2,
                "application/soap+xml",
                "",
                Envelopes.soap12("<t:JobPurgeRequest>" + IDS + "</t:JobPurgeRequest>")
                        .replace("<E:Body>", "<E:Header><t:strange E:mustUnderstand=\"true\"/></E:Header><E:Body>"));
        assertThat(soap12.xml().at("Header").names(XmlResponse.SOAP_12)).containsExactly("NotUnderstood");
        assertThat(soap12.xml().at("Body", "Fault", "Code", "Value").text()).isEqualTo("S:MustUnderstand");
        assertThat(server.jobs.calls).isEmpty();
    }

    /** A fault repeats names of headers: not all of them, and no long ones. */
    @Test
    void manyHeadersWithALongNamespaceMakeNoLongFault() throws Exception {
        for (int length : new int[] {200, 7000}) {
            String header = "<a:b xmlns:a=\"urn:" + "u".repeat(length) + "\" E:mustUnderstand=\"1\"/>";
            assertThat(call("JobPurge", header.repeat(500), IDS).body())
                    .hasSizeLessThan(4000)
                    .contains("MustUnderstand");
        }
        for (String name : new String[] {"x", "t:" + "x".repeat(900)}) {
            SoapServer.Response refused = server.call(
                    SoapServer.CREAM2,
                    "application/soap+xml",
                    "",
                    Envelopes.soap12("<t:JobPurgeRequest>" + IDS + "</t:JobPurgeRequest>")
                            .replace(
                                    "<E:Body>",
                                    "<E:Header><" + name + " E:mustUnderstand=\"true\"/></E:Header><E:Body>"));
            assertThat(refused.xml().at("Body", "Fault", "Code", "Value").text())
                    .isEqualTo("S:MustUnderstand");
            assertThat(refused.xml().at("Header").names(XmlResponse.SOAP_12)).containsExactly("NotUnderstood");
        }
        assertThat(server.jobs.calls).isEmpty();
    }

    /** One that was intended to choose jobs must not mean all. */
    @Test
    void aLeaseIsSetOfNoJobsByAFilterThatIsNoneOrOther() throws Exception {
        for (String filter : new String[] {
            "<t:jobFilter xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:nil=\"true\"/>",
            "<t:jobFilter><jobId><t:id>CREAM000000001</t:id></jobId></t:jobFilter>",
            "<t:jobFilter><t:jobID><t:id>CREAM000000001</t:id></t:jobID></t:jobFilter>"
        }) {
            SoapServer.Response refused = call("JobSetLeaseId", "", filter + "<t:newLeaseId>l</t:newLeaseId>");
            assertThat(refused.status()).as(refused.body()).isEqualTo(500);
        }
        assertThat(server.jobs.calls).isEmpty();
    }
}
