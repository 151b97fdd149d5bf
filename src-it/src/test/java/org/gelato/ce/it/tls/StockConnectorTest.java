package org.gelato.ce.it.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.awaitility.Awaitility;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.ws.tls.GridSslImplementation;
import org.gelato.ce.ws.tls.TlsConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A connector as server.xml of a stock Tomcat makes it: nothing but a class name and system properties. */
class StockConnectorTest {
    private static final List<String> KEYS = List.of("ca-dir", "voms-dir", "crl-mode", "refresh");

    @TempDir
    Path directory;

    @AfterEach
    void forget() {
        KEYS.forEach(k -> System.clearProperty("gelato.tls." + k));
    }

    @Test
    void theImplementationNamedInServerXmlJudgesProxies() throws Exception {
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        System.setProperty("gelato.tls.ca-dir", pki.certificates().toString());
        System.setProperty("gelato.tls.voms-dir", pki.vomsdir().toString());
        try (WhoAmIServer server = new WhoAmIServer(
                pki,
                config(pki),
                Clock.systemUTC(),
                identity -> new Caller(identity, "dteam001", false),
                Files.createDirectory(directory.resolve("tomcat")),
                connector(pki))) {
            GridCredential alice = pki.user("Alice Example");
            assertThat(server.ask(pki.proxy(alice).make()).text())
                    .isEqualTo("TLSv1.3|" + alice.subject() + "|[/dteam]|dteam|full|dteam001");
            assertThat(server.ask((GridCredential) null).status()).isEqualTo(403);
            assertThatThrownBy(() -> server.ask(pki.proxy(alice).expired().make()))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() ->
                            server.ask(pki.proxy(pki.stranger("Alice Example")).make()))
                    .isInstanceOf(IOException.class);
            assertThat(server.identities().validations()).isEqualTo(1);
        }
    }

    @Test
    void aRenewedHostCertificateCountsWithoutARestart() throws Exception {
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        System.setProperty("gelato.tls.ca-dir", pki.certificates().toString());
        System.setProperty("gelato.tls.voms-dir", pki.vomsdir().toString());
        System.setProperty("gelato.tls.refresh", "1s");
        try (WhoAmIServer server = new WhoAmIServer(
                pki,
                config(pki),
                Clock.systemUTC(),
                identity -> new Caller(identity, "dteam001", false),
                Files.createDirectory(directory.resolve("tomcat")),
                connector(pki))) {
            assertThat(server.certificate()).isEqualTo(pki.host().certificate());

            GridPki renewed = GridPki.open(directory.resolve("pki"), "localhost", "other.example.org");

            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(server.certificate())
                            .isEqualTo(renewed.host().certificate()));
        }
    }

    private static TlsConfig config(GridPki pki) {
        return TlsConfig.parse(key -> switch (key) {
            case "host-certificate" -> pki.hostCertificate().toString();
            case "host-key" -> pki.hostKey().toString();
            default -> System.getProperty("gelato.tls." + key);
        });
    }

    private static Connector connector(GridPki pki) {
        Connector connector = new Connector("HTTP/1.1");
        connector.setPort(0);
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("SSLEnabled", "true");
        connector.setProperty("sslImplementationName", GridSslImplementation.class.getName());
        SSLHostConfig host = new SSLHostConfig();
        host.setCertificateVerification("optional");
        host.setProtocols("TLSv1.2+TLSv1.3");
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateFile(pki.hostCertificate().toString());
        certificate.setCertificateKeyFile(pki.hostKey().toString());
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
        return connector;
    }
}
