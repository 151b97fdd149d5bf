package org.gelato.ce.ws.parts;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.gridftp.GridFtp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class GridFtpPartsTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(GridFtp.class);

    private final List<AutoCloseable> opened = new ArrayList<>();

    /** Legacy clients do not say why they cannot upload: the log of the CE does, once for each start. */
    @Test
    void aStartWithoutGridFtpSaysWhoMissesItAndWhatToDo(@TempDir Path home) throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        LOGGER.addAppender(log);
        LOGGER.setLevel(Level.INFO);
        try {
            GridFtpParts parts = GridFtpParts.open(opening(home), null, null, null, null);
            assertThat(parts.access().isThere()).isFalse();
        } finally {
            LOGGER.detachAppender(log);
            LOGGER.setLevel(null);
            for (AutoCloseable part : opened) {
                part.close();
            }
        }
        assertThat(log.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.INFO);
            assertThat(line.getFormattedMessage())
                    .contains(
                            "There is no GridFTP server",
                            "glite-ce-*",
                            "ce does both over HTTPS",
                            "install a GridFTP server and set gelato.gridftp.enabled = true");
        });
    }

    private Opening opening(Path home) throws IOException {
        Path file = Files.writeString(home.resolve("gelato.conf"), """
                gelato {
                  home = "."
                  host = "ce.example.org"
                }
                """);
        return new Opening(new Foundation(
                CeConfig.load(file),
                null,
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                Clock.systemUTC(),
                opened::add,
                () -> 0));
    }
}
