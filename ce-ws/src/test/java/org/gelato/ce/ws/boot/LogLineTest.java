package org.gelato.ce.ws.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import org.gelato.ce.ws.audit.StrangersLines;
import org.junit.jupiter.api.Test;

class LogLineTest {
    @Test
    void aTextOfAClientStaysInItsLine() throws Exception {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(LogLineTest.class.getResource("/logback.xml"));
        Logger logger = context.getLogger("org.gelato.x");
        StrangersLines lines =
                (StrangersLines) context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("lines");
        ConsoleAppender<ILoggingEvent> console = (ConsoleAppender<ILoggingEvent>) lines.getAppender("console");
        String dn = "CN=Eve\r\n2026-01-01 INFO [main] forged\u0085\u2028\u001b[2J \u00e9";
        LoggingEvent event = new LoggingEvent("x", logger, Level.WARN, "{} is refused", null, new Object[] {dn});
        String line = new String(console.getEncoder().encode(event), StandardCharsets.UTF_8);
        assertThat(line)
                .endsWith("x: CN=Eve 2026-01-01 INFO [main] forged [2J \u00e9 is refused\n")
                .doesNotContainPattern("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028].");
        context.stop();
    }
}
