package org.gelato.ce.it.gridftp;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.ProxyBuilder;

/** A user who works as the original client does: registers, uploads and fetches by GridFTP, starts. */
final class OldClient {
    static final Path URL_COPY = Path.of("/usr/bin/globus-url-copy");

    private static final String TYPES = "http://glite.org/2007/11/ce/cream/types";
    private static final String ACTION = "http://glite.org/2007/11/ce/cream/";
    private static final String DELEGATION = "gridftp";
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final SiteCe ce;
    private final Path proxyFile;
    private final SiteUser user;
    private final GridCredential credential;
    private final HttpClient http;
    private boolean delegated;

    /** What a program did. */
    record Outcome(int exit, String text) {}

    /** A registered job: its local id and where its files go and come from. */
    record Job(String id, String input, String output) {}

    /** @param fqans of the proxy; none for those everybody has */
    OldClient(SiteCe ce, String name, String... fqans) {
        this.ce = ce;
        credential = ce.pki().user(name);
        ProxyBuilder proxyOf = ce.pki().proxy(credential);
        // The name itself need not be one of a file here.
        proxyFile = ce.base().resolve("proxy-" + Integer.toHexString(name.hashCode()) + "-" + fqans.length + ".pem");
        (fqans.length == 0 ? proxyOf : proxyOf.fqans(fqans)).write(proxyFile);
        user = new SiteUser(ce, proxyFile);
        http = HttpClient.newBuilder()
                .sslContext(ce.tls(GridCredential.read(proxyFile)))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    GridCredential credential() {
        return credential;
    }

    SiteUser user() {
        return user;
    }

    Job register(String jdl) throws Exception {
        if (!delegated) {
            user.must("", "delegate", DELEGATION);
            delegated = true;
        }
        String response = call(
                "JobRegister",
                "<t:JobRegisterRequest><t:jobDescriptionList jobDescriptionId=\"JobName_1\"><t:JDL>" + jdl
                        + "</t:JDL><t:delegationId>" + DELEGATION + "</t:delegationId><t:autoStart>false</t:autoStart>"
                        + "</t:jobDescriptionList></t:JobRegisterRequest>");
        return new Job(
                found(response, "<[^>]*id>(CREAM[0-9]{9})<"),
                found(response, "CREAMInputSandboxURI</[^>]*>\\s*<[^>]*value>([^<]*)<"),
                found(response, "CREAMOutputSandboxURI</[^>]*>\\s*<[^>]*value>([^<]*)<"));
    }

    void start(Job job) throws Exception {
        call("JobStart", filter("JobStartRequest", job));
    }

    /** The output sandbox as JobInfo returns it to {@code glite-ce-job-output}. */
    String outputUri(Job job) throws Exception {
        return found(call("JobInfo", filter("JobInfoRequest", job)), "CREAMOutputSandboxURI>([^<]*)<");
    }

    private static String filter(String element, Job job) {
        return "<t:" + element + "><t:jobId><t:id>" + job.id()
                + "</t:id><t:creamURL>https://localhost</t:creamURL></t:jobId></t:" + element + ">";
    }

    private static String found(String text, String pattern) {
        Matcher m = Pattern.compile(pattern).matcher(text);
        if (!m.find()) {
            throw new AssertionError("no " + pattern + " in " + text);
        }
        return m.group(1);
    }

    private String call(String operation, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + ce.port() + "/ce-cream/services/CREAM2"))
                .timeout(TIMEOUT)
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"" + ACTION + operation + "\"")
                .POST(HttpRequest.BodyPublishers.ofString("<s:Envelope xmlns:s=\""
                        + "http://schemas.xmlsoap.org/soap/envelope/\" xmlns:t=\"" + TYPES + "\"><s:Body>" + body
                        + "</s:Body></s:Envelope>"))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new AssertionError(operation + " answered " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    /** Runs globus-url-copy with the user's proxy. */
    Outcome copy(String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of("timeout", "60", URL_COPY.toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("X509_USER_PROXY", proxyFile.toString());
        builder.environment().put("X509_CERT_DIR", ce.pki().certificates().toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), text);
    }

    /** Copies and expects it to go well. */
    void mustCopy(String... args) throws Exception {
        Outcome outcome = copy(args);
        if (outcome.exit() != 0) {
            throw new AssertionError("globus-url-copy " + String.join(" ", args) + ": " + outcome);
        }
    }
}
