package org.gelato.ce.perf.trivial;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.gelato.ce.cli.credential.TlsClient;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.ServerJvm;
import org.gelato.ce.testkit.site.FreePort;

/** Starts {@link TrivialServer} in a JVM with the CE's options, without an archive of classes, and takes the time to its first response. */
public final class TrivialProcess {
    private static final String CALL = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
            + "<t:ping xmlns:t=\"" + TrivialService.NAMESPACE + "\"/></s:Body></s:Envelope>";
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final int TIMEOUT_MILLIS = 5000;
    private static final long LOOK_MILLIS = 10;
    private static final int OK = 200;

    private TrivialProcess() {}

    /**
     * One start, and the end by SIGKILL.
     *
     * @return from the making of the process to the response of the operation
     */
    public static Duration start(PerfSite site) {
        int port = FreePort.choose();
        SSLSocketFactory sockets = TlsClient.socketFactory(site.pki().certificates());
        Process process = null;
        try {
            Path directory = Files.createDirectories(site.base().resolve("trivial"));
            List<String> command = ServerJvm.plain();
            command.addAll(List.of(
                    TrivialServer.class.getName(),
                    Integer.toString(port),
                    directory.toString(),
                    site.pki().hostCertificate().toString(),
                    site.pki().hostKey().toString()));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(site.base().resolve("trivial.log").toFile());
            long begin = System.nanoTime();
            process = builder.start();
            await(process, URI.create("https://localhost:" + port + TrivialServer.PATH), sockets, begin);
            return Duration.ofNanos(System.nanoTime() - begin);
        } catch (IOException e) {
            throw new UncheckedIOException("the trivial server: " + e.getMessage(), e);
        } finally {
            end(process);
        }
    }

    private static void await(Process process, URI uri, SSLSocketFactory sockets, long begin) {
        while (!answers(uri, sockets)) {
            if (!process.isAlive() || System.nanoTime() - begin > LONGEST.toNanos()) {
                throw new IllegalStateException("the trivial server does not respond");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private static boolean answers(URI uri, SSLSocketFactory sockets) {
        try {
            HttpsURLConnection connection = (HttpsURLConnection) uri.toURL().openConnection();
            connection.setSSLSocketFactory(sockets);
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "text/xml; charset=utf-8");
            connection.setRequestProperty("SOAPAction", "\"\"");
            try (OutputStream out = connection.getOutputStream()) {
                out.write(CALL.getBytes(StandardCharsets.UTF_8));
            }
            if (connection.getResponseCode() != OK) {
                return false;
            }
            try (InputStream in = connection.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8).contains("pong");
            }
        } catch (IOException e) {
            return false;
        }
    }

    private static void end(Process process) {
        if (process == null) {
            return;
        }
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
