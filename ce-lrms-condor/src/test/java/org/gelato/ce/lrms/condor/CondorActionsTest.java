package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.LrmsException;
import org.junit.jupiter.api.Test;

/** What HTCondor 23.9.6 says of many jobs at once. */
class CondorActionsTest {
    private static final String ROUND = "#" + Ads.ROUND;

    private static CondorLrms lrms(ScriptedAccounts accounts) {
        return new CondorLrms(CondorConfig.DEFAULT, accounts, Runnable::run, Clock.systemUTC());
    }

    private static String id(int proc) {
        return "83." + proc + ROUND;
    }

    @Test
    void oneProcessCancelsManyAndReportsOnEach() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(
                1,
                "Job 83.0 marked for removal\n",
                "Job 83.1 not found\nPermission denied to remove job 83.2\nJob 83.3 already marked for removal\n\n");
        assertThat(lrms(accounts)
                        .cancel("dteam001", List.of(id(0), id(1), id(2), id(3), id(4), "17"))
                        .join())
                .containsEntry(id(0), null)
                .containsEntry(id(1), null)
                .containsEntry(id(2), "permission denied to remove the job")
                .containsEntry(id(3), null)
                .containsEntry(id(4), "condor_rm reports nothing about the job")
                .containsEntry("17", "not the id of a job of HTCondor");
        assertThat(accounts.calls).hasSize(1);
        assertThat(accounts.calls.get(0).account()).isEqualTo("dteam001");
        assertThat(accounts.calls.get(0).line()).isEqualTo("/usr/bin/condor_rm 83.0 83.1 83.2 83.3 83.4");
    }

    @Test
    void hundredsAreAFewProcesses() {
        ScriptedAccounts accounts = ScriptedAccounts.answering(0, "Job 83.0 marked for removal\n", "");
        lrms(accounts)
                .cancel(
                        "dteam001",
                        IntStream.range(0, 450).mapToObj(CondorActionsTest::id).toList())
                .join();
        assertThat(accounts.calls).hasSize(3);
    }

    @Test
    void withoutAnAnswerNothingIsConcluded() {
        for (Completed bad : List.of(
                new Completed(1, false, "", "condor_rm: Can't find address for schedd vm.local\n"),
                new Completed(
                        1, false, "", "SECMAN:2010:Received \"DENIED\" from server for user bob@x using method FS.\n"),
                new Completed(137, true, "", ""),
                new Completed(1, false, "", ""))) {
            assertThatThrownBy(() -> lrms(new ScriptedAccounts(call -> CompletableFuture.completedFuture(bad)))
                            .cancel("dteam001", List.of(id(0)))
                            .join())
                    .as(bad.stderr())
                    .hasCauseInstanceOf(LrmsException.class);
        }
        ScriptedAccounts refused = new ScriptedAccounts(call ->
                CompletableFuture.failedFuture(new AccountCommandException(Code.REFUSED, "not an account here")));
        assertThat(lrms(refused).cancel("dteam001", List.of(id(0))).join()).containsEntry(id(0), "not an account here");
    }

    /** HTCondor kills a running job that is held. */
    @Test
    void theHoldItselfIsBoundToJobsThatWaitAndWhatRunsIsSuspended() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> switch (call.program()) {
            case "condor_hold" -> ScriptedAccounts.done(1, "", "Couldn't find/hold all jobs matching constraint (x)\n");
            case "condor_q" ->
                ScriptedAccounts.done(
                        0,
                        String.join(
                                        "\n",
                                        Ads.line("ProcId = 0 JobStatus = 5 HoldReasonCode = 1"),
                                        Ads.line("ProcId = 1 JobStatus = 2 RemoteHost = \"s@wn\""),
                                        Ads.line("ProcId = 2 JobStatus = 4"),
                                        Ads.line("ProcId = 4 JobStatus = 2 Owner = \"mallory\""),
                                        Ads.line("ProcId = 5 JobStatus = 7"))
                                + "\n",
                        "");
            default -> ScriptedAccounts.done(0, "Job 83.1 suspended\n", "");
        });
        List<String> all = IntStream.range(0, 6).mapToObj(CondorActionsTest::id).toList();
        assertThat(lrms(accounts).hold("dteam001", all).join())
                .containsEntry(id(0), null)
                .containsEntry(id(1), null)
                .containsEntry(id(2), "the job has ended")
                .containsEntry(id(3), CondorActions.UNKNOWN)
                .hasEntrySatisfying(id(4), words -> assertThat(words).contains("permission denied"))
                .containsEntry(id(5), null);
        assertThat(accounts.calls)
                .extracting(ScriptedAccounts.Call::program)
                .containsExactly("condor_hold", "condor_q", "condor_suspend");
        assertThat(accounts.calls.get(0).run().argv().get(2))
                .startsWith("JobStatus==1&&stringListMember(strcat(")
                .contains(id(0) + "," + id(1));
        assertThat(accounts.calls.get(2).line()).endsWith("condor_suspend 83.1");
    }

    @Test
    void whereNobodyMaySuspendARunningJobStaysAsItIs() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> call.program().equals("condor_q")
                ? ScriptedAccounts.done(0, Ads.line("ProcId = 1 JobStatus = 2") + "\n", "")
                : ScriptedAccounts.done(1, "", "Couldn't find/hold all jobs matching constraint (x)\n"));
        CondorLrms strict = new CondorLrms(
                Records.with(CondorConfig.DEFAULT, "suspendRunning", false),
                accounts,
                Runnable::run,
                Clock.systemUTC());
        assertThat(strict.hold("dteam001", List.of(id(1))).join()).containsEntry(id(1), CondorActions.RUNS);
        assertThat(accounts.calls).hasSize(2);
    }

    @Test
    void releaseLeavesSuspendedJobsAndResumeContinuesThem() {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> switch (call.program()) {
            case "condor_q" ->
                ScriptedAccounts.done(
                        0,
                        Ads.line("ProcId = 0 JobStatus = 5 HoldReasonCode = 1") + "\n"
                                + Ads.line("ProcId = 1 JobStatus = 7 RemoteHost = \"s@wn\"") + "\n"
                                + Ads.line("ProcId = 2 JobStatus = 1") + "\n",
                        "");
            case "condor_release" ->
                ScriptedAccounts.done(1, "Job 83.0 released\n", "Job 83.2 not held to be released\n");
            default -> ScriptedAccounts.done(0, "Job 83.1 continued\n", "");
        });
        List<String> all = IntStream.range(0, 4).mapToObj(CondorActionsTest::id).toList();
        Map<String, String> released = lrms(accounts).release("dteam001", all).join();
        assertThat(released)
                .containsEntry(id(0), null)
                .containsEntry(id(1), CondorActions.SUSPENDED)
                .containsEntry(id(2), "not held to be released")
                .containsEntry(id(3), CondorActions.UNKNOWN);
        assertThat(lrms(accounts).resume("dteam001", all).join()).containsEntry(id(1), null);
    }
}
