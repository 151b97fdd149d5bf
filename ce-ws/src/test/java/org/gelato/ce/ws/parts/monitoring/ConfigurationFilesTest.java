package org.gelato.ce.ws.parts.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.ws.http.HealthCheck.Outcome;
import org.junit.jupiter.api.Test;

class ConfigurationFilesTest {
    private static final Path GRIDMAP = Path.of("/etc/grid-security/grid-mapfile");
    private static final Path BANS = Path.of("/etc/grid-security/ban");

    private final Map<Path, String> authorization = new HashMap<>(Map.of(GRIDMAP, "", BANS, ""));
    private final Map<Path, String> trust = new HashMap<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ConfigurationFiles files = new ConfigurationFiles(meters, List.of(() -> authorization, () -> trust));

    private double broken(Path file) {
        files.meter();
        return meters.get("ce.configuration.file.broken")
                .tag("file", file.toString())
                .gauge()
                .value();
    }

    @Test
    void aFileWithALineThatIsLeftOutDegradesTheCeUntilItIsMended() {
        authorization.put(GRIDMAP, "line 3: \"/DC=org/CN=Some Body dteam001\" is no entry");
        assertThat(files.check().check().join()).isEqualTo(Outcome.degraded("broken, see the log: " + GRIDMAP));
        assertThat(List.of(broken(GRIDMAP), broken(BANS))).containsExactly(1.0, 0.0);
        authorization.put(GRIDMAP, "");
        assertThat(files.check().check().join()).isEqualTo(new Outcome(true, "in force"));
        assertThat(broken(GRIDMAP)).isZero();
    }

    /** Any client may read them. */
    @Test
    void filesOfEachPartAreNamedAndNotTheirContent() {
        authorization.put(BANS, "line 1: a secret");
        trust.put(Path.of("/etc/grid-security/certificates/a.r0"), "damaged");
        assertThat(files.check().check().join().detail())
                .contains(BANS.toString(), "a.r0")
                .doesNotContain("secret", "damaged");
    }
}
