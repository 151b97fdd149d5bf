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
        TlsConfig config = parse(Map.of("crl-mode", "REQUIRE", "refresh", "2 h"));
        assertThat(config.trust().crlMode()).isEqualTo(CrlCheckingMode.REQUIRE);
        assertThat(config.trust().refresh()).isEqualTo(Duration.ofHours(2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "crl-mode | maybe | tls.crl-mode: maybe is not one of require, if-valid, ignore",
                "refresh | soon | tls.refresh: soon is not a number with a unit",
                "refresh | 10 | tls.refresh: 10 is not a number with a unit",
                "refresh | 0s | tls.refresh: PT0S is not between 1 second and 1 day",
                "refresh | 2d | tls.refresh: PT48H is not between",
                "ca-dir | /no/such | tls.ca-dir: /no/such is not a readable directory",
                "voms-dir | /no/such | tls.voms-dir: /no/such is not a readable directory",
                "host-key | /no/such | tls.host-key: /no/such is not a readable file",
                "host-certificate | /no/such | tls.host-certificate: /no/such is not a readable file"
            })
    void badValuesAreNamed(String key, String value, String message) {
        assertThatThrownBy(() -> parse(Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void anEmptyCaDirectoryIsNoTrust() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThatThrownBy(() -> parse(Map.of("ca-dir", empty.toString())))
                .hasMessageContaining("holds no CA certificate");
    }

    private static TlsConfig parse(Map<String, String> values) {
        Map<String, String> all = new HashMap<>(Map.of(
                "host-certificate", pki.hostCertificate().toString(),
                "host-key", pki.hostKey().toString(),
                "ca-dir", pki.certificates().toString(),
                "voms-dir", pki.vomsdir().toString()));
        all.putAll(values);
        return TlsConfig.parse(all::get);
    }
}
