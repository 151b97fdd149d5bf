package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.lrms.type.LrmsSite.EndsShown;
import org.gelato.ce.core.lrms.type.LrmsSite.Unsupported;
import org.junit.jupiter.api.Test;

class SlurmSiteTest {
    private static Optional<Unsupported> unsupported(int exit, String output) {
        ScriptedAccounts accounts = ScriptedAccounts.answering(exit, output, "");
        Optional<Unsupported> found = new SlurmSite(SlurmConfig.DEFAULT)
                .unsupported(accounts, "dteam001")
                .join();
        assertThat(accounts.calls.get(0).line()).isEqualTo("/usr/bin/scontrol show federation");
        return found;
    }

    @Test
    void aMemberOfAFederationIsNotSupported() {
        assertThat(unsupported(0, "Federation: grid\nSelf:       here:10.0.0.1:6817 ID:1 FedState:ACTIVE Features:\n"))
                .get()
                .extracting(Unsupported::what)
                .asString()
                .contains("federation 'grid'");
    }

    private static Optional<Unsupported> withDaemon(SlurmConfig.Api api, int version) {
        return new SlurmSite(SlurmConfig.DEFAULT.withApi(api))
                .unsupported(new ScriptedDaemon(version, call -> null), "dteam001")
                .join();
    }

    @Test
    void slurmrestdAloneThatCannotBeUsedIsNotSupported() {
        assertThat(withDaemon(SlurmConfig.Api.REST, 35)).get().satisfies(found -> {
            assertThat(found.key()).isEqualTo("gelato.lrms.slurm.api");
            assertThat(found.what()).contains("as dteam001", "slurmrestd has no API");
            assertThat(found.advice()).contains("gelato.lrms.slurm.api = auto");
        });
        assertThat(withDaemon(SlurmConfig.Api.REST, 42)).isEmpty();
        assertThat(withDaemon(SlurmConfig.Api.AUTO, 35)).isEmpty();
    }

    @Test
    void aClusterByItselfAndOneThatDoesNotSayAreSupported() {
        assertThat(unsupported(0, "")).isEmpty();
        assertThat(unsupported(0, "Federation: \nSelf:       \n")).isEmpty();
        assertThat(unsupported(1, "")).isEmpty();
    }

    /** As Slurm 22.05 prints it. */
    @Test
    void howLongEndedJobsAreShownIsItsMinJobAge() {
        assertThat(shown("MaxTasksPerNode         = 512\nMinJobAge               = 2 sec\nMpiDefault = none\n"))
                .contains(new EndsShown(Duration.ofSeconds(2), "MinJobAge", "its accounting (sacct)"));
        assertThat(shown("MinJobAge               = 0 sec\n")).isEmpty();
        assertThat(shown("")).isEmpty();
    }

    private static Optional<EndsShown> shown(String settings) {
        return new SlurmSite(SlurmConfig.DEFAULT)
                .endsShown(ScriptedAccounts.answering(0, settings, ""), "dteam001")
                .join();
    }
}
