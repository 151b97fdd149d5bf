package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A small response is one write. A head and a body in two meet delayed acknowledgements, which cost clients some 40 ms for each
 * request (docs/developer/protocol/arc-rest.md).
 */
@ExtendWith(SharedCe.class)
class ArcRecordsIT {
    /** What TLS sends at the end of a connection is no longer. */
    private static final int ALERT = 24;

    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]+)");

    @Test
    void aSmallAnswerIsOneRecord(SiteCe ce) throws IOException {
        GridCredential proxy = ce.pki().proxy(ce.pki().user("Rob of records")).make();
        ArcUser user = new ArcUser(ce, proxy);
        String open = user.submit("&(executable=/bin/true)(queue=long)(inputfiles=(last.txt \"\"))");
        String ids = "{\"job\":[{\"id\":\"" + open + "\"}]}";
        String session = "/jobs/" + open + "/session";
        List<String[]> requests = List.of(
                new String[] {"200", "GET /jobs", ""},
                new String[] {"201", "POST /jobs?action=status", ids},
                new String[] {"201", "POST /jobs?action=info", ids},
                new String[] {"201", "POST /jobs?action=new", "&(executable=/bin/true)(queue=long)"},
                new String[] {"201", "POST /delegations?action=new", ""},
                new String[] {"200", "GET /delegations", ""},
                new String[] {"200", "PUT " + session + "/a.txt", "text"},
                new String[] {"200", "GET " + session + "/a.txt", ""},
                new String[] {"200", "HEAD " + session + "/a.txt", ""},
                new String[] {"200", "GET " + session, ""},
                new String[] {"200", "PROPFIND " + session, ""},
                new String[] {"200", "DELETE " + session + "/a.txt", ""},
                new String[] {"404", "GET " + session + "/a.txt", ""},
                new String[] {"200", "GET /jobs/" + open + "/diagnose/status", ""},
                new String[] {"404", "GET /nowhere", ""},
                new String[] {"201", "POST /jobs?action=kill", ids});
        for (String[] request : requests) {
            isOneRecord(ce, proxy, request);
        }
        // The connection ends with these.
        isOneRecord(ce, proxy, new String[] {"501", "POST /jobs?action=dance", ids});
        isOneRecord(ce, proxy, new String[] {"400", "POST /jobs?action=kill", "{"});
    }

    private static void isOneRecord(SiteCe ce, GridCredential proxy, String[] request) throws IOException {
        try (RecordedSocket plain = new RecordedSocket(ce.port());
                SSLSocket socket = (SSLSocket)
                        ce.tls(proxy).getSocketFactory().createSocket(plain, "localhost", ce.port(), true)) {
            // The first answer comes with what TLS sends after the handshake.
            assertThat(exchange(socket, "GET /jobs", "")).startsWith("HTTP/1.1 200");
            plain.records();
            String response = exchange(socket, request[1], request[2]);
            assertThat(response).as(request[1]).startsWith("HTTP/1.1 " + request[0]);
            assertThat(plain.records().stream().filter(length -> length > ALERT))
                    .as("records of %s, of %s bytes: %s", request[1], response.length(), response)
                    .hasSize(1);
        }
    }

    private static String exchange(SSLSocket socket, String request, String body) throws IOException {
        String head = request.replaceFirst(" ", " /arex/rest/1.0")
                + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json" + "\r\nContent-Length: " + body.length()
                + "\r\n\r\n";
        socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        while (!header.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed without a response: " + header);
            }
            header.write(b);
        }
        Matcher length = LENGTH.matcher(header.toString(StandardCharsets.US_ASCII));
        assertThat(length.find()).as(header.toString(StandardCharsets.US_ASCII)).isTrue();
        int size = request.startsWith("HEAD ") ? 0 : Integer.parseInt(length.group(1));
        return header + new String(in.readNBytes(size), StandardCharsets.UTF_8);
    }
}
