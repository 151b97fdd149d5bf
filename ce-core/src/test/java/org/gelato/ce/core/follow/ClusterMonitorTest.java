package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClusterMonitorTest {
    private static final ClusterStatus TEN = new ClusterStatus("1.2", OptionalInt.of(10), OptionalInt.of(4), List.of());

    private final List<CompletableFuture<ClusterStatus>> readings = new ArrayList<>();
    private final ByHand scheduler = new ByHand();
    private int commands = 1;
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private final FakeLrms lrms = new FakeLrms() {
        @Override
        public CompletableFuture<ClusterStatus> status() {
            CompletableFuture<ClusterStatus> reading = new CompletableFuture<>();
            readings.add(reading);
            return reading;
        }

        @Override
        public int statusCommands() {
            return commands;
        }
    };

    @AfterEach
    void shutDown() {
        scheduler.shutdownNow();
    }

    private ClusterMonitor monitor() {
        return new ClusterMonitor(lrms, ((InstantSource) () -> now).withZone(ZoneOffset.UTC), scheduler);
    }

    @Test
    void aReadingIsScheduledWhenTheLastOneHasEnded() {
        ClusterMonitor monitor = monitor();
        assertThat(monitor.status()).isEmpty();
        monitor.start();
        assertThat(readings).hasSize(1);
        assertThat(scheduler.delays).isEmpty();
        assertThat(monitor.status()).isEmpty();

        assertThat(monitor.readAt()).isNull();
        readings.get(0).complete(TEN);
        assertThat(monitor.status()).contains(TEN);
        assertThat(monitor.readAt()).isEqualTo(now);
        assertThat(scheduler.delays).containsExactly(Duration.ofMinutes(1));
        scheduler.next();
        assertThat(readings).hasSize(2);
    }

    @Test
    void readersCauseNoCommand() {
        ClusterMonitor monitor = monitor();
        monitor.start();
        readings.get(0).complete(TEN);
        for (int i = 0; i < 100; i++) {
            monitor.status();
        }
        assertThat(readings).hasSize(1);
    }

    @Test
    void aReadingOfTwoCommandsComesHalfAsOften() {
        commands = 2;
        monitor().start();
        readings.get(0).complete(TEN);
        assertThat(scheduler.delays).containsExactly(Duration.ofMinutes(2));
    }

    @Test
    void whatCannotBeReadAgainIsReportedForFiveReadingsOnly() {
        ClusterMonitor monitor = monitor();
        monitor.start();
        readings.get(0).complete(TEN);
        scheduler.next();
        readings.get(1).completeExceptionally(new IllegalStateException("x".repeat(1000)));
        assertThat(monitor.trouble()).isEqualTo("x".repeat(300));
        now = now.plus(Duration.ofMinutes(5));
        assertThat(monitor.status()).contains(TEN);
        now = now.plusSeconds(1);
        assertThat(monitor.status()).isEmpty();

        scheduler.next();
        readings.get(2).complete(TEN);
        assertThat(monitor.status()).contains(TEN);
        assertThat(monitor.trouble()).isNull();
    }

    @Test
    void afterTheCloseNothingIsStarted() {
        ClusterMonitor monitor = monitor();
        monitor.start();
        monitor.close();
        readings.get(0).complete(TEN);
        assertThat(scheduler.delays).isEmpty();
    }

    /** Runs at once what is executed, and by {@link #next} what is scheduled. */
    private static final class ByHand extends ScheduledThreadPoolExecutor {
        private final List<Duration> delays = new ArrayList<>();
        private Runnable scheduled;

        ByHand() {
            super(1);
        }

        void next() {
            scheduled.run();
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            delays.add(Duration.of(delay, unit.toChronoUnit()));
            scheduled = task;
            return new Never();
        }
    }

    private static final class Never extends CompletableFuture<Object> implements ScheduledFuture<Object> {
        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }
}
