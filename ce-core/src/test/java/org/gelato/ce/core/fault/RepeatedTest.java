package org.gelato.ce.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RepeatedTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(Repeated.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

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
    void workThatThrowsIsCountedAndNamedOnceAndHasItsNextTurn() {
        AtomicReference<Error> thrown = new AtomicReference<>(new StackOverflowError());
        Repeated work = Repeated.of("reading of keys", () -> {
            Error error = thrown.get();
            if (error != null) {
                throw error;
            }
        });
        long before = Repeated.failures();
        for (int turn = 0; turn < 100; turn++) {
            work.run();
        }
        thrown.set(null);
        work.run();
        assertThat(Repeated.failures()).isGreaterThanOrEqualTo(before + 100);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "reading of keys: an unexpected fault (StackOverflowError); tried again, and reported once an hour"
                                + " while it lasts",
                        "reading of keys: works again, after 99 more failures since the last report");
        assertThat(log.list.get(0).getThrowableProxy()).isNotNull();
    }
}
