package org.gelato.ce.ws.audit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.ws.web.Authentication;
import org.gelato.ce.ws.web.RequestContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StrangersLinesTest {
    private final AtomicLong nanos = new AtomicLong();
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final StrangersLines lines = new StrangersLines(nanos::get);
    private final RequestContext request = new RequestContext("1", "192.0.2.1");
    private final Logger logger = context.getLogger("org.gelato.ce.ws.x");

    @BeforeEach
    void start() {
        context.setMDCAdapter(new LogbackMDCAdapter());
        log.setContext(context);
        log.start();
        lines.setContext(context);
        lines.addAppender(log);
        lines.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(lines);
        request.enter();
    }

    @AfterEach
    void stop() {
        RequestContext.leave();
        context.stop();
    }

    @Test
    void aStrangersLinesAreSoManyAMinuteAndTheRestIsCounted() {
        for (int i = 0; i < 3 * RefusalLimit.OF_ADDRESS; i++) {
            logger.warn("refused {}", i);
        }
        assertThat(log.list).hasSize(RefusalLimit.OF_ADDRESS);
        // Other parts have lines of their own, and what is nobody's request is not counted.
        context.getLogger("org.gelato.ce.ws.y").warn("else");
        RequestContext.leave();
        logger.warn("a sweep");
        assertThat(log.list).hasSize(RefusalLimit.OF_ADDRESS + 2);

        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        request.enter();
        logger.warn("again");

        assertThat(texts().subList(RefusalLimit.OF_ADDRESS + 2, log.list.size()))
                .hasSize(2)
                .first()
                .asString()
                .startsWith(2 * RefusalLimit.OF_ADDRESS + " lines about requests");
        assertThat(texts()).last().isEqualTo("again");
    }

    @Test
    void aStrangersLineIsShortAndHasNoTrace() {
        logger.error(
                "Cannot serve {}",
                "x\n".repeat(100_000),
                new IllegalStateException("outer", new IllegalArgumentException("i".repeat(100_000))));
        logger.error("Cannot serve {}", "/", new IllegalArgumentException("no such thing"));

        assertThat(log.list).allSatisfy(event -> {
            assertThat(event.getThrowableProxy()).isNull();
            assertThat(event.getFormattedMessage()).hasSizeLessThanOrEqualTo(StrangersLines.LONGEST);
        });
        assertThat(texts())
                .last()
                .asString()
                .startsWith("Cannot serve /: IllegalArgumentException no such thing in StrangersLinesTest.java:");
    }

    @Test
    void whatAUsersRequestWritesIsWhole() {
        request.authenticated(
                new Authentication.Accepted(new Caller(null, "dteam001", false), Authentication.Credential.NONE));
        for (int i = 0; i < 2 * RefusalLimit.OF_ADDRESS; i++) {
            logger.error("Cannot serve", new IllegalStateException("why"));
        }
        assertThat(log.list)
                .hasSize(2 * RefusalLimit.OF_ADDRESS)
                .allSatisfy(event -> assertThat(event.getThrowableProxy()).isNotNull());
    }

    private List<String> texts() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
