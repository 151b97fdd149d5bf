package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.type.HelperLine;
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
        return new SlurmSite(Records.with(SlurmConfig.DEFAULT, "api", api))
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

    private static CompletableFuture<Optional<String>> identity(int exit, String settings) {
        ScriptedAccounts accounts = ScriptedAccounts.answering(exit, settings, "Unable to contact slurm controller");
        SlurmSite site = new SlurmSite(SlurmConfig.DEFAULT);
        CompletableFuture<Optional<String>> identity = site.identity(accounts, null);
        assertThat(accounts.calls).singleElement().satisfies(call -> {
            assertThat(call.account()).isEqualTo(AccountCommands.SELF);
            assertThat(site.helperLines()).extracting(HelperLine::text).contains("self_executable=" + call.line());
        });
        return identity;
    }

    /** As Slurm 22.05 prints it. */
    @Test
    void aClusterIsKnownByItsNameAndTheHostOfItsController() {
        assertThat(identity(
                                0,
                                "ClusterName             = Gelato\nSlurmctldHost[0]        = vm(127.0.0.1)\n"
                                        + "SlurmctldHost[1]        = spare\n")
                        .join())
                .contains("cluster gelato of vm");
        assertThat(identity(0, "ClusterName             = Gelato\nSlurmctldHost[0]        = other\n")
                        .join())
                .contains("cluster gelato of other");
        assertThat(identity(0, "").join()).isEmpty();
        assertThat(identity(1, "")).isCompletedExceptionally();
    }
}
