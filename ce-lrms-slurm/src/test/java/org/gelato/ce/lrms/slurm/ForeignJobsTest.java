package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.lrms.slurm.SlurmConfig.Accounting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that another user gave one of our names is never taken for ours, wherever Slurm shows it. */
class ForeignJobsTest {
    private static final String TAG = "cream_000000001";
    /** As recorded from a sacct that has no storage. */
    private static final String DISABLED = "Slurm accounting storage is disabled\n";

    @TempDir
    Path dir;

    @Test
    void isSkippedInTheQueue() {
        String forged = "4|MARK|mallory|RUNNING|0|0:00|1|wn0|N/A||None|" + TAG + "\n";
        assertThat(find(SlurmConfig.DEFAULT, forged, 1, "", DISABLED, "dteam001"))
                .isEmpty();
        String ours = "5|MARK|dteam001|PENDING|0|0:00|1||N/A||Priority|" + TAG + "\n";
        assertThat(find(SlurmConfig.DEFAULT, forged + ours, 1, "", DISABLED, "dteam001"))
                .containsEntry(TAG, new LrmsJob("5", TAG, State.QUEUED, null, "Priority", null));
    }

    @Test
    void aParseErrorInItAffectsNoOtherJob() {
        String broken = "4|MARK|mallory|GLOWING|0|0:00|1|wn0|N/A||None|" + TAG + "\n";
        assertThat(find(SlurmConfig.DEFAULT, broken, 1, "", DISABLED, "dteam001"))
                .isEmpty();
        assertThat(find(SlurmConfig.DEFAULT, broken.replace("mallory", "dteam001"), 1, "", DISABLED, "dteam001")
                        .get(TAG)
                        .state())
                .isEqualTo(State.UNKNOWN);
    }

    @Test
    void isSkippedInTheAccounting() {
        String forged = String.join(
                        "|MARK|",
                        "4",
                        "mallory",
                        "COMPLETED",
                        "0:0",
                        "00:00:00",
                        "1",
                        "wn0",
                        "Unknown",
                        "",
                        "00:00:00",
                        TAG)
                + "\n";
        String ours = String.join(
                        "|MARK|",
                        "5",
                        "dteam001",
                        "FAILED",
                        "3:0",
                        "00:00:00",
                        "",
                        "wn0",
                        "Unknown",
                        "",
                        "00:00:00",
                        TAG)
                + "\n";
        assertThat(find(SlurmConfig.DEFAULT, "", 0, forged, "", "dteam001")).isEmpty();
        assertThat(find(SlurmConfig.DEFAULT, "", 0, forged + ours, "", "dteam001"))
                .containsEntry(TAG, new LrmsJob("5", TAG, State.DONE, 3, null, "wn0"));
    }

    @Test
    void isSkippedInTheCompletionLog() throws IOException {
        Path log = Files.writeString(
                dir.resolve("log"),
                "JobId=4 UserId=mallory(1002) GroupId=m(1) Name=" + TAG + " JobState=COMPLETED ExitCode=0:0 \n");
        SlurmConfig config = Records.with(SlurmConfig.DEFAULT, "jobCompletionLog", log);
        assertThat(find(config, "", 1, "", DISABLED, "dteam001")).isEmpty();
        assertThat(find(config, "", 1, "", DISABLED, "mallory")).containsKey(TAG);
    }

    @Test
    void accountingIsQueriedAsConfigured() {
        assertThat(find(
                        Records.with(SlurmConfig.DEFAULT, "accounting", Accounting.NO),
                        "",
                        9,
                        "",
                        "never queried",
                        "dteam001"))
                .isEmpty();
        SlurmConfig must = Records.with(SlurmConfig.DEFAULT, "accounting", Accounting.YES);
        assertThatThrownBy(() -> find(must, "", 1, "", DISABLED, "dteam001"))
                .hasCauseInstanceOf(LrmsException.class)
                .hasMessageContaining("disabled");
        assertThat(find(must, "", 0, "", "", "dteam001")).isEmpty();
    }

    private static Map<String, LrmsJob> find(
            SlurmConfig config, String queue, int sacctExit, String sacct, String sacctError, String account) {
        ScriptedAccounts accounts =
                SlurmScript.accounts((call, mark) -> call.program().equals("squeue")
                        ? ScriptedAccounts.done(0, queue.replace("MARK", mark), "")
                        : ScriptedAccounts.done(sacctExit, sacct.replace("MARK", mark), sacctError));
        return new SlurmLrms(config, accounts, Runnable::run)
                .find(List.of(new Lookup(TAG, account, null)))
                .join();
    }
}
