package org.gelato.ce.ws.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerConfigurationTest {
    private static ServerConfiguration of(String sandbox, String address, String dataPorts) {
        return new ServerConfiguration(new GridFtpConfig(
                true,
                "ce.example.org",
                address,
                2811,
                Path.of("/usr/sbin/server"),
                dataPorts,
                100,
                null,
                Path.of("/h"),
                Path.of(sandbox),
                Path.of("/h/ca")));
    }

    @Test
    void theSiteSValuesAreSaidInTheServerSWords() {
        assertThat(of("/sandbox", "192.0.2.1", "50000-51000").text().lines())
                .contains(
                        "port 2811",
                        "restrict_paths RW/sandbox",
                        "allow_anonymous 0",
                        "connections_max 100",
                        "port_range 50000,51000",
                        "control_interface 192.0.2.1",
                        "data_interface 192.0.2.1",
                        "$X509_USER_CERT /h/hostcredential.pem",
                        "$X509_USER_KEY /h/hostcredential.pem",
                        "$X509_CERT_DIR /h/ca",
                        "$GRIDMAP /h/grid-mapfile");
    }

    @Test
    void whatIsNotSaidIsLeftToTheServer() {
        assertThat(of("/sandbox", "", "").text()).doesNotContain("port_range", "interface");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/sand box", "/sand,/etc", "/sand\n/etc", "/sand\"", "/$HOME", "/a#b"})
    void aPathThatWouldSaySomethingElseIsRefused(String path) {
        assertThatThrownBy(() -> of(path, "", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(path);
    }
}
