package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.Submissions;
import org.junit.jupiter.api.Test;

/** Which job of the batch system is which of ours. */
class JobIdentityTest {
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
                        .stillOwned(List.of(
                                new Lookup("cream_000000001", "dteam001", "13"),
                                new Lookup("cream_000000002", "dteam001", "14"),
                                new Lookup("cream_000000003", "dteam001", "15")))
                        .join())
                .containsExactly("13");
        assertThat(accounts.calls).as("by name, then by comment").hasSize(2);
    }

    /** The site's plugin gives every job another name and comment. */
    @Test
    void aJobIsFoundByItsDirectoryOrByIdAccountAndTime() {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(
                0,
                !call.program().equals("squeue") || call.line().contains("--name=")
                        ? ""
                        : "5|MARK|1795213716|/sb/CREAM000000001|MARK|dteam001|RUNNING|0|0:00|1|wn0|N/A||None|site-job|x\n"
                                        .replace("MARK", mark)
                                + "6|MARK|1795213716|/sb/CREAM000000001|MARK|dteam001|RUNNING|0|0:00|1|wn0|N/A||None|its|own\n"
                                        .replace("MARK", mark),
                ""));
        SlurmLrms lrms = new SlurmLrms(SlurmConfig.DEFAULT, accounts, Runnable::run);
        Lookup known = new Lookup("cream_000000001", "dteam001", "5");
        assertThat(lrms.find(List.of(known)).join().get(known.tag()).lrmsId()).isEqualTo("5");
        assertThat(lrms.stillOwned(List.of(known)).join()).containsExactly("5");
        assertThat(lrms.find(Submissions.sought("dteam001", known.tag()))
                        .join()
                        .get(known.tag())
                        .lrmsId())
                .as("of a lost hand-over the older, which the other was submitted by")
                .isEqualTo("5");
        Lookup gone = new Lookup("cream_000000001", "dteam001", "4");
        assertThat(lrms.find(List.of(gone)).join()).isEmpty();
        assertThat(lrms.stillOwned(List.of(gone)).join()).isEmpty();
    }

    @Test
    void aJobThatDoesNotSeeItsSandboxIsFollowedByIdAccountAndTime() {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(
                0,
                !call.program().equals("squeue")
                        ? ""
                        : "5|MARK|1795213716|/|MARK|dteam001|RUNNING|0|0:00|1|wn0|N/A||None|site-job|x\n"
                                .replace("MARK", mark),
                ""));
        SlurmLrms lrms =
                new SlurmLrms(Records.with(SlurmConfig.DEFAULT, "nodesSeeSandboxes", false), accounts, Runnable::run);
        Instant handedOver = Instant.ofEpochSecond(1795213717);
        Lookup known = new Lookup("cream_000000001", "dteam001", "5", handedOver);
        assertThat(lrms.poll(List.of("5")).join()).singleElement().matches(job -> job.isOf(known));
        assertThat(lrms.poll(List.of("6")).join()).isEmpty();
        assertThat(lrms.find(List.of(known)).join()).containsOnlyKeys(known.tag());
        assertThat(lrms.stillOwned(List.of(known)).join()).containsExactly("5");
        Lookup earlier = new Lookup("cream_000000001", "dteam001", "5", handedOver.minusSeconds(3600));
        assertThat(lrms.stillOwned(List.of(earlier)).join())
                .as("the id was given again")
                .isEmpty();
        assertThat(new SlurmLrms(SlurmConfig.DEFAULT, accounts, Runnable::run)
                        .poll(List.of("5"))
                        .join())
                .as("jobs begin in sandboxes")
                .isEmpty();
    }

    /** Slurm 22.05 shows of a job that was queued again when that was, in place of when it was submitted. */
    @Test
    void aNamelessJobThatWasQueuedAgainIsFollowed() {
        AtomicReference<String> submitted = new AtomicReference<>("1795213716+0");
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(
                0,
                !call.program().equals("squeue")
                        ? ""
                        : "5|MARK|AT|/|MARK|dteam001|PENDING|0|0:00|1||N/A||BeginTime|site-job|x\n"
                                .replace("MARK", mark)
                                .replace("AT", submitted.get()),
                ""));
        SlurmLrms lrms =
                new SlurmLrms(Records.with(SlurmConfig.DEFAULT, "nodesSeeSandboxes", false), accounts, Runnable::run);
        Instant handedOver = Instant.ofEpochSecond(1795213716).minusSeconds(3600);
        Lookup known = new Lookup("cream_000000001", "dteam001", "5", handedOver);
        assertThat(lrms.stillOwned(List.of(known)).join())
                .as("the id was given again")
                .isEmpty();
        submitted.set("1795213716+1");
        assertThat(lrms.poll(List.of("5")).join()).singleElement().matches(job -> job.isOf(known));
        assertThat(lrms.stillOwned(List.of(known)).join()).containsExactly("5");
        Lookup others = new Lookup("cream_000000001", "dteam002", "5", handedOver);
        assertThat(lrms.stillOwned(List.of(others)).join()).isEmpty();
        assertThat(accounts.calls)
                .filteredOn(call -> call.program().equals("squeue"))
                .allMatch(call -> call.line().contains("SubmitTime:0+,restartcnt:0|,"));
    }
}
