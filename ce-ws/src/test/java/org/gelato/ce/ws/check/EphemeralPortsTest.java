package org.gelato.ce.ws.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.ws.config.KeyOrigins;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EphemeralPortsTest {
    @TempDir
    Path settings;

    private EphemeralPorts host(String range, String reserved) throws IOException {
        Files.writeString(settings.resolve("ip_local_port_range"), range + "\n");
        Files.writeString(settings.resolve("ip_local_reserved_ports"), reserved + "\n");
        return EphemeralPorts.in(settings);
    }

    @ParameterizedTest
    @CsvSource({
        "32768\t60999, '', false",
        "1024\t65535, '', true",
        "8443\t8443, '', true",
        "8444\t65535, '', false",
        "1024\t8442, '', false",
        "1024\t65535, 8443, false",
        "1024\t65535, '2811,8000-8442,8444', true",
        "1024\t65535, '2811,8000-9000', false",
    })
    void aPortIsEphemeralInTheRangeUnlessItIsReserved(String range, String reserved, boolean ephemeral)
            throws IOException {
        assertThat(host(range, reserved).include(8443)).isEqualTo(ephemeral);
    }

    @Test
    void whatCannotBeReadHasNoPort() throws IOException {
        assertThat(EphemeralPorts.in(settings.resolve("none")).include(8443)).isFalse();
        assertThat(host("many", "").include(8443)).isFalse();
    }

    @Test
    void theWarningsHaveTheOneLineThatReservesAllPorts() throws IOException {
        Path file = Files.writeString(settings.resolve("gelato.conf"), "gelato.port = 8443\n");
        Findings findings = new Findings(KeyOrigins.of(file));
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("gelato.port", 8443);
        ports.put("gelato.gridftp.port", 2811);
        ports.put("gelato.free", 443);

        PlacesCheck.unreserved(ports, host("1024\t65535", "9000"), findings);
        PlacesCheck.unreserved(ports, host("1024\t65535", "2811,8443"), findings);

        assertThat(findings.all())
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding.text())
                        .startsWith("warning")
                        .contains("(1024 to 65535)", "net.ipv4.ip_local_reserved_ports = 9000,8443,2811 in"));
        assertThat(findings.all().get(1).text()).contains("gelato.gridftp.port", "port 2811 is an ephemeral port");
    }
}
