package org.gelato.ce.core.lrms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalTimesTest {
    private static final LocalTimes BERLIN =
            new LocalTimes(ZoneId.of("Europe/Berlin"), DateTimeFormatter.ISO_LOCAL_DATE_TIME);

    @Test
    void aTimeOfTheHourThatThereIsTwiceIsNotKnown() {
        assertThat(BERLIN.parse("2026-10-25T01:59:59")).isEqualTo(Instant.parse("2026-10-24T23:59:59Z"));
        assertThat(BERLIN.parse("2026-10-25T02:30:00")).isNull();
        assertThat(BERLIN.parse("2026-10-25T03:00:00")).isEqualTo(Instant.parse("2026-10-25T02:00:00Z"));
        assertThat(BERLIN.parse("Unknown")).isNull();
    }

    @Test
    void theZoneIsThatOfTheHostNotOfTheJvm(@TempDir Path dir) throws IOException {
        Path zone = Files.createDirectories(dir.resolve("zoneinfo/Europe")).resolve("Paris");
        Path link = Files.createSymbolicLink(dir.resolve("localtime"), Files.createFile(zone));
        assertThat(LocalTimes.hostZone(link)).isEqualTo(ZoneId.of("Europe/Paris"));
        assertThat(LocalTimes.hostZone(dir.resolve("absent"))).isEqualTo(ZoneId.systemDefault());
    }
}
