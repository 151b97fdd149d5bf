package org.gelato.ce.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A fault of each poll is in the log when it begins, once an hour with a count, and when it is over. */
class RepeatedFaultTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(RepeatedFaultTest.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final RepeatedFault fault = new RepeatedFault(logger, new Watch(), "history of slurm");

    private final class Watch extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void aFaultThatLastsIsReportedOnceAnHourWithItsCount() {
        fault.over();
        for (int poll = 0; poll < 1000; poll++) { // of 10 s: 2.8 hours
            fault.failed("slurmdbd is away");
            now = now.plus(Duration.ofSeconds(10));
        }
        fault.over();
        fault.over();
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "history of slurm: slurmdbd is away; tried again, and reported once an hour while it lasts",
                        "history of slurm: still, 360 times since the last report: slurmdbd is away",
                        "history of slurm: still, 360 times since the last report: slurmdbd is away",
                        "history of slurm: works again, after 279 more failures since the last report");
    }

    @Test
    void theNextFaultIsReportedAtOnce() {
        fault.failed("away");
        fault.over();
        fault.failed("away again");
        assertThat(log.list).hasSize(3);
        assertThat(log.list.get(2).getFormattedMessage()).contains("away again; tried again");
    }
}
