package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.gelato.ce.ws.soap.Envelopes;
import org.gelato.ce.ws.soap.SoapServer;
import org.gelato.ce.ws.soap.XmlResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The job service over fakes, called as the recorded client does: double slash, quoted SOAPAction, SOAP 1.1. */
abstract class Cream2TestBase {
    static SoapServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new SoapServer("");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void forget() {
        server.callers.refusal = null;
        server.callers.admin = false;
        server.leases.failure = null;
        server.leases.calls.clear();
        server.leases.kept = List.of();
        server.jobs.failure = null;
        server.jobs.calls.clear();
        server.jobs.commanded = List.of();
        server.jobs.statuses = List.of();
        server.jobs.infos = List.of();
        server.jobs.registered = List.of();
        server.jobs.listed = List.of();
    }

    static SoapServer.Response call(String operation, String body) throws IOException {
        return server.call(
                "/" + SoapServer.CREAM2, "http://glite.org/2007/11/ce/cream/" + operation, Envelopes.soap11(body));
    }

    /** The response element of a call that works. */
    static XmlResponse ok(String operation, String body, String response) throws IOException {
        return response(call(operation, body), response);
    }

    static XmlResponse response(SoapServer.Response answer, String response) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.xml().at("Body").names(XmlResponse.T)).containsExactly(response);
        return answer.xml().at("Body", response);
    }

    /** The fault element of a call that fails. */
    static XmlResponse fault(SoapServer.Response response, String element, String code, String text) {
        assertThat(response.status()).as(response.body()).isEqualTo(500);
        XmlResponse fault = response.xml().at("Body", "Fault");
        assertThat(fault.at("faultcode").text()).endsWith(":" + code);
        assertThat(fault.at("faultstring").text()).isEqualTo(text);
        assertThat(fault.at("detail").names(XmlResponse.T)).containsExactly(element);
        return fault.at("detail", element);
    }

    static void assertFields(XmlResponse fault, String method, String code, String description, String cause) {
        assertThat(fault.names(XmlResponse.T))
                .startsWith("MethodName", "Timestamp", "ErrorCode", "Description")
                .hasSize(cause == null ? 4 : 5);
        assertThat(fault.at("MethodName").text()).isEqualTo(method);
        assertThat(fault.at("Timestamp").text()).isEqualTo("2026-01-02T03:04:05.678Z");
        assertThat(fault.at("ErrorCode").text()).isEqualTo(code);
        assertThat(fault.at("Description").text()).isEqualTo(description);
        if (cause != null) {
            assertThat(fault.at("FaultCause").text()).isEqualTo(cause);
        }
    }
}
