package org.gelato.ce.it.sandbox;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;

/** Speaks to the file end points, and registers jobs without starting them. */
final class SandboxClient {
    private static final Pattern JOB_ID = Pattern.compile("CREAM[0-9]{9}");
    private static final String TYPES = "http://glite.org/2007/11/ce/cream/types";

    private final SiteCe ce;
    private final SSLContext tls;
    private final HttpClient http;

    /** @param credential null for a client without certificate */
    SandboxClient(SiteCe ce, GridCredential credential) {
        this.ce = ce;
        tls = ce.tls(credential);
        http = HttpClient.newBuilder()
                .sslContext(tls)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    SSLContext tls() {
        return tls;
    }

    SSLSocket connect() throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("localhost", ce.port());
        socket.setSoTimeout(60_000);
        return socket;
    }

    HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://localhost:" + ce.port() + path))
                .timeout(Duration.ofMinutes(1))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        return http.send(
                (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofByteArray());
    }

    int status(String method, String path, byte[] body, String... headers) throws Exception {
        return send(method, path, body, headers).statusCode();
    }

    /** A job of this client that waits for its input. */
    String register(String jdl, String delegation) throws Exception {
        String response = soap(
                "JobRegister",
                "<t:JobRegisterRequest xmlns:t=\"" + TYPES + "\"><t:jobDescriptionList><t:JDL>" + jdl
                        + "</t:JDL><t:delegationId>" + delegation
                        + "</t:delegationId><t:autoStart>false</t:autoStart></t:jobDescriptionList>"
                        + "</t:JobRegisterRequest>");
        Matcher id = JOB_ID.matcher(response);
        if (!id.find()) {
            throw new AssertionError(response);
        }
        return id.group();
    }

    void start(String job) throws Exception {
        soap(
                "JobStart",
                "<t:JobStartRequest xmlns:t=\"" + TYPES + "\"><t:jobId><t:id>" + job
                        + "</t:id><t:creamURL>https://localhost/x</t:creamURL></t:jobId></t:JobStartRequest>");
    }

    private String soap(String operation, String body) throws Exception {
        HttpResponse<byte[]> response = send(
                "POST",
                "/ce-cream/services/CREAM2",
                ("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + body
                                + "</s:Body></s:Envelope>")
                        .getBytes(StandardCharsets.UTF_8),
                "Content-Type",
                "text/xml; charset=utf-8",
                "SOAPAction",
                "\"http://glite.org/2007/11/ce/cream/" + operation + "\"");
        String text = new String(response.body(), StandardCharsets.UTF_8);
        if (response.statusCode() != 200) {
            throw new AssertionError(text);
        }
        return text;
    }
}
