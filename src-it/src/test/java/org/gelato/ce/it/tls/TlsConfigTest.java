package org.gelato.ce.it.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.ws.tls.TlsConfig;
import org.gelato.ce.ws.tls.TrustConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsConfigTest {
    @TempDir
    static Path directory;

    private static GridPki pki;

    @BeforeAll
    static void make() {
        pki = GridPki.open(directory.resolve("pki"), "localhost");
    }

    @Test
    void defaultsAreCautious() {
        TlsConfig config = parse(Map.of());
        assertThat(config.trust().crlMode()).isEqualTo(CrlCheckingMode.IF_VALID);
        assertThat(config.trust().refresh()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void everyKeyIsRead() {
        TlsConfig config = parse(Map.of("crl", "REQUIRE", "refresh", "2 h"));
        assertThat(config.trust().crlMode()).isEqualTo(CrlCheckingMode.REQUIRE);
        assertThat(config.trust().refresh()).isEqualTo(Duration.ofHours(2));
    }

    /** A stock Tomcat has them in its options. */
    @Test
    void theOlderNamesWork() {
        assertThat(TrustConfig.parse(Map.of(
                                "ca-dir", pki.certificates().toString(),
                                "voms-dir", pki.vomsdir().toString(),
                                "crl-mode", "require")::get)
                        .crlMode())
                .isEqualTo(CrlCheckingMode.REQUIRE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "crl | maybe | gelato.tls.crl: maybe is not one of require, if-valid, ignore",
                "refresh | soon | gelato.tls.refresh: soon is not a number with a unit",
                "refresh | 10 | gelato.tls.refresh: 10 is not a number with a unit",
                "refresh | 0s | gelato.tls.refresh: 0 s is not between 1 second and 1 day",
                "refresh | 2d | gelato.tls.refresh: 2 d is not between",
                "ca-directory | /no/such | gelato.tls.ca-directory: /no/such is not a readable directory",
                "voms-directory | /no/such | gelato.tls.voms-directory: /no/such is not a readable directory",
                "host-key | /no/such | gelato.tls.host-key: /no/such is not a readable file",
                "host-certificate | /no/such | gelato.tls.host-certificate: /no/such is not a readable file"
            })
    void badValuesAreNamed(String key, String value, String message) {
        assertThatThrownBy(() -> parse(Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void anEmptyCaDirectoryIsNoTrust() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThatThrownBy(() -> parse(Map.of("ca-directory", empty.toString())))
                .hasMessageContaining("holds no CA certificate");
    }

    private static TlsConfig parse(Map<String, String> values) {
        Map<String, String> all = new HashMap<>(Map.of(
                "host-certificate", pki.hostCertificate().toString(),
                "host-key", pki.hostKey().toString(),
                "ca-directory", pki.certificates().toString(),
                "voms-directory", pki.vomsdir().toString()));
        all.putAll(values);
        return TlsConfig.parse(all::get);
    }
}
