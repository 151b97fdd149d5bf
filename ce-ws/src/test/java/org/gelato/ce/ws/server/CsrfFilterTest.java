package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.ws.http.AsyncExchanges;
import org.gelato.ce.ws.http.CsrfFilter;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pages of other sites make browsers send is refused before all servlets; other clients are served as before. */
class CsrfFilterTest extends ServerFixture {
    private static final String TARGET = " /ce-cream/services/Echo HTTP/1.1\r\nHost: ce.example.org:8443\r\n";
    private static final String FIREFOX = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101";

    @Override
    List<ServletContextListener> listeners(AsyncExchanges exchanges, TransferLimits limits) {
        List<ServletContextListener> all = new ArrayList<>(super.listeners(exchanges, limits));
        all.add(
                1,
                new CsrfFilter(
                        List.of(
                                "https://ce.example.org:8443",
                                "https://alias.example.org:443",
                                "https://Other.example"),
                        meters));
        return all;
    }

    /** Headers stand between bars. */
    private static String head(String method, String headers) {
        String lines =
                headers == null ? "" : headers.replace("FIREFOX", FIREFOX).replace("|", "\r\n") + "\r\n";
        return method + TARGET + lines + "Connection: close\r\n";
    }

    private String status(String request) throws IOException {
        return raw(request).split(" ", 3)[1];
    }

    @ParameterizedTest
    @CsvSource({
        "POST, Sec-Fetch-Site: cross-site|Content-Type: text/xml, cross-site",
        "POST, Sec-Fetch-Site: same-site|Content-Type: text/xml, same-site",
        "POST, Sec-Fetch-Site: CROSS-SITE|Content-Type: text/xml, CROSS-SITE",
        "POST, Sec-Fetch-Site: of-tomorrow|Content-Type: text/xml, of-tomorrow",
        "POST, Sec-Fetch-Site: none|Sec-Fetch-Site: cross-site|, cross-site",
        "POST, Sec-Fetch-Site: cross-site|Origin: https://ce.example.org:8443|Content-Type: text/xml, cross-site",
        "POST, Origin: https://evil.example|Content-Type: text/xml, gelato.http.origins",
        "POST, Origin: null|Content-Type: text/xml, gelato.http.origins",
        "POST, Origin: |Content-Type: text/xml, gelato.http.origins",
        "POST, Origin: http://ce.example.org:8443|Content-Type: text/xml, gelato.http.origins",
        "POST, Origin: https://ce.example.org|Content-Type: text/xml, gelato.http.origins",
        "POST, Origin: https://ce.example.org:8443.evil.example|Content-Type: text/xml, gelato.http.origins",
        "POST, Origin: https://other.example:8443|Content-Type: text/xml, gelato.http.origins",
        "POST, Sec-Fetch-Site: same-origin|Origin: https://rebound.example:8443|Content-Type: text/xml, rebound.example",
        "POST, Origin: https://ce.example.org:8443|Content-Type: text/plain, text/plain",
        "POST, Sec-Fetch-Site: same-origin|Content-Type: text/plain;charset=UTF-8, text/plain",
        "POST, Sec-Fetch-Mode: no-cors|Sec-Fetch-Site: none|Content-Type: Application/X-WWW-Form-URLencoded, x-www-form-urlencoded",
        "POST, Sec-Fetch-Site: none|Content-Type: multipart/form-data; boundary=a, multipart/form-data",
        "POST, FIREFOX|Content-Type: text/plain, text/plain",
        "POST, FIREFOX|Content-Type: application/x-www-form-urlencoded, x-www-form-urlencoded",
        "POST, Origin: https://ce.example.org:8443, without Content-Type",
        "POST, Sec-Fetch-Site: same-origin, without Content-Type",
        "POST, FIREFOX, without Content-Type",
        "PUT, Sec-Fetch-Site: cross-site, cross-site",
        "DELETE, Sec-Fetch-Site: cross-site, cross-site",
        "PATCH, Sec-Fetch-Site: cross-site, cross-site",
        "MKCOL, Sec-Fetch-Site: cross-site, cross-site",
        "get, Sec-Fetch-Site: cross-site, cross-site",
    })
    void aPageElsewhereChangesNothing(String method, String headers, String reason) throws IOException {
        String response = raw(head(method, headers) + "Content-Length: 1\r\n\r\nx");
        assertThat(response).startsWith("HTTP/1.1 403").contains(reason, "X-Request-Id: ");
        assertThat(meters.get("ce.http.cross.site.refused").counter().count()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        // Programs say nothing of the sort, whatever their content types.
        "POST,",
        "POST, Content-Type: text/xml; charset=utf-8",
        "POST, User-Agent: curl/7.88.1|Content-Type: application/x-www-form-urlencoded",
        "POST, User-Agent: gSOAP/2.8",
        "POST, User-Agent: Mozilla/5.0 (Windows NT; en-US) WindowsPowerShell/5.1|Content-Type: application/x-www-form-urlencoded",
        "POST, User-Agent: node|Sec-Fetch-Mode: cors|Content-Type: text/plain;charset=UTF-8",
        "POST, User-Agent: node|Sec-Fetch-Mode: cors",
        "POST, User-Agent: Java/17.0.9|Content-Type: text/plain",
        // This CE's own pages, by each of its names.
        "POST, Sec-Fetch-Site: same-origin|Origin: https://ce.example.org:8443|Content-Type: application/json",
        "POST, Origin: https://CE.example.org:8443|Content-Type: application/json",
        "POST, Origin: https://alias.example.org|Content-Type: application/json",
        "POST, Origin: https://other.example|Content-Type: application/json",
        "POST, FIREFOX|Content-Type: application/json",
    })
    void ownPagesAndProgramsAreServed(String method, String headers) throws IOException {
        assertThat(status(head(method, headers) + "Content-Length: 1\r\n\r\nx")).isEqualTo("200");
        assertThat(meters.get("ce.http.cross.site.refused").counter().count()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"GET", "HEAD", "OPTIONS", "PROPFIND"})
    void readsAreAnsweredAsBefore(String method) throws IOException {
        String request = method + " /health/live HTTP/1.1\r\nHost: ce\r\n";
        String here = status(request + "Connection: close\r\n\r\n");
        assertThat(status(request
                        + "Sec-Fetch-Site: cross-site\r\nOrigin: https://evil.example\r\nConnection: close\r\n\r\n"))
                .isEqualTo(here)
                .isNotEqualTo("403");
    }

    @Test
    void aRequestWithoutABodyNeedsNoType() throws IOException {
        String own = "Sec-Fetch-Site: same-origin|Origin: https://ce.example.org:8443";
        assertThat(status(head("POST", own) + "Content-Length: 0\r\n\r\n")).isEqualTo("200");
    }

    @Test
    void theBodyIsNotWaitedFor() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write((head("POST", "Origin: https://evil.example") + "Content-Length: 1000000\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 403");
        }
    }

    @Test
    void whatIsQuotedIsShortAndPrintable() throws IOException {
        String response =
                raw(head("POST", "Origin: https://" + "e".repeat(5000) + "\u0007") + "Content-Length: 0\r\n\r\n");
        assertThat(response).startsWith("HTTP/1.1 4").hasSizeLessThan(1500);
    }
}
