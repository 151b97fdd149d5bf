package org.gelato.ce.ws.parts.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.ws.http.HealthCheck.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class QueueStateTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(QueueState.class);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Optional<ClusterStatus> status = Optional.empty();
    private final QueueState state = new QueueState("slurm", List.of("long", "gone"), () -> status);

    @BeforeEach
    void attach() {
        log.start();
        LOGGER.setLevel(Level.INFO);
        LOGGER.addAppender(log);
    }

    @AfterEach
    void detach() {
        LOGGER.setLevel(null);
        LOGGER.detachAppender(log);
    }

    @Test
    void aQueueThatTheBatchSystemDoesNotHaveDegradesTheCeAndIsLoggedOnce() {
        assertThat(seen()).isEqualTo(new Outcome(true, "not yet read"));

        status = has("long", "short");
        String problem = "slurm has no queue 'gone', it has long, short";
        assertThat(seen()).isEqualTo(Outcome.degraded(problem));
        assertThat(seen()).isEqualTo(Outcome.degraded(problem));
        assertThat(logged())
                .containsExactly("ERROR " + problem
                        + "; started jobs wait until the queue is there and open, and new ones for a queue that is missing are refused;"
                        + " or name other queues in gelato.lrms.queues");

        status = Optional.empty();
        seen();
        status = has("long", "gone");
        assertThat(seen()).isEqualTo(new Outcome(true, "as configured"));
        assertThat(logged()).hasSize(2).last().isEqualTo("INFO slurm has all queues of gelato.lrms.queues again");
    }

    @Test
    void aQueueThatTakesNoJobsDegradesTheCe() {
        status = has("long", "-gone");

        assertThat(seen()).isEqualTo(Outcome.degraded("the queue 'gone' of slurm takes no new jobs"));
        assertThat(logged()).hasSize(1);
    }

    @Test
    void aBatchSystemThatReportsNoQueuesLacksNone() {
        status = Optional.of(ClusterStatus.UNKNOWN);

        assertThat(seen()).isEqualTo(new Outcome(true, "as configured"));
        assertThat(logged()).isEmpty();
    }

    /** @param names behind a minus those that are closed */
    private static Optional<ClusterStatus> has(String... names) {
        return Optional.of(new ClusterStatus(
                null,
                OptionalInt.empty(),
                OptionalInt.empty(),
                Stream.of(names)
                        .map(name -> new ClusterStatus.Queue(
                                name.replace("-", ""),
                                !name.startsWith("-"),
                                true,
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                null,
                                OptionalInt.empty()))
                        .toList()));
    }

    private Outcome seen() {
        state.report();
        return state.check().join();
    }

    private List<String> logged() {
        return log.list.stream()
                .map(e -> (e.getLevel() == Level.ERROR ? "ERROR " : "INFO ") + e.getFormattedMessage())
                .toList();
    }
}
