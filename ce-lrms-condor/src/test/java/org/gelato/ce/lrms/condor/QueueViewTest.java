package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;

class QueueViewTest {
    private static final Instant BEGIN = Instant.parse("2026-11-27T12:00:00Z");

    private Instant now = BEGIN;
    private String queue = "";
    private boolean away;
    private final ScriptedAccounts accounts = new ScriptedAccounts(
            call -> ScriptedAccounts.done(away ? 1 : 0, away ? "" : queue, away ? "Can't find address\n" : ""));
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

    private static String jobs(String... attributes) {
        return List.of(attributes).stream().map(Ads::line).collect(Collectors.joining("\n", "", "\n"));
    }

    private CompletableFuture<List<LrmsJob>> poll(Duration later, String shown) {
        now = now.plus(later);
        queue = shown;
        return lrms.poll();
    }

    private static Map<String, LrmsJob.State> states(CompletableFuture<List<LrmsJob>> polled) {
        return new TreeMap<>(polled.join().stream()
                .collect(Collectors.toMap(job -> job.lrmsId().split("#")[0], LrmsJob::state)));
    }

    private String constraint() {
        List<String> argv = accounts.calls.get(accounts.calls.size() - 1).run().argv();
        return argv.get(argv.indexOf("-constraint") + 1);
    }

    @Test
    void whatChangedIsListedAndTheRestKept() {
        assertThat(states(poll(Duration.ZERO, jobs("ProcId = 1 JobStatus = 1", "ProcId = 2 JobStatus = 1"))))
                .containsEntry("83.1", LrmsJob.State.QUEUED)
                .hasSize(2);
        assertThat(constraint()).isEqualTo(CondorOwnAccountCommands.OURS);
        assertThat(states(poll(Duration.ofSeconds(5), jobs("ProcId = 2 JobStatus = 2", "ProcId = 3 JobStatus = 1"))))
                .containsEntry("83.1", LrmsJob.State.QUEUED)
                .containsEntry("83.2", LrmsJob.State.RUNNING)
                .containsEntry("83.3", LrmsJob.State.QUEUED)
                .hasSize(3);
        assertThat(constraint())
                .isEqualTo("GelatoTag=!=undefined&&EnteredCurrentStatus>="
                        + BEGIN.minus(QueueView.SLACK).getEpochSecond());
        assertThat(states(poll(Duration.ofSeconds(5), ""))).hasSize(3);
        assertThat(constraint())
                .as("since the listing before")
                .endsWith(">=" + BEGIN.plusSeconds(5).minus(QueueView.SLACK).getEpochSecond());
    }

    @Test
    void whatLeavesTheQueueIsNoticedByTheNextListingOfAll() {
        poll(Duration.ZERO, jobs("ProcId = 1 JobStatus = 1", "ProcId = 2 JobStatus = 1"));
        assertThat(states(poll(QueueView.WHOLE.minusSeconds(1), ""))).hasSize(2);
        assertThat(states(poll(Duration.ofSeconds(1), jobs("ProcId = 2 JobStatus = 1"))))
                .containsOnlyKeys("83.2");
        assertThat(constraint()).isEqualTo(CondorOwnAccountCommands.OURS);
    }

    @Test
    void aListingThatFailsIsAPollThatFailsAndNoChangeIsMissed() {
        poll(Duration.ZERO, jobs("ProcId = 1 JobStatus = 1"));
        away = true;
        assertThat(poll(Duration.ofSeconds(20), "")).isCompletedExceptionally();
        away = false;
        poll(Duration.ofSeconds(20), "");
        assertThat(constraint()).endsWith(">=" + BEGIN.minus(QueueView.SLACK).getEpochSecond());
    }

    @Test
    void aClockThatWasSetBackCostsAListingOfAll() {
        poll(Duration.ZERO, "");
        poll(Duration.ofHours(-1), "");
        assertThat(constraint()).isEqualTo(CondorOwnAccountCommands.OURS);
    }
}
