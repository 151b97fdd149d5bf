package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueViewTest {
    private static final Instant BEGIN = Instant.parse("2026-11-27T12:00:00Z");

    private Instant now = BEGIN;
    private String queue = "";
    private boolean away;
    private final ScriptedAccounts accounts = new ScriptedAccounts(
            call -> ScriptedAccounts.done(away ? 1 : 0, away ? "" : queue, away ? "Can't find address\n" : ""));
    private final Clock clock = new Clock() {
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
    };
    private CondorLrms lrms = new CondorLrms(CondorConfig.DEFAULT, accounts, Runnable::run, clock);

    @TempDir
    Path folder;

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

    private Path eventLog() throws IOException {
        Path events = Files.writeString(folder.resolve("EventLog"), "{\"EventTypeNumber\": 8}\n");
        lrms = new CondorLrms(Records.with(CondorConfig.DEFAULT, "eventLog", events), accounts, Runnable::run, clock);
        return events;
    }

    private static void log(Path events, int trigger) throws IOException {
        Files.writeString(
                events,
                "{\"EventTypeNumber\": 28, \"GelatoTag\": \"cream_000000042\", \"TriggerEventTypeNumber\": " + trigger
                        + "}\n",
                StandardOpenOption.APPEND);
    }

    @Test
    void withoutEventsNothingIsListedButAllOnceAMinute() throws IOException {
        eventLog();
        poll(Duration.ZERO, jobs("ProcId = 1 JobStatus = 1"));
        poll(QueueView.UNSETTLED, "");
        assertThat(accounts.calls)
                .as("it may show what is logged already a little later")
                .hasSize(2);
        assertThat(states(poll(Duration.ofSeconds(1), ""))).containsOnlyKeys("83.1");
        assertThat(states(poll(Duration.ofSeconds(40), ""))).containsOnlyKeys("83.1");
        assertThat(accounts.calls).hasSize(2);
        poll(Duration.ofSeconds(20), "");
        assertThat(accounts.calls).hasSize(3);
        assertThat(constraint()).isEqualTo(CondorOwnAccountCommands.OURS);
    }

    @Test
    void afterAnEventWhatChangedIsListedUntilAllIsShown() throws IOException {
        Path events = eventLog();
        poll(Duration.ZERO, jobs("ProcId = 1 JobStatus = 1"));
        poll(Duration.ofSeconds(20), "");
        log(events, 5);
        assertThat(states(poll(Duration.ofSeconds(1), jobs("ProcId = 1 JobStatus = 2"))))
                .containsEntry("83.1", LrmsJob.State.RUNNING);
        assertThat(states(poll(Duration.ofSeconds(1), jobs("ProcId = 1 JobStatus = 4 ExitCode = 0"))))
                .containsEntry("83.1", LrmsJob.State.DONE);
        int listings = accounts.calls.size();
        poll(QueueView.UNSETTLED.plusSeconds(1), "");
        log(events, 6);
        poll(Duration.ofSeconds(1), "");
        assertThat(accounts.calls).hasSize(listings);
    }

    @Test
    void anEventIsListedThoughTheScheddWasAway() throws IOException {
        Path events = eventLog();
        poll(Duration.ZERO, jobs("ProcId = 1 JobStatus = 1"));
        poll(Duration.ofSeconds(15), "");
        log(events, 1);
        away = true;
        assertThat(poll(Duration.ofSeconds(1), "")).isCompletedExceptionally();
        assertThat(poll(Duration.ofSeconds(15), "")).isCompletedExceptionally();
        away = false;
        assertThat(states(poll(Duration.ofSeconds(1), jobs("ProcId = 1 JobStatus = 2"))))
                .containsEntry("83.1", LrmsJob.State.RUNNING);
    }
}
