package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.gelato.ce.ws.audit.StrangersLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Requests that nobody sends by mistake, without credentials: what they get, and what they leave in the log. */
class OddRequestsTest extends ServerFixture {
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: ce\r\n\r\n";
    private static final int LONGEST = 500;

    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger ours = context.getLogger("org.gelato");
    private final StrangersLines lines = new StrangersLines();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private List<java.util.logging.Handler> handlers;
    private Appender<ILoggingEvent> console;

    /** As the server's own configuration has it. */
    @BeforeEach
    void listen() {
        java.util.logging.Logger jul =
                java.util.logging.LogManager.getLogManager().getLogger("");
        handlers = List.of(jul.getHandlers());
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        ours.setLevel(Level.INFO);
        console = root.getAppender("console");
        root.detachAppender(console);
        log.setContext(context);
        log.start();
        lines.setContext(context);
        lines.addAppender(log);
        lines.start();
        root.addAppender(lines);
    }

    @AfterEach
    void listenNoMore() {
        root.detachAppender(lines);
        root.addAppender(console);
        ours.setLevel(null);
        SLF4JBridgeHandler.uninstall();
        handlers.forEach(java.util.logging.LogManager.getLogManager().getLogger("")::addHandler);
    }

    @ParameterizedTest
    @CsvSource({
        "400, Content-Length: 0|Content-Length: 0",
        "400, Content-Length: 0|Content-Length: 40",
        "400, 'Content-Length: 0, 40'",
        "400, Content-Length: +0",
        "400, Content-Length: -1",
        "400, Content-Length: 99999999999999999999",
        "400, Content-Length : 40",
        "400, Transfer-Encoding: chunked|Transfer-Encoding: identity",
        "501, Transfer-Encoding: xchunked",
        "400, Host: another",
        "400, X: a\u0000b",
        "400, Expect: 100-continue|Content-Length: 1|Content-Length: 1",
    })
    void whatIsMalformedIsRefusedAndWritesNoMoreThanALine(int status, String headers) throws Exception {
        for (String begin : List.of("GET /health/live", "POST /ce-cream/services/Echo", "PUT " + OUTPUT + "x")) {
            log.list.clear();
            String response =
                    raw(begin + " HTTP/1.1\r\nHost: ce\r\n" + headers.replace("|", "\r\n") + "\r\n\r\n" + SMUGGLED);
            assertThat(response).as(begin).startsWith("HTTP/1.1 " + status).doesNotContain("smuggled");
            assertThat(response.split("HTTP/1.1 ", -1)).as(begin).hasSize(2);
            assertAtMostALine(begin);
        }
    }

    @Test
    void whatIsNoHttpWritesNoMoreThanALine() throws Exception {
        for (String request : List.of(
                "\0\0\0",
                "\u0016\u0003\u0001",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET " + "x".repeat(60_000) + " HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nX: " + "x".repeat(60_000) + "\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: ce\r\n\r\n",
                "CONNECT ce:22 HTTP/1.1\r\nHost: ce:22\r\n\r\n",
                "TRACE / HTTP/1.1\r\nHost: ce\r\n\r\n",
                "GET /ce-cream/services/Echo?fail HTTP/1.1\r\nHost: ce\r\nConnection: close\r\n\r\n")) {
            log.list.clear();
            raw(request);
            assertAtMostALine(request);
        }
    }

    private void assertAtMostALine(String request) {
        assertThat(log.list).as(request).hasSizeLessThan(2).allSatisfy(event -> {
            assertThat(event.getThrowableProxy()).isNull();
            assertThat(event.getFormattedMessage()).hasSizeLessThanOrEqualTo(LONGEST);
        });
    }
}
