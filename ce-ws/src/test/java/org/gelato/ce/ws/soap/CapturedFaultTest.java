package org.gelato.ce.ws.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.ws.soap.SoapServer.CREAM2;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A fault is status 500 and no reason to end the connection. */
class CapturedFaultTest {
    private static final String ACCEPT = "http://glite.org/2007/11/ce/cream/AcceptNewJobSubmissions";
    private static final String LIST = "http://glite.org/2007/11/ce/cream/JobList";
    private static final String FORBIDDEN =
            Envelopes.soap11("<t:acceptNewJobSubmissions>false</t:acceptNewJobSubmissions>");

    private static SoapServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new SoapServer("");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static void assertKept(SoapServer.Response fault) {
        assertThat(fault.status()).isEqualTo(500);
        assertThat(fault.head()).startsWith("HTTP/1.1 500").doesNotContainIgnoringCase("Connection: close");
        assertThat(fault.body()).contains("Fault>");
    }

    @Test
    void aFaultOfAnOperationLeavesTheConnection() throws Exception {
        try (SoapServer.Connection connection = server.connect()) {
            assertKept(connection.call(CREAM2, ACCEPT, FORBIDDEN));
            assertKept(connection.call(CREAM2, ACCEPT, FORBIDDEN));
            assertThat(connection.call(CREAM2, LIST, Envelopes.soap11("")).status())
                    .isEqualTo(200);
            assertKept(connection.call(CREAM2, ACCEPT, FORBIDDEN));
        }
    }

    @Test
    void aFaultOfTheGateLeavesTheConnectionOfAReadRequest() throws Exception {
        server.callers.refusal = "nobody knows you";
        try (SoapServer.Connection connection = server.connect()) {
            assertKept(connection.call(CREAM2, LIST, Envelopes.soap11("")));
            assertKept(connection.call(CREAM2, LIST, Envelopes.soap11("")));
        } finally {
            server.callers.refusal = null;
        }
    }

    @Test
    void aRequestThatWasNotReadToItsEndEndsTheConnection() throws Exception {
        try (SoapServer.Connection connection = server.connect()) {
            SoapServer.Response fault = connection.call(CREAM2, LIST, "<!DOCTYPE x><x/>");
            assertThat(fault.status()).isEqualTo(500);
            assertThat(fault.head()).containsIgnoringCase("Connection: close");
            assertThat(connection.isAtItsEnd()).isTrue();
        }
    }
}
