package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.lrms.type.LrmsSite.EndsShown;
import org.gelato.ce.lrms.torque.TorqueConfig.Dialect;
import org.gelato.ce.lrms.torque.TorqueConfig.GpuStyle;
import org.junit.jupiter.api.Test;

class TorqueSiteTest {
    private static Optional<EndsShown> shown(Path accounting, String server) {
        TorqueConfig config = new TorqueConfig(
                Path.of("/usr/bin"),
                Dialect.TORQUE,
                accounting,
                null,
                1,
                GpuStyle.NODES,
                null,
                Duration.ofSeconds(60),
                true,
                null);
        return new TorqueSite(config)
                .endsShown(ScriptedAccounts.answering(0, server, ""), "dteam001")
                .join();
    }

    @Test
    void howLongEndedJobsAreShownIsKeepCompletedOfTheServer() {
        assertThat(shown(null, "Server: vm\n    server_state = Active\n    keep_completed = 20\n"))
                .contains(new EndsShown(Duration.ofSeconds(20), "keep_completed", null));
        assertThat(shown(Path.of("/var/spool/torque"), "Server: vm\n    server_state = Active\n"))
                .contains(new EndsShown(Duration.ZERO, "keep_completed", "its accounting log"));
    }
}
