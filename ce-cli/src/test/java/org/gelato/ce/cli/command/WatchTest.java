package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedTransferQueue;
import org.gelato.ce.cli.wire.EventReport;
import org.gelato.ce.cli.wire.LiveEvents;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code ce list --watch}: a screen that follows the CE. */
class WatchTest {
    private final FakeCe ce = new FakeCe();
    private final LinkedTransferQueue<EventReport> events = new LinkedTransferQueue<>();
    private final List<String> cursors = new ArrayList<>();
    private final CountDownLatch connected = new CountDownLatch(1);
    private int ticks;

    @BeforeEach
    void jobs() {
        ce.terminal = true;
        ce.script.put("CREAM000000001", new ArrayList<>(List.of("PENDING", "REALLY-RUNNING")));
        ce.script.put("CREAM000000002", new ArrayList<>(List.of("IDLE")));
        ce.waits = "slurm: Resources";
    }

    private List<String> watch(int most, Runnable atTick, String... more) {
        ce.whilePausing = () -> {
            ticks++;
            atTick.run();
            if (ticks == most) {
                Thread.currentThread().interrupt();
            }
        };
        List<String> arguments = new ArrayList<>(List.of("list", "-e", "ce", "--watch", "--table"));
        arguments.addAll(List.of(more));
        ce.run(arguments.toArray(String[]::new));
        return Arrays.stream(ce.out().split("\u001b\\[H\u001b\\[J"))
                .filter(frame -> !frame.isEmpty())
                .toList();
    }

    private long queries() {
        return ce.calls.stream().filter(call -> call.startsWith("status")).count();
    }

    private void live() {
        ce.liveEvents = cursor -> {
            cursors.add(String.valueOf(cursor));
            return Optional.of(new LiveEvents() {
                @Override
                public EventReport next() throws InterruptedException {
                    connected.countDown();
                    return events.take();
                }

                @Override
                public String dbId() {
                    return "7";
                }

                @Override
                public void close() {
                    // nothing to close
                }
            });
        };
    }

    @Test
    void anEventBringsTheNextQueryAndStandsBelow() {
        live();
        List<Long> asked = new ArrayList<>();
        List<String> frames = watch(8, () -> {
            try {
                if (ticks == 1) {
                    connected.await();
                } else if (ticks == 5) {
                    EventReport event =
                            new EventReport(4, "CREAM000000001", FakeCe.state("REALLY-RUNNING"), null, null);
                    events.transfer(event);
                    // Until the reader comes for the next, it may not have noted this one.
                    while (!events.hasWaitingConsumer()) {
                        Thread.onSpinWait();
                    }
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            asked.add(queries());
        });

        assertThat(frames).hasSize(8);
        assertThat(frames.get(0))
                .contains("ce:8443", "2 jobs", "PENDING", "IDLE", "slurm: Resources")
                .doesNotContain("CREAM");
        assertThat(frames.get(7)).contains("REALLY-RUNNING        1", "LAST CHANGES\nCREAM000000001 REALLY-RUNNING");
        // One at the start, one when the connection for events was there, one for the event.
        assertThat(asked.get(4)).isBetween(1L, 2L);
        assertThat(asked.get(7)).isEqualTo(asked.get(4) + 1);
        assertThat(cursors).containsExactly("null");
    }

    @Test
    void aCeWithoutEventsIsQueriedEveryFiveSeconds() {
        List<String> frames = watch(12, () -> {});

        assertThat(queries()).isEqualTo(3);
        assertThat(frames.get(11)).contains("this CE sends no events");
    }

    @Test
    void whatTheCeCannotSayIsSaidAndTheLastStatesStay() {
        List<String> frames = watch(12, () -> {
            if (ticks == 4) {
                ce.outages = 1;
            }
        });

        assertThat(frames.get(6)).contains("can't connect", "2 jobs");
        assertThat(frames.get(11)).doesNotContain("can't connect");
    }

    @Test
    void withoutATerminalItSaysWhatToUse() {
        ce.terminal = false;
        assertThat(ce.run("list", "-e", "ce", "--watch")).isEqualTo(2);
        assertThat(ce.err()).contains("ce events --follow");
    }
}
