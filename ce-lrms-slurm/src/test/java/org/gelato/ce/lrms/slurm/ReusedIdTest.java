package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.junit.jupiter.api.Test;

class ReusedIdTest {
    @Test
    void anIdThatWasGivenOutAgainIsNoLongerTheJobs() {
        ScriptedAccounts accounts =
                SlurmScript.accounts((call, mark) -> CompletableFuture.completedFuture(new Completed(
                        0,
                        false,
                        "13|" + mark + "|dteam001|RUNNING|0|0:00|1|wn0|N/A||None|cream_000000001\n14|" + mark
                                + "|dteam001|PENDING|0|0:00|1||N/A||Priority|cream_000000009\n",
                        "")));
        assertThat(new SlurmLrms(SlurmConfig.DEFAULT, accounts, Runnable::run)
                        .stillTheirs(List.of(
                                new Lookup("cream_000000001", "dteam001", "13"),
                                new Lookup("cream_000000002", "dteam001", "14"),
                                new Lookup("cream_000000003", "dteam001", "15")))
                        .join())
                .containsExactly("13");
        assertThat(accounts.calls).as("by name, then by comment").hasSize(2);
    }
}
