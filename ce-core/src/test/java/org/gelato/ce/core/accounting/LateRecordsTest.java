package org.gelato.ce.core.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.accounting.AccountingSettings.Publishing;
import org.gelato.ce.core.accounting.AccountingSettings.Records;
import org.gelato.ce.core.accounting.UsagePublisher.Point;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Records that come when the others of their month are removed: {@link UsagePublisherTest} has what becomes of the sums. */
class LateRecordsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Instant NOW = Instant.parse("2026-04-02T12:00:00Z");
    private static final Instant IN_TIME = Instant.parse("2026-03-30T10:00:00Z");

    @TempDir
    private Path queue;

    private final Database database = DB.database();

    @BeforeEach
    void empty() {
        database.inTransaction(h -> h.execute("DELETE FROM usage_record")
                + h.execute("DELETE FROM accounting_message")
                + h.execute("UPDATE accounting_turn SET holder = NULL, totals_at = NULL"));
    }

    private static Clock at(Instant time) {
        return Clock.fixed(time, ZoneOffset.UTC);
    }

    private static List<String> warnings(ListAppender<ILoggingEvent> log) {
        return log.list.stream()
                .filter(e -> e.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Six are two messages; the second turn meets a fault after the first of them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lateRecordsAreCountedInOneWarningOfTheTurn(boolean faulty) {
        Logger logger = (Logger) LoggerFactory.getLogger(UsagePublisher.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            AccountingSettings settings = UsageRows.settings(queue, Publishing.SSM, Records.SUMMARIES);
            UsageRows.ended(database, 5, "long", "/dteam", IN_TIME);
            new UsagePublisher(database, settings, at(NOW)).publish(true);
            assertThat(warnings(log)).as("of records in time").isEmpty();
            Instant later = NOW.plus(Duration.ofDays(450));
            new UsageRetention(database, settings, at(later)).sweep();
            UsageRows.ended(database, 6, "long", "/dteam", IN_TIME);
            AtomicInteger assigned = new AtomicInteger();
            UsagePublisher publisher = new UsagePublisher(database, settings, at(later), point -> {
                if (faulty && point == Point.ASSIGNED && assigned.incrementAndGet() == 2) {
                    throw new IllegalStateException("a fault of the tests");
                }
            });
            if (faulty) {
                assertThatThrownBy(() -> publisher.publish(true)).hasMessage("a fault of the tests");
            } else {
                publisher.publish(true);
                publisher.publish(true);
            }
            assertThat(warnings(log))
                    .singleElement()
                    .asString()
                    .startsWith((faulty ? 4 : 6) + " usage records of months before those that are kept")
                    .contains("gelato.accounting.keep", "published as records of jobs");
        } finally {
            logger.detachAppender(log);
        }
    }
}
