package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventLogTest {
    private static final int MAX = 20_000;
    private static final String HEADER =
            "{\n  \"MyType\": \"GenericEvent\",\n  \"EventTypeNumber\": 8,\n  \"Info\": \"Global JobLog: id=%s\"\n}\n";
    private static final String EXECUTE =
            "{\n  \"ExecuteProps\":\n  {\n    \"Cpus\": 1\n  },\n  \"EventTypeNumber\": 1\n}\n";

    @TempDir
    Path folder;

    private Path path;
    private EventLog log;

    @BeforeEach
    void begin() throws IOException {
        path = folder.resolve("EventLog");
        Files.writeString(path, HEADER.formatted("first") + attributes(0, ""));
        log = new EventLog(path, MAX, Clock.systemUTC());
        assertThat(log.hasNews()).as("nobody knows what was before").isTrue();
        assertThat(log.hasNews()).isFalse();
    }

    private static String attributes(int trigger, String more) {
        return "{\n  \"Proc\": 0,\n  \"Owner\": \"bob\",\n" + more
                + "  \"EventTypeNumber\": 28,\n  \"TriggerEventTypeNumber\": " + trigger + "\n}\n";
    }

    private static String ours(int trigger) {
        return attributes(trigger, "  \"GelatoTag\": \"cream_000000042\",\n");
    }

    private boolean afterAppending(String text) throws IOException {
        Files.writeString(path, text, StandardOpenOption.APPEND);
        return log.hasNews();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 9, 10, 11, 12, 13})
    void aChangeOfOneOfOursIsNewsOnce(int trigger) throws IOException {
        assertThat(afterAppending(ours(trigger))).isTrue();
        assertThat(log.hasNews()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 6, 8, 28, 40})
    void whatChangesNoStateIsNone(int trigger) throws IOException {
        assertThat(afterAppending(ours(trigger))).isFalse();
    }

    @Test
    void jobsOfOthersAreNone() throws IOException {
        assertThat(afterAppending(
                        EXECUTE + attributes(1, "") + EXECUTE + attributes(5, "  \"Note\": \"GelatoTag {\",\n")))
                .isFalse();
    }

    @Test
    void eventsWithoutAttributesMayBeOurs() throws IOException {
        Files.writeString(path, HEADER.formatted("other"));
        EventLog bare = new EventLog(path, MAX, Clock.systemUTC());
        bare.hasNews();
        Files.writeString(path, EXECUTE, StandardOpenOption.APPEND);
        assertThat(bare.hasNews()).isTrue();
    }

    @Test
    void aRecordInPiecesIsReadWhenItIsWhole() throws IOException {
        byte[] record = ours(5).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < record.length - 2; i++) {
            Files.write(path, new byte[] {record[i]}, StandardOpenOption.APPEND);
            assertThat(log.hasNews()).as("byte " + i).isFalse();
        }
        assertThat(afterAppending("}\n")).isTrue();
    }

    @Test
    void bracesQuotesAndLinesInValuesStayValues() throws IOException {
        String value = "  \"Note\": \"}\\n{ \\\" \\\\\",\n";
        assertThat(afterAppending(attributes(1, value) + attributes(1, value))).isFalse();
        assertThat(afterAppending(ours(1))).isTrue();
    }

    @Test
    void aRotatedLogIsNewsAndReadOn() throws IOException {
        Files.move(path, folder.resolve("EventLog.1"));
        // as long as the former
        Files.writeString(path, HEADER.formatted("secnd") + attributes(0, ""));
        assertThat(log.hasNews()).isTrue();
        assertThat(log.hasNews()).isFalse();
        assertThat(afterAppending(ours(1))).isTrue();
    }

    @Test
    void aTruncatedLogIsNewsAndReadOn() throws IOException {
        Files.writeString(path, "");
        assertThat(log.hasNews()).isTrue();
        assertThat(afterAppending(HEADER.formatted("first"))).isFalse();
        assertThat(afterAppending(ours(1))).isTrue();
    }

    @Test
    void moreThanIsReadIsNews() throws IOException {
        String much = attributes(6, "").repeat(MAX / 50);
        assertThat(afterAppending(much)).isTrue();
        assertThat(log.hasNews()).isFalse();
        assertThat(afterAppending(ours(1))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"000 (001.000.000) 2026-11-27 Job submitted\n...\n", "{ no JSON }\n", "}\n", "<c></c>\n"})
    void whatIsNoRecordIsNewsAndTheNextOneIsRead(String text) throws IOException {
        assertThat(afterAppending(text)).isTrue();
        assertThat(log.hasNews()).isFalse();
        assertThat(afterAppending(attributes(1, ""))).isFalse();
        assertThat(afterAppending(ours(1))).isTrue();
    }

    @Test
    void anEndlessRecordIsNewsAndForgotten() throws IOException {
        EventLog large = new EventLog(path, 10L << 20, Clock.systemUTC());
        large.hasNews();
        Files.writeString(path, "{ \"Note\": \"" + "x".repeat(100_000), StandardOpenOption.APPEND);
        assertThat(large.hasNews()).isTrue();
        Files.writeString(path, "\"}\n" + attributes(6, ""), StandardOpenOption.APPEND);
        assertThat(large.hasNews()).as("the rest of it").isTrue();
        Files.writeString(path, ours(5), StandardOpenOption.APPEND);
        assertThat(large.hasNews()).isTrue();
        assertThat(large.hasNews()).isFalse();
    }

    @Test
    void aLogThatIsAwayIsNewsUntilItIsThereAgain() throws IOException {
        Files.delete(path);
        assertThat(log.hasNews()).isTrue();
        assertThat(log.hasNews()).isTrue();
        Files.writeString(path, HEADER.formatted("third"));
        assertThat(log.hasNews()).isTrue();
        assertThat(log.hasNews()).isFalse();
    }

    @Test
    void theLogAsHTCondorWritesItIsRead() throws IOException {
        assertThat(afterAppending(Ads.recorded("eventlog.json"))).isFalse();
        assertThat(afterAppending(Ads.recorded("eventlog.json").replace("GelatoJob", "GelatoTag")))
                .isTrue();
    }
}
