package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.junit.jupiter.api.Test;

/** A running job that is to be suspended is suspended, or left as it was: never one that runs on with a hold. */
class SlurmHoldsTest {
    private static final String ACCOUNT = "dteam001";
    private static final String OTHER = "dteam002";

    private final Deque<String> listings = new ArrayDeque<>();
    private final ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(
            0, call.program().equals("squeue") ? listings.pop().replace("MARK", mark) : "", ""));

    private SlurmLrms lrms(boolean suspendRunning) {
        return new SlurmLrms(
                Records.with(SlurmConfig.DEFAULT, "api", SlurmConfig.Api.COMMANDS, "suspendRunning", suspendRunning),
                accounts,
                Runnable::run);
    }

    /** What squeue shows next. */
    private void shows(String... rows) {
        listings.add(String.join("", rows));
    }

    private static String row(int id, String owner, String state, String node, String reason) {
        return id + "|MARK|" + owner + "|" + state + "|0|0:10|1|" + node + "|N/A|cpu=1|" + reason + "|cream_00000000"
                + id + "\n";
    }

    private static String waiting(int id) {
        return row(id, ACCOUNT, "PENDING", "", "Priority");
    }

    private static String running(int id) {
        return row(id, ACCOUNT, "RUNNING", "wn1", "None");
    }

    private static String suspended(int id) {
        return row(id, ACCOUNT, "SUSPENDED", "wn1", "None");
    }

    /** Account and line of what changed jobs. */
    private List<String> changes() {
        return accounts.calls.stream()
                .filter(call -> !call.program().equals("squeue"))
                .map(call -> call.account() + " " + call.line().replace("/usr/bin/", ""))
                .toList();
    }

    private Map<String, String> hold(boolean suspendRunning, String... ids) {
        return lrms(suspendRunning).hold(ACCOUNT, List.of(ids)).join();
    }

    @Test
    void aRunningJobThatMayNotBeSuspendedGetsNoHold() {
        shows(running(1));
        assertThat(hold(false, "1")).containsOnlyKeys("1").containsEntry("1", SlurmHolds.RUNS);
        assertThat(changes()).isEmpty();
    }

    @Test
    void aJobThatBeganToRunBeforeItsHoldCameLosesIt() {
        shows(waiting(1), waiting(2));
        shows(row(1, ACCOUNT, "RUNNING", "wn1", "JobHeldUser"), row(2, ACCOUNT, "PENDING", "", "JobHeldUser"));
        assertThat(hold(false, "1", "2")).containsEntry("1", SlurmHolds.RUNS).containsEntry("2", null);
        assertThat(changes()).containsExactly("dteam001 scontrol hold 1,2", "dteam001 scontrol release 1");
    }

    @Test
    void aHoldThatATryBeforeLeftOnARunningJobIsTakenBack() {
        shows(row(1, ACCOUNT, "RUNNING", "wn1", "JobHeldUser"));
        assertThat(hold(false, "1")).containsEntry("1", SlurmHolds.RUNS);
        assertThat(changes()).containsExactly("dteam001 scontrol release 1");
    }

    @Test
    void whereTheSiteAllowsItARunningJobIsSuspendedByTheHelpersOwnAccount() {
        shows(running(1), waiting(2), suspended(3));
        shows(row(2, ACCOUNT, "PENDING", "", "JobHeldUser"));
        assertThat(hold(true, "1", "2", "3"))
                .containsEntry("1", null)
                .containsEntry("2", null)
                .containsEntry("3", null);
        assertThat(changes()).containsExactly("dteam001 scontrol hold 2", AccountCommands.SELF + " scontrol suspend 1");
    }

    /** The id may be a wrapper's lie. */
    @Test
    void anotherAccountsJobIsNeitherSuspendedNorResumed() {
        shows(row(1, OTHER, "RUNNING", "wn1", "None"));
        assertThat(hold(true, "1").get("1")).contains("not show the job as one of this account");
        shows(row(1, OTHER, "SUSPENDED", "wn1", "None"));
        assertThat(lrms(true).resume(ACCOUNT, List.of("1")).join().get("1"))
                .contains("not show the job as one of this account");
        assertThat(changes()).isEmpty();
    }

    @Test
    void aJobThatTheCeSuspendedIsResumedAndOneThatTheSiteSuspendedIsNot() {
        shows(suspended(1), row(2, ACCOUNT, "PENDING", "", "JobHeldUser"));
        assertThat(lrms(true).resume(ACCOUNT, List.of("1", "2")).join())
                .containsEntry("1", null)
                .containsEntry("2", null);
        assertThat(changes())
                .containsExactly("dteam001 scontrol release 2", AccountCommands.SELF + " scontrol resume 1");
        shows(suspended(1));
        assertThat(lrms(true).release(ACCOUNT, List.of("1")).join()).containsEntry("1", SlurmHolds.SUSPENDED);
        shows(suspended(1));
        assertThat(lrms(false).resume(ACCOUNT, List.of("1")).join()).containsEntry("1", SlurmHolds.SUSPENDED);
        assertThat(changes()).hasSize(2);
    }

    @Test
    void theHoldOfAnEndedJobHasSlurmsWords() {
        ScriptedAccounts refusing =
                SlurmScript.accounts((call, mark) -> call.program().equals("squeue")
                        ? ScriptedAccounts.done(
                                0, row(1, ACCOUNT, "COMPLETED", "wn1", "None").replace("MARK", mark), "")
                        : ScriptedAccounts.done(1, "", "Job has already finished for job 1\n"));
        assertThat(new SlurmLrms(
                                Records.with(SlurmConfig.DEFAULT, "api", SlurmConfig.Api.COMMANDS),
                                refusing,
                                Runnable::run)
                        .hold(ACCOUNT, List.of("1"))
                        .join())
                .containsEntry("1", "Job has already finished");
    }
}
