package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.soap.Envelopes;
import org.gelato.ce.ws.soap.SoapServer;
import org.gelato.ce.ws.soap.XmlResponse;
import org.junit.jupiter.api.Test;

class RegisterTest extends Cream2TestBase {
    private static final String JDL =
            "[ QueueName = \"long\"; BatchSystem = \"slurm\"; Executable = \"/bin/sleep\"; Arguments = \"3 &lt; 4\" ]";

    private static RegisterResult stored(String ref, int number, Map<String, String> more) {
        return new RegisterResult(
                ref, new JobId(number), Path.of("/sandbox/dteam/ab/CREAM" + number), more, false, null, null);
    }

    private static RegisterResult refused(String ref, FaultCode kind, String cause) {
        return new RegisterResult(ref, null, null, Map.of(), false, null, new JobFault(kind, cause));
    }

    @Test
    void descriptionsArriveAsTheyWereSentAndResultsEchoTheirIds() throws Exception {
        server.admitted.clear();
        Map<String, String> more = new LinkedHashMap<>();
        more.put("DB_ID", "1767225600000");
        server.jobs.registered = List.of(
                stored("JobName_1", 100_000_007, more),
                refused("JobName_2", FaultCode.GENERIC, "Executable: mandatory attribute missing"));
        XmlResponse response = ok(
                "JobRegister",
                "<t:JobRegisterRequest><t:jobDescriptionList jobDescriptionId=\"JobName_1\"><t:JDL>" + JDL
                        + "</t:JDL><t:delegationId> deleg1 </t:delegationId><t:leaseId>L1</t:leaseId>"
                        + "<t:autoStart>false</t:autoStart></t:jobDescriptionList>"
                        + "<t:jobDescriptionList jobDescriptionId=\"JobName_2\"><t:JDL>[]</t:JDL>"
                        + "<t:delegationProxy>-----BEGIN\nX\n</t:delegationProxy></t:jobDescriptionList>"
                        + "</t:JobRegisterRequest>",
                "JobRegisterResponse");

        assertThat(server.jobs.descriptions)
                .containsExactly(
                        new JobDescription(
                                "JobName_1", Jdl.LANGUAGE, JDL.replace("&lt;", "<"), "deleg1", null, "L1", false),
                        new JobDescription("JobName_2", Jdl.LANGUAGE, "[]", null, "-----BEGIN\nX\n", null, true));
        assertThat(server.jobs.iceId).isNull();
        assertThat(response.names(XmlResponse.T)).containsExactly("result", "result");
        XmlResponse first = response.child("result", 0);
        assertThat(first.attribute("jobDescriptionId")).isEqualTo("JobName_1");
        assertThat(first.names(XmlResponse.T)).containsExactly("jobId");
        assertThat(first.at("jobId").names(XmlResponse.T))
                .containsExactly("id", "creamURL", "property", "property", "property", "property", "property");
        assertThat(first.at("jobId", "id").text()).isEqualTo("CREAM100000007");
        assertThat(first.at("jobId", "creamURL").text())
                .isEqualTo("https://ce.example.org:8443/ce-cream/services/CREAM2");
        assertProperty(first, 0, "CREAMInputSandboxURI", "gsiftp://ce.example.org/sandbox/dteam/ab/CREAM100000007/ISB");
        assertProperty(
                first, 1, "CREAMOutputSandboxURI", "gsiftp://ce.example.org/sandbox/dteam/ab/CREAM100000007/OSB");
        assertProperty(first, 2, "DB_ID", "1767225600000");
        assertThat(server.admitted).as("admitted before the response").hasSize(1);
        assertProperty(first, 3, "HTTPSInputSandboxURI", "https://ce.example.org:8443/ce-cream/input/CREAM100000007");
        assertProperty(first, 4, "HTTPSOutputSandboxURI", "https://ce.example.org:8443/ce-cream/output/CREAM100000007");
        XmlResponse second = response.child("result", 1);
        assertThat(second.attribute("jobDescriptionId")).isEqualTo("JobName_2");
        assertThat(second.names(XmlResponse.T)).containsExactly("GenericFault");
        assertFields(
                second.at("GenericFault"),
                "jobRegister",
                "0",
                "system error",
                "Executable: mandatory attribute missing");
    }

    private static void assertProperty(XmlResponse result, int n, String name, String value) {
        XmlResponse property = result.at("jobId").child("property", n);
        assertThat(property.names(XmlResponse.T)).containsExactly("name", "value");
        assertThat(property.at("name").text()).isEqualTo(name);
        assertThat(property.at("value").text()).isEqualTo(value);
    }

    @Test
    void withoutIdNoneIsEchoedAndUnknownElementsAndOrderDoNotMatter() throws Exception {
        server.jobs.registered = List.of(stored(null, 100_000_008, Map.of()));
        XmlResponse response = ok(
                "JobRegister",
                "<t:JobRegisterRequest><t:jobDescriptionList><t:autoStart/><x:y xmlns:x='urn:x'><x:z/></x:y>"
                        + "<t:delegationId>d</t:delegationId><t:JDL>[]</t:JDL><t:news>1</t:news>"
                        + "</t:jobDescriptionList></t:JobRegisterRequest>",
                "JobRegisterResponse");
        assertThat(response.at("result").attribute("jobDescriptionId")).isNull();
        assertThat(server.jobs.descriptions)
                .containsExactly(new JobDescription(null, Jdl.LANGUAGE, "[]", "d", null, null, true));
    }

    @Test
    void theIceHeaderIsUnderstood() throws Exception {
        server.jobs.registered = List.of(stored("a", 1, Map.of()));
        for (String must : new String[] {"", " E:mustUnderstand=\"1\""}) {
            server.jobs.iceId = null;
            SoapServer.Response answer = server.call(
                    SoapServer.CREAM2,
                    "http://glite.org/2007/11/ce/cream/JobRegister",
                    Envelopes.soap11(
                            "<wsa:Action xmlns:wsa='http://www.w3.org/2005/08/addressing'>x</wsa:Action><t:iceId" + must
                                    + ">ice.example.org_1</t:iceId>",
                            "<t:JobRegisterRequest><t:jobDescriptionList jobDescriptionId='a'><t:JDL>[]</t:JDL>"
                                    + "<t:autoStart>true</t:autoStart></t:jobDescriptionList></t:JobRegisterRequest>"));
            response(answer, "JobRegisterResponse");
            assertThat(server.jobs.iceId).isEqualTo("ice.example.org_1");
        }
    }

    private SoapServer.Response keyed(String... keys) throws Exception {
        StringBuilder headers = new StringBuilder("SOAPAction: \"http://glite.org/2007/11/ce/cream/JobRegister\"\r\n");
        for (String key : keys) {
            headers.append("idempotency-key: ").append(key).append("\r\n");
        }
        return server.call(
                SoapServer.CREAM2,
                "text/xml; charset=utf-8",
                headers.toString(),
                Envelopes.soap11(
                        "",
                        "<t:JobRegisterRequest><t:jobDescriptionList jobDescriptionId='a'><t:JDL>[]</t:JDL>"
                                + "</t:jobDescriptionList></t:JobRegisterRequest>"));
    }

    @Test
    void theIdempotencyKeyOfTheHttpHeaderArrives() throws Exception {
        server.jobs.registered = List.of(stored("a", 1, Map.of()));
        response(keyed("one-key_1/~"), "JobRegisterResponse");
        assertThat(server.jobs.key).isEqualTo("one-key_1/~");
        response(keyed(), "JobRegisterResponse");
        assertThat(server.jobs.key).isNull();
    }

    @Test
    void anUnusableIdempotencyKeyIsAFaultAndNothingIsRegistered() throws Exception {
        for (String[] keys : new String[][] {{""}, {"a b"}, {"k".repeat(256)}, {"one", "two"}}) {
            SoapServer.Response response = keyed(keys);
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.body())
                    .contains("InvalidArgumentFault", "Idempotency-Key must be one value of 1 to 255");
        }
        assertThat(server.jobs.calls).isEmpty();
    }

    @Test
    void anUnknownMandatoryHeaderIsAFault() throws Exception {
        SoapServer.Response response = server.call(
                SoapServer.CREAM2,
                "http://glite.org/2007/11/ce/cream/JobRegister",
                Envelopes.soap11(
                        "<t:eatId E:mustUnderstand=\"1\">x</t:eatId>",
                        "<t:JobRegisterRequest><t:jobDescriptionList><t:JDL>[]</t:JDL></t:jobDescriptionList>"
                                + "</t:JobRegisterRequest>"));
        assertThat(response.status()).isEqualTo(500);
        assertThat(response.xml().at("Body", "Fault", "faultcode").text()).endsWith(":MustUnderstand");
        assertThat(server.jobs.calls).isEmpty();
    }

    @Test
    void everyKindOfRefusalHasItsElement() throws Exception {
        String cause = "delegation [delegId=x; dn=CN=Alice,O=Test; localUser=dteam001] not found!";
        server.jobs.registered = List.of(
                refused("a", FaultCode.DELEGATION_MISSING, null),
                refused("b", FaultCode.DELEGATION_UNKNOWN, "x"),
                refused("c", FaultCode.DELEGATION_ENDED, "x"),
                refused("d", FaultCode.LEASE_UNKNOWN, "L"));
        XmlResponse response = ok(
                "JobRegister",
                "<t:JobRegisterRequest>" + "<t:jobDescriptionList><t:JDL>[]</t:JDL></t:jobDescriptionList>".repeat(4)
                        + "</t:JobRegisterRequest>",
                "JobRegisterResponse");
        assertFields(
                response.child("result", 0).at("DelegationIdMismatchFault"),
                "jobRegister",
                "0",
                "delegation id not specified!",
                "N/A");
        assertFields(
                response.child("result", 1).at("DelegationProxyFault"),
                "jobRegister",
                "0",
                "delegation error: put proxy failed!",
                cause);
        assertFields(
                response.child("result", 2).at("DelegationProxyFault"),
                "jobRegister",
                "0",
                "the delegation [id=x] is not more valid!;",
                "delegation proxy expired!");
        assertFields(
                response.child("result", 3).at("LeaseIdMismatchFault"),
                "jobRegister",
                "0",
                "lease id not found!",
                "lease id \"L\" not found!");
    }

    @Test
    void aDescriptionWithoutJdlIsRefused() throws Exception {
        XmlResponse fault = fault(
                call("JobRegister", "<t:JobRegisterRequest><t:jobDescriptionList/></t:JobRegisterRequest>"),
                "InvalidArgumentFault",
                "Client",
                "JDL not specified!");
        assertFields(fault, "jobRegister", "0", "JDL not specified!", null);
        fault(
                call("JobRegister", "<t:JobRegisterRequest/>"),
                "InvalidArgumentFault",
                "Client",
                "job description not specified!");
        assertThat(server.jobs.calls).isEmpty();
    }

    @Test
    void refusedSubmissionReportsTheLimit() throws Exception {
        server.jobs.failure = ServiceException.disabled("active jobs: 5001, limit 5000");
        String text = "The CREAM service cannot accept jobs at the moment";
        XmlResponse fault = fault(
                call(
                        "JobRegister",
                        "<t:JobRegisterRequest><t:jobDescriptionList><t:JDL>[]</t:JDL></t:jobDescriptionList>"
                                + "</t:JobRegisterRequest>"),
                "JobSubmissionDisabledFault",
                "Server",
                text);
        assertFields(fault, "jobRegister", "0", text, "active jobs: 5001, limit 5000");
    }
}
