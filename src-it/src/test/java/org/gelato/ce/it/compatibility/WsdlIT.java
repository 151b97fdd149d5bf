package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocket;
import org.gelato.ce.it.badinput.RawClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The descriptions that both services publish, and the bytes on the wire around a call. */
@ExtendWith(SharedSite.class)
class WsdlIT {
    private static ConformanceSite site;

    @BeforeAll
    static void start(ConformanceSite shared) {
        site = shared;
    }

    @ParameterizedTest
    @ValueSource(strings = {RawClient.CREAM2, RawClient.DELEGATION, "/" + RawClient.CREAM2, "/" + RawClient.DELEGATION})
    void thePortsAddressIsTheConfiguredOne(String path) {
        assertThat(site.wsdl(path)).contains("location=\"" + site.url() + path.replace("//", "/") + "\"");
    }

    @Test
    void theAddressIsTheConfiguredOneWhateverTheHostHeaderSays() throws IOException {
        String response = exchange(
                "GET " + RawClient.CREAM2 + "?wsdl HTTP/1.1\r\nHost: alias.example:9999\r\nConnection: close\r\n\r\n",
                "");
        assertThat(response)
                .contains("location=\"" + site.url() + RawClient.CREAM2 + "\"")
                .doesNotContain("alias.example");
    }

    @ParameterizedTest
    @EnumSource(WireOperation.class)
    void everyOperationIsDescribed(WireOperation operation) {
        String wsdl = site.wsdl(operation.path());
        assertThat(wsdl)
                .contains("operation name=\"" + operation.wsdlName() + "\"")
                .contains("soapAction=\"" + operation.action() + "\"");
    }

    /** The original opens a connection for each call, announces it, and sends large requests in pieces. */
    @Test
    void aCallInPiecesOnAConnectionOfItsOwn() throws IOException {
        String document = Envelope.original("", Bodies.serviceInfo(0));
        String response = exchange(
                "POST //ce-cream/services/CREAM2 HTTP/1.1\r\nHost: localhost:"
                        + site.ce().port()
                        + "\r\nUser-Agent: gSOAP/2.8\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: "
                        + document.length()
                        + "\r\nAccept-Encoding: gzip,deflate\r\nConnection: close\r\n"
                        + "SOAPAction: \"http://glite.org/2007/11/ce/cream/ServiceInfo\"\r\n\r\n",
                document);
        assertThat(response).startsWith("HTTP/1.1 200").contains("ServiceInfoResponse");
    }

    /** Sends a head and a body in pieces, and reads until the CE closes the connection. */
    private static String exchange(String head, String body) throws IOException {
        OriginalClient alice = site.user("Alice of bytes");
        try (SSLSocket socket = alice.raw().connect()) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            int piece = 100;
            for (int i = 0; i < body.length(); i += piece) {
                socket.getOutputStream()
                        .write(body.substring(i, Math.min(body.length(), i + piece))
                                .getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
            }
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .lines()
                    .collect(Collectors.joining("\n"));
        }
    }
}
