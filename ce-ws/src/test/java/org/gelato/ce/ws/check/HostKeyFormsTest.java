package org.gelato.ce.ws.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.impl.CertificateUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.gelato.ce.core.fixture.Bash;
import org.gelato.ce.ws.config.KeyOrigins;
import org.gelato.ce.ws.credential.HostCredential;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Host certificates and keys in the forms that openssl writes: the CE serves with them, and the check accepts them. */
class HostKeyFormsTest {
    private static final String REQUEST = "openssl req -x509 -days 9 -subj /DC=org/CN=ce.example.org -nodes";

    /** A certificate and its key below a CA that is below a root. */
    private static final String AUTHORITY =
            "openssl req -x509 -subj /CN=root -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem;"
                    + " openssl req -new -subj /CN=below -newkey rsa:2048 -nodes -keyout below.key -out request;"
                    + " openssl x509 -req -set_serial 7 -extfile <(echo basicConstraints=CA:TRUE) -in request -CA ca.pem -CAkey ca.key -out below;"
                    + " openssl req -new -subj /DC=org/CN=ce.example.org -newkey rsa:2048 -nodes -keyout key.pem -out request;"
                    + " openssl x509 -req -set_serial 8 -in request -CA below -CAkey below.key -out cert";

    @TempDir
    Path site;

    private Findings found;

    /** As a CE and its client have it: then keys on curves are BouncyCastle's, whose names for them differ from Java's. */
    @BeforeAll
    static void configure() {
        CertificateUtils.configureSecProvider();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RSA, as requests have it  | REQUEST -newkey rsa:2048 -keyout key.pem -out cert.pem",
                "RSA, traditional          | REQUEST -newkey rsa:2048 -keyout key -out cert.pem; openssl rsa -traditional -in key -out key.pem",
                "RSA of an export          | REQUEST -newkey rsa:2048 -keyout key -out cert; EXPORT",
                "RSA, text before          | REQUEST -newkey rsa:2048 -keyout key.pem -text -out cert.pem",
                "RSA, lines of Windows     | REQUEST -newkey rsa:2048 -keyout key.pem -out cert.pem; sed -i s/$/\\\\r/ key.pem cert.pem",
                "RSA, both in both files   | REQUEST -newkey rsa:2048 -keyout key -out cert; cat cert key >key.pem; cat key cert >cert.pem",
                "RSA, CAs before it        | AUTHORITY; cat ca.pem below cert ca.pem >cert.pem",
                "RSA, CAs in any order     | AUTHORITY; cat cert ca.pem below cert >cert.pem",
                "RSA, another's after it   | AUTHORITY; REQUEST -newkey rsa:2048 -keyout other -out other.pem; cat cert other.pem >cert.pem",
                "P-256                     | REQUEST -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -keyout key.pem -out cert.pem",
                "P-384                     | REQUEST -newkey ec -pkeyopt ec_paramgen_curve:secp384r1 -keyout key.pem -out cert.pem",
                "P-256 with its parameters | openssl ecparam -name prime256v1 -genkey -out key.pem; REQUEST -key key.pem -out cert.pem",
                "P-384, traditional        | openssl ecparam -name secp384r1 -genkey -noout -out key.pem; REQUEST -key key.pem -out cert.pem",
                "P-256 of an export        | REQUEST -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -keyout key -out cert; EXPORT",
            })
    void theCeServesWithIt(String form, String commands) throws Exception {
        run(commands.replace("AUTHORITY", AUTHORITY)
                .replace("REQUEST", REQUEST)
                .replace(
                        "EXPORT",
                        "openssl pkcs12 -export -passout pass:x -in cert -inkey key -out p12;"
                                + " openssl pkcs12 -passin pass:x -in p12 -nokeys -out cert.pem;"
                                + " openssl pkcs12 -passin pass:x -in p12 -nocerts -nodes -out key.pem"));
        Path certificate = site.resolve("cert.pem");
        Path key = site.resolve("key.pem");

        HostCredential host = new HostCredential(certificate, key, "ce.example.org", Clock.systemUTC());

        X509Certificate issued = CredentialCheck.certificate(certificate, key, findings());
        assertThat(found.all()).isEmpty();
        for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
            assertThat(handshake(host, issued, protocol)).as(protocol).isEqualTo(issued);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "password, traditional | REQUEST -newkey rsa:2048 -keyout key; openssl rsa -traditional -aes128 -passout pass:x -in key -out key.pem | has a password",
                "password, PKCS#8      | REQUEST -newkey rsa:2048 -keyout key; openssl pkcs8 -topk8 -passout pass:x -in key -out key.pem | has a password",
                "Edwards               | REQUEST -newkey ed25519 -keyout key.pem | is of the kind Ed",
                "RSA for PSS alone     | REQUEST -newkey rsa-pss -pkeyopt rsa_keygen_bits:2048 -keyout key.pem | is of the kind RSASSA-PSS: one of RSA",
                "half of it            | REQUEST -newkey rsa:2048 -keyout key; head -n 9 key >key.pem | no private key in PEM form",
                "of another, RSA       | REQUEST -newkey rsa:2048 -keyout key; openssl genrsa -out key.pem | belongs to none of the certificates",
                "of another, P-256     | openssl ecparam -name prime256v1 -genkey -out key; REQUEST -key key; openssl ecparam -name prime256v1 -genkey -out key.pem"
                        + " | belongs to none of the certificates",
            })
    void aKeyThatCannotServeIsNamedByCeAndCheck(String form, String commands, String reason) throws Exception {
        run(commands.replace("REQUEST", REQUEST + " -out cert.pem"));
        Path certificate = site.resolve("cert.pem");
        Path key = site.resolve("key.pem");

        assertThatThrownBy(() -> new HostCredential(certificate, key, "ce.example.org", Clock.systemUTC()))
                .hasMessageContaining(reason);
        CredentialCheck.certificate(certificate, key, findings());
        assertThat(found.all())
                .singleElement()
                .satisfies(finding -> assertThat(finding.text())
                        .contains(reason.startsWith("belongs") ? "is not the key of the host certificate" : reason));
    }

    @Test
    void aKeyBesideTheCertificateIsNotGivenAwayWithIt() throws Exception {
        run(
                REQUEST
                        + " -newkey rsa:2048 -keyout key -out cert; cat key cert >cert.pem; cp cert.pem key.pem; chmod 644 cert.pem");
        Path both = site.resolve("cert.pem");

        HostCredential host = new HostCredential(both, site.resolve("key.pem"), "ce.example.org", Clock.systemUTC());

        assertThat(host.certificatePem()).contains("BEGIN CERTIFICATE").doesNotContain("KEY");
        assertThat(host.secretPem().lines().filter(line -> line.startsWith("-----BEGIN")))
                .containsExactly("-----BEGIN CERTIFICATE-----", "-----BEGIN PRIVATE KEY-----");
        CredentialCheck.certificate(both, site.resolve("key.pem"), findings());
        assertThat(found.all())
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.text()).contains("tls.host-certificate", "can be read by everybody"));
    }

    private Findings findings() throws IOException {
        found = new Findings(KeyOrigins.of(Files.writeString(site.resolve("gelato.conf"), "gelato.port = 1\n")));
        return found;
    }

    private void run(String commands) throws Exception {
        Bash.run(site, commands);
    }

    /** Returns the certificate that a client sees who trusts the issued one alone. */
    private static Certificate handshake(HostCredential host, X509Certificate issued, String protocol)
            throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("host", issued);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(new KeyManager[] {host.keyManager()}, null, null);
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, trust.getTrustManagers(), null);
        try (ServerSocket listening = server.getServerSocketFactory().createServerSocket(0)) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try (SSLSocket accepted = (SSLSocket) listening.accept()) {
                    accepted.startHandshake();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (SSLSocket socket =
                    (SSLSocket) client.getSocketFactory().createSocket("localhost", listening.getLocalPort())) {
                socket.setEnabledProtocols(new String[] {protocol});
                socket.startHandshake();
                Certificate seen = socket.getSession().getPeerCertificates()[0];
                served.get(1, TimeUnit.MINUTES);
                return seen;
            }
        }
    }
}
