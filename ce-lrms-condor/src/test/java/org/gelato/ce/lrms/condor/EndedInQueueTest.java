package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.account.ScriptedAccounts.Call;
import org.junit.jupiter.api.Test;

class EndedInQueueTest {
    private static final String ID = "83.4#" + Ads.ROUND;

    private Instant now = Instant.parse("2026-11-27T12:00:00Z");
    private String queue = "";
    private String refusal = "";
    private final ScriptedAccounts accounts =
            new ScriptedAccounts(call -> call.program().equals("condor_q")
                    ? ScriptedAccounts.done(0, queue, "")
                    : ScriptedAccounts.done(refusal.isEmpty() ? 0 : 1, "Job 83.4 marked for removal\n", refusal));
    private final CondorLrms lrms = new CondorLrms(CondorConfig.DEFAULT, accounts, Runnable::run, new Clock() {
        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    });

    private List<String> after(Duration time, String shown, String... followed) {
        now = now.plus(time);
        queue = shown.isEmpty() ? "" : Ads.line(shown) + "\n";
        accounts.calls.clear();
        lrms.poll(List.of(followed)).join();
        return accounts.calls.stream()
                .filter(call -> !call.program().equals("condor_q"))
                .map(Call::line)
                .toList();
    }

    @Test
    void aJobWhoseEndIsStoredIsTakenOutAfterAWhile() {
        assertThat(after(Duration.ZERO, "JobStatus = 2", ID)).isEmpty();
        assertThat(after(Duration.ofMinutes(20), "JobStatus = 4", ID))
                .as("its end is not stored")
                .isEmpty();
        assertThat(after(Duration.ofMinutes(1), "JobStatus = 4")).isEmpty();
        assertThat(after(EndedInQueue.SHOWN.minusSeconds(1), "JobStatus = 4")).isEmpty();
        List<String> lines = after(Duration.ofMinutes(1), "JobStatus = 4");
        assertThat(lines)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("/usr/bin/condor_qedit -constraint (JobStatus==4||JobStatus==3)&&stringListMember(")
                .contains(ID)
                .endsWith(" LeaveJobInQueue false");
        assertThat(accounts.calls.get(1).account()).isEqualTo("dteam001");
        assertThat(after(Duration.ofSeconds(59), "JobStatus = 4"))
                .as("not at each poll")
                .isEmpty();
        assertThat(after(Duration.ofSeconds(1), "JobStatus = 4"))
                .as("again, as it is still there")
                .hasSize(1);
    }

    /** Hand-overs need workers of the helper, too. */
    @Test
    void tenAccountsAreServedAMinuteAndEachInItsTurn() {
        List<String> ids = new ArrayList<>();
        StringBuilder all = new StringBuilder();
        for (int i = 100; i < 125; i++) {
            ids.add(i + ".4#" + Ads.ROUND);
            all.append(Ads.line("JobStatus = 4 ClusterId = " + i + " Owner = \"pool" + i
                            + "\" GelatoTag = \"cream_000000" + i + "\""))
                    .append('\n');
        }
        lrms.endsStored(ids);
        Set<String> served = new TreeSet<>();
        queue = all.toString();
        lrms.poll(List.of()).join();
        for (Duration time : List.of(EndedInQueue.SHOWN, Duration.ofMinutes(1), Duration.ofMinutes(1))) {
            now = now.plus(time);
            accounts.calls.clear();
            lrms.poll(List.of()).join();
            List<String> these = accounts.calls.stream()
                    .filter(call -> !call.program().equals("condor_q"))
                    .map(Call::account)
                    .toList();
            assertThat(these).doesNotHaveDuplicates().hasSizeBetween(1, 10);
            served.addAll(these);
        }
        assertThat(served).hasSize(25);
    }

    @Test
    void whatHTCondorHoldsAtItsEndIsRemovedFirst() {
        String held = "JobStatus = 5 HoldReasonCode = 46 NumJobStarts = 1";
        assertThat(after(Duration.ZERO, "JobStatus = 1 NumJobStarts = 1", ID)).isEmpty();
        assertThat(after(Duration.ZERO, held, ID)).isEmpty();
        assertThat(after(Duration.ofMinutes(1), held)).isEmpty();
        assertThat(after(Duration.ofMinutes(6), held)).containsExactly("/usr/bin/condor_rm 83.4");
        assertThat(after(
                        Duration.ofMinutes(1),
                        "JobStatus = 3 LastJobStatus = 5 LastHoldReasonCode = 46 NumJobStarts = 1"))
                .hasSize(1)
                .allMatch(line -> line.contains("condor_qedit"));
    }

    @Test
    void whatCannotBeTakenOutIsTriedEverLessOftenAndShown() {
        after(Duration.ZERO, "JobStatus = 2", ID);
        after(Duration.ofMinutes(1), "JobStatus = 4");
        refusal = "ERROR: Failed to set attribute: LeaveJobInQueue is protected\n";
        int tries = after(EndedInQueue.SHOWN, "JobStatus = 4").size();
        assertThat(tries).isEqualTo(1);
        while (tries < EndedInQueue.TRIES) {
            assertThat(lrms.warning()).isEmpty();
            tries += after(Duration.ofMinutes(1), "JobStatus = 4").size();
        }
        assertThat(after(Duration.ofMinutes(1), "JobStatus = 4"))
                .as("sixteen minutes later")
                .isEmpty();
        assertThat(lrms.warning().orElseThrow())
                .contains(
                        "1 ended jobs stay in HTCondor's queue",
                        "83.4 of dteam001 (condor_qedit: ",
                        "LeaveJobInQueue is protected",
                        "type: condor_qedit 83.4 LeaveJobInQueue false");
        int inADay = 0;
        for (int minute = 0; minute < 24 * 60; minute++) {
            inADay += after(Duration.ofMinutes(1), "JobStatus = 4").size();
        }
        assertThat(inADay).isBetween(23, 26);
        after(Duration.ofMinutes(1), "");
        after(Duration.ofMinutes(1), "");
        assertThat(lrms.warning()).isEmpty();
    }

    @Test
    void jobsThatThisCeDoesNotKnowAreLeftAlone() {
        assertThat(after(Duration.ZERO, "JobStatus = 4")).isEmpty();
        assertThat(after(Duration.ofHours(1), "JobStatus = 4")).isEmpty();
        assertThat(after(Duration.ofHours(1), "JobStatus = 5 HoldReasonCode = 1", ID))
                .isEmpty();
        assertThat(after(Duration.ofHours(1), "JobStatus = 5 HoldReasonCode = 1"))
                .as("somebody holds it")
                .isEmpty();
        assertThat(after(Duration.ofHours(1), "JobStatus = 5 HoldReasonCode = 6"))
                .as("it may be released and run")
                .isEmpty();
    }

    @Test
    void whatAnEarlierProcessLeftIsTakenOutOnceItsEndIsKnownToBeStored() {
        assertThat(after(Duration.ZERO, "JobStatus = 4")).isEmpty();
        assertThat(lrms.keepsEnded()).isTrue();
        lrms.endsStored(List.of(ID));
        assertThat(after(Duration.ofMinutes(1), "JobStatus = 4")).isEmpty();
        assertThat(after(EndedInQueue.SHOWN, "JobStatus = 4"))
                .hasSize(1)
                .allMatch(line -> line.contains("condor_qedit"));
        assertThat(after(Duration.ofMinutes(1), "")).isEmpty();
    }

    @Test
    void whatNoPollShowsIsForgotten() {
        after(Duration.ZERO, "JobStatus = 2", ID);
        for (int i = 0; i < 5; i++) {
            after(Duration.ofMinutes(1), "");
        }
        assertThat(after(Duration.ofMinutes(1), "JobStatus = 4")).isEmpty();
        assertThat(after(Duration.ofHours(1), "JobStatus = 4")).isEmpty();
    }
}
