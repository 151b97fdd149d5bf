package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class RevocationListsTest {
    @TempDir
    Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(RevocationLists.class);

    /** What happens while a caller looks at the clock, once. */
    private Runnable meanwhile = () -> {};

    @BeforeEach
    void open() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
    }

    @Test
    void aListThatIsTooLargeForTheMemoryIsNotRead() throws Exception {
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        Path list;
        try (DirectoryStream<Path> lists = Files.newDirectoryStream(pki.certificates(), "*.r0")) {
            list = lists.iterator().next();
        }
        long size = Files.size(list);
        assertThat(TrustFileChecks.revocationList(list, 48 * size)).isNotNull();
        assertThatThrownBy(() -> TrustFileChecks.revocationList(list, 48 * size - 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a CRL of " + size + " bytes is too large: at most " + (size - 1))
                .hasMessageContaining("-Xmx");
        Path large = directory.resolve("large.r0");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength((16 << 20) + 1);
        }
        assertThatThrownBy(() -> TrustFileChecks.revocationList(large, Long.MAX_VALUE))
                .hasMessageContaining("too large: at most 16777216");
    }

    @Test
    void anEndIsLoggedOnceThoughANewListIsReadMeanwhile() {
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        X509Certificate[] chain = pki.user("Alice Example").chain().toArray(X509Certificate[]::new);
        Instant end = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(60);
        pki.endRevocationList(end);
        InstantSource interrupted = () -> {
            Runnable once = meanwhile;
            meanwhile = () -> {};
            once.run();
            return Instant.now();
        };
        RevocationLists lists = new RevocationLists(pki.certificates(), interrupted.withZone(ZoneOffset.UTC));
        lists.read(pki.certificates());
        assertThat(lists.ended(chain)).hasValueSatisfying(why -> assertThat(why).contains(end.toString()));
        assertThat(log.list).hasSize(1);

        meanwhile = () -> {
            pki.endRevocationList(end.plus(Duration.ofDays(1)));
            lists.read(pki.certificates());
        };
        // The caller saw the old list, and says so; the log has said it already.
        assertThat(lists.ended(chain)).isPresent();
        assertThat(log.list).hasSize(1);
        assertThat(lists.ended(chain)).isEmpty();
    }
}
