package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import org.gelato.ce.core.fixture.Bash;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates and proxies that another program made get in, so that a fault of ours is not on both sides. */
class OpensslCertificatesTest {
    @TempDir
    static Path directory;

    private static GridTrust trust;

    @BeforeAll
    static void make() throws Exception {
        Path script = directory.resolve("make.sh");
        try (InputStream in = OpensslCertificatesTest.class.getResourceAsStream("openssl-authority.sh")) {
            Files.copy(in, script);
        }
        Path site = Files.createDirectory(directory.resolve("site"));
        Bash.run(site, "umask 022; bash " + script);
        trust = new GridTrust(
                new TrustConfig(
                        site.resolve("certificates"),
                        Files.createDirectory(directory.resolve("vomsdir")),
                        CrlCheckingMode.IF_VALID,
                        Duration.ofHours(1)),
                directory.resolve("trust"));
    }

    @AfterAll
    static void close() {
        trust.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rsa   | EMAILADDRESS=jane.doe@physics.example.org,CN=Jane Doe 123456,OU=Department of Physics,"
                        + "O=The Institute of Long Names,C=XX,DC=example,DC=org",
                "ec    | CN=Elliptic Doe,O=People,DC=example,DC=org",
                "below-curve | CN=Elliptic Roe,O=People,DC=example,DC=org",
                "any   | CN=Any Policy,O=People,DC=example,DC=org",
                "robot | CN=Robot: pilots - Jane Doe,O=People,DC=example,DC=org"
            })
    void aUserGetsInByTheCertificateAndByAProxyOfIt(String name, String dn) throws Exception {
        ChainIdentities identities = new ChainIdentities(trust, Clock.systemUTC());
        for (String file : new String[] {name, name + "-whole", name + "-proxy"}) {
            assertThat(identities.identify(chain(file)).dn()).as(file).isEqualTo(dn);
        }
    }

    private static X509Certificate[] chain(String name) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(directory.resolve("site").resolve(name + ".pem"))) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        }
    }
}
