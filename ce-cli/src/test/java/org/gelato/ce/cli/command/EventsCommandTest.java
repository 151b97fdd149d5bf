package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.gelato.ce.cli.display.EventStream;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.EventBatch;
import org.gelato.ce.cli.wire.EventReport;
import org.gelato.ce.cli.wire.EventSelector;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.WireFault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventsCommandTest {
    private final FakeCe ce = new FakeCe();
    private final Deque<Object> responses = new ArrayDeque<>();

    @BeforeEach
    void endpoint() {
        ce.environment.put("CE_ENDPOINT", "ce:9443");
        ce.stream = this::next;
    }

    private EventBatch next(EventSelector selector) {
        Object response = responses.isEmpty() ? batch("1") : responses.remove();
        if (response instanceof RuntimeException failure) {
            throw failure;
        }
        return (EventBatch) response;
    }

    private static EventBatch batch(String dbId, long... ids) {
        return new EventBatch(
                LongStream.of(ids)
                        .mapToObj(id ->
                                new EventReport(id, "CREAM000000001", FakeCe.state("DONE-FAILED"), "N/A", "wn\u001b1"))
                        .toList(),
                dbId);
    }

    private List<Long> printed() {
        return ce.out()
                .lines()
                .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
                .toList();
    }

    private List<String> requested() {
        return ce.calls.stream().filter(call -> call.startsWith("events")).toList();
    }

    @Test
    void eventIsOneLine() {
        responses.add(batch("1", 41));
        assertThat(ce.run("events")).isZero();
        assertThat(ce.out())
                .isEqualTo("41 https://ce:9443/CREAM000000001 DONE-FAILED 2026-11-20T12:00:00Z exit=0"
                        + " reason=no such file node=wn?1\n");
        assertThat(requested()).containsExactly("events 0 500");
    }

    @Test
    void pagesAreReadToTheEndOrTheNumberWanted() {
        responses.add(batch("1", LongStream.rangeClosed(1, 500).toArray()));
        responses.add(batch("1", 501, 502));
        assertThat(ce.run("events")).isZero();
        assertThat(printed()).hasSize(502);
        assertThat(requested()).containsExactly("events 0 500", "events 501 500");
        ce.calls.clear();
        ce.out.reset();
        responses.add(batch("1", 1, 2, 3));
        assertThat(ce.run("events", "--max", "3")).isZero();
        assertThat(requested()).containsExactly("events 0 3");
    }

    @Test
    void criteriaAreSent() {
        assertThat(ce.run(
                        "events",
                        "--from-id",
                        "5",
                        "--to-id",
                        "9",
                        "--from",
                        "2026-01-02",
                        "--to",
                        "2026-01-02 03:04:05",
                        "-s",
                        "done-ok:ABORTED",
                        "--status",
                        "HELD"))
                .isZero();
        assertThat(ce.eventSelector)
                .isEqualTo(new EventSelector(
                        5,
                        9L,
                        Instant.parse("2026-01-02T00:00:00Z"),
                        Instant.parse("2026-01-02T03:04:05Z"),
                        List.of("DONE-OK", "ABORTED", "HELD"),
                        500));
    }

    @Test
    void wrongCriteriaAreUsageAndNothingIsSent() {
        for (String wrong : List.of(
                "--from-id -1",
                "--from-id x",
                "--from-id 5 --to-id 4",
                "--from tomorrow",
                "--from 2026-01-02 --to 2026-01-01",
                "--status BLUE",
                "--max 0",
                "--follow --to 2026-01-01")) {
            ce.err.reset();
            String[] words = ("events " + wrong).split(" ");
            assertThat(ce.run(words)).as(wrong).isEqualTo(2);
            assertThat(ce.err()).as(wrong).hasLineCount(1).doesNotContain("Exception");
        }
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void followContinuesAfterTheLastEventAndPrintsNoneTwice() {
        responses.add(batch("1", 1, 2));
        responses.add(batch("1"));
        responses.add(batch("1", 2, 3));
        assertThat(ce.run("events", "--follow", "--max", "3")).isZero();
        assertThat(printed()).containsExactly(1L, 2L, 3L);
        assertThat(requested()).containsExactly("events 0 500", "events 3 500", "events 3 500");
        assertThat(ce.pauses).containsExactly(EventStream.INTERVAL, EventStream.INTERVAL);
    }

    @Test
    void followEndsAtTheLastIdWanted() {
        responses.add(batch("1", 1, 4));
        assertThat(ce.run("events", "--follow", "--to-id", "4")).isZero();
        assertThat(requested()).hasSize(1);
    }

    @Test
    void followSurvivesOutagesWithGrowingPausesAndReportsThem() {
        responses.add(batch("1", 1));
        for (int i = 0; i < 7; i++) {
            responses.add(new ConnectionFailure("ce:9443: can't connect", null));
        }
        responses.add(new ServiceFault(
                Endpoint.parse("ce:9443"), new WireFault("GenericFault", "0", "database error occurred", null)));
        responses.add(batch("1", 2));
        assertThat(ce.run("events", "--follow", "--max", "2")).isZero();
        assertThat(printed()).containsExactly(1L, 2L);
        assertThat(ce.pauses.stream().map(Duration::toSeconds))
                .containsExactly(2L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
        assertThat(ce.err().lines().toList())
                .hasSize(8)
                .startsWith("ce events: ce:9443: can't connect; trying again in 2 s")
                .endsWith("ce events: ce:9443: database error occurred; trying again in 60 s");
    }

    /** A connection that brings events, then ends; or fails with what comes last. */
    private static LiveEvents connection(String dbId, Object... events) {
        Deque<Object> left = new ArrayDeque<>(List.of(events));
        return new LiveEvents() {
            @Override
            public EventReport next() {
                if (left.peek() instanceof RuntimeException failure) {
                    throw failure;
                }
                Object next = left.poll();
                return next == null ? null : batch(dbId, (Long) next).events().get(0);
            }

            @Override
            public String dbId() {
                return dbId;
            }

            @Override
            public void close() {
                left.clear();
            }
        };
    }

    private List<String> liveCursors(Object... connections) {
        Deque<Object> left = new ArrayDeque<>(List.of(connections));
        List<String> cursors = new ArrayList<>();
        ce.liveEvents = cursor -> {
            cursors.add(cursor);
            if (left.remove() instanceof LiveEvents live) {
                return Optional.of(live);
            }
            throw new LiveEvents.Restarted("ce:9443: another database");
        };
        return cursors;
    }

    @Test
    void followReadsEventsAsTheyComeAndGoesOnAfterABrokenConnection() {
        List<String> cursors = liveCursors(
                connection("7", 4L, 5L),
                connection("7", 5L, 6L, new ConnectionFailure("ce:9443: the connection broke", null)),
                connection("7", 7L));
        assertThat(ce.run("events", "--follow", "--from-id", "4", "--max", "4")).isZero();
        assertThat(printed()).containsExactly(4L, 5L, 6L, 7L);
        assertThat(cursors).containsExactly("3", "7-5", "7-6");
        assertThat(requested()).isEmpty();
        assertThat(ce.err()).contains("the connection broke; trying again in 2 s");
    }

    @Test
    void followBeginsAnewWithAnotherDatabaseAndFilters() {
        List<String> cursors = liveCursors(connection("7", 40L), "restarted", connection("8", 1L, 2L));
        assertThat(ce.run("events", "--follow", "--max", "3", "--status", "DONE-FAILED"))
                .isZero();
        assertThat(printed()).containsExactly(40L, 1L, 2L);
        assertThat(cursors).containsExactly("0", "7-40", "0");
        assertThat(ce.err()).contains("new database");
    }

    @Test
    void followEndsWhenRefused() {
        responses.add(batch("1", 1));
        responses.add(new ServiceFault(
                Endpoint.parse("ce:9443"), new WireFault("AuthorizationFault", "0", "CN=User is banned", null)));
        assertThat(ce.run("events", "--follow")).isEqualTo(1);
        assertThat(ce.err()).isEqualTo("ce events: ce:9443: CN=User is banned\n");
    }

    @Test
    void newDatabaseBeginsAnew() {
        responses.add(batch("1", 7, 8));
        responses.add(batch("2", 9));
        responses.add(batch("2", 1, 2));
        assertThat(ce.run("events", "--follow", "--max", "4")).isZero();
        assertThat(printed()).containsExactly(7L, 8L, 1L, 2L);
        assertThat(requested()).endsWith("events 9 500", "events 0 500");
        assertThat(ce.err()).contains("new database (2 instead of 1)");
    }

    @Test
    void jsonIsOneObjectAndLinesWhenFollowing() throws IOException {
        responses.add(batch("77", 1, 2));
        assertThat(ce.run("events", "--json")).isZero();
        JsonNode root = new ObjectMapper().readTree(ce.out());
        assertThat(root.at("/dbId").asText()).isEqualTo("77");
        assertThat(root.at("/events/1/eventId").asLong()).isEqualTo(2);
        assertThat(root.at("/events/0/id").asText()).isEqualTo("https://ce:9443/CREAM000000001");
        ce.out.reset();
        responses.add(batch("77", 3, 4));
        assertThat(ce.run("events", "--json", "--follow", "--max", "2")).isZero();
        List<Long> ids = new ArrayList<>();
        for (String line : ce.out().lines().toList()) {
            JsonNode node = new ObjectMapper().readTree(line);
            assertThat(node.at("/status").asText()).isEqualTo("DONE-FAILED");
            ids.add(node.at("/eventId").asLong());
        }
        assertThat(ids).isEqualTo(Arrays.asList(3L, 4L));
    }

    @Test
    void refusedQuestionFails() {
        responses.add(new ConnectionFailure("ce:9443: can't connect", null));
        assertThat(ce.run("events")).isEqualTo(1);
        assertThat(ce.err()).isEqualTo("ce events: ce:9443: can't connect\n");
    }
}
