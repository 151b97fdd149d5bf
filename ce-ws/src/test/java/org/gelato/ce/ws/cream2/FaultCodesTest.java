package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.soap.SoapFault;
import org.gelato.ce.ws.soap.SoapServer;
import org.gelato.ce.ws.soap.XmlResponse;
import org.gelato.ce.ws.web.HttpFaults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each code has a text and a status in HTTP, faults in SOAP, and is in the head of the response in both; its advice is not said twice. */
class FaultCodesTest extends Cream2TestBase {
    private final Cream2Faults faults = new Cream2Faults(Clock.systemUTC());

    @ParameterizedTest
    @EnumSource
    void eachCodeHasTextsAndAStatusOfACall(FaultCode code) {
        ServiceException failure = new ServiceException(code, "the words", "the cause");
        assertThat(HttpFaults.code(failure)).isEqualTo(code);
        assertThat(HttpFaults.status(code)).isBetween(400, 503);
        assertThat(HttpFaults.text(failure)).contains("the words");
        SoapFault fault = faults.of("JobStatus", failure);
        assertThat(fault.code()).isEqualTo(code);
        assertThat(fault.text()).isNotBlank();
        assertThat(fault.detail().getLocalPart()).endsWith("Fault");
        assertThat(fault.fields()).containsKeys("MethodName", "Timestamp", "ErrorCode", "Description");
        assertThat(fault.client())
                .as("blamed as by HTTP, or by one of CREAM's faults that blame the server")
                .isIn(
                        fault.detail().getLocalPart().equals("GenericFault")
                                ? List.of(true, false)
                                : List.of(HttpFaults.status(code) < 500));
    }

    @ParameterizedTest
    @EnumSource
    void eachCodeHasTextsOfAJob(FaultCode code) throws IOException {
        JobFault fault = new JobFault(code, null);
        assertThat(fault.text()).isNotBlank();
        String words = new JobFault(code, "the cause").text();
        assertThat(words).isNotBlank().doesNotContain("%");
        code.advice()
                .ifPresent(advice ->
                        assertThat(advice).isNotBlank().doesNotEndWith(".").isNotEqualTo(words));
        for (String method : List.of("jobStatus", "JOB_CANCEL")) {
            ElementWriter writer = new ElementWriter();
            faults.ofJob(method, fault, writer);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            writer.flush(out);
            XmlResponse one = XmlResponse.parse(out.toString(StandardCharsets.UTF_8));
            assertThat(one.name()).endsWith("Fault");
            assertThat(one.at("Description").text()).isNotBlank();
            assertThat(one.at("MethodName").text()).isEqualTo(method);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theCodeIsInTheHeadOfTheFault(FaultCode code) throws Exception {
        server.jobs.failure = new ServiceException(code, "the words", "the cause");
        for (String filter : List.of("", "<t:jobId><t:id>CREAM000000001</t:id><t:creamURL>x</t:creamURL></t:jobId>")) {
            SoapServer.Response response = call("JobStatus", "<t:JobStatusRequest>" + filter + "</t:JobStatusRequest>");
            assertThat(response.head()).contains(FaultCode.HEADER + ": " + code);
            assertThat(response.status()).isEqualTo(code == FaultCode.UNAVAILABLE ? 503 : 500);
        }
    }

    @Test
    void whoIsRefusedAtTheGateHasACodeToo() throws Exception {
        assertThat(call("JobStatus", "<t:JobListRequest/>").head()).contains(FaultCode.HEADER + ": REQUEST_REFUSED");
        server.callers.refusal = "CN=Mallory not authorized";
        assertThat(call("JobList", "").head()).contains(FaultCode.HEADER + ": NOT_AUTHORIZED");
    }

    /** By the elements alone nobody could tell why. */
    @Test
    void refusedDescriptionsHaveTheirCodesInTheHead() throws Exception {
        server.jobs.registered = List.of(
                refused("a", new JobFault(FaultCode.DELEGATION_ENDED, "d")),
                refused("b", new JobFault(FaultCode.QUEUE_UNKNOWN, "no such queue")));
        SoapServer.Response response = call(
                "JobRegister",
                "<t:JobRegisterRequest><t:jobDescriptionList><t:JDL>[]</t:JDL></t:jobDescriptionList>"
                        + "</t:JobRegisterRequest>");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.head()).contains(FaultCode.HEADER + ": DELEGATION_ENDED,QUEUE_UNKNOWN");
    }

    private static RegisterResult refused(String ref, JobFault fault) {
        return new RegisterResult(ref, null, null, Map.of(), false, null, fault);
    }
}
