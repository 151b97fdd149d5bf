package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.core.lrms.type.LrmsSite.EndsShown;
import org.gelato.ce.lrms.torque.TorqueConfig.Dialect;
import org.junit.jupiter.api.Test;

class TorqueSiteTest {
    private static TorqueSite site(Dialect dialect, Path accounting, String server) {
        return new TorqueSite(Records.with(
                TorqueConfig.DEFAULT,
                "dialect",
                dialect,
                "accountingDirectory",
                accounting,
                "server",
                server == null ? "" : server));
    }

    private static Optional<EndsShown> shown(Path accounting, String server) {
        return site(Dialect.TORQUE, accounting, null)
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

    @Test
    void aServerIsKnownByItsName() {
        TorqueSite site = site(Dialect.TORQUE, null, "Torque.example.org");
        ScriptedAccounts accounts =
                ScriptedAccounts.answering(0, "Server: Torque.example.org\n    server_state = Active\n", "");
        assertThat(site.identity(accounts, null).join()).contains("server torque.example.org");
        assertThat(accounts.calls).singleElement().satisfies(call -> {
            assertThat(call.line()).isEqualTo("/usr/bin/qstat -B -f Torque.example.org");
            assertThat(site.helperLines()).extracting(HelperLine::text).contains("self_executable=" + call.line());
        });
        assertThat(site.identity(ScriptedAccounts.answering(111, "", "cannot connect"), null))
                .isCompletedExceptionally();
        assertThat(site(Dialect.SLURM, null, null).identity(accounts, null).join())
                .isEmpty();
    }
}
