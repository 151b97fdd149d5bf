package org.gelato.ce.ws.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gelato.ce.ws.config.KeyOrigins;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseRoomTest {
    @TempDir
    Path directory;

    /** @param gibibytes of the file system that the embedded database and the sandboxes share */
    @ParameterizedTest
    @CsvSource({"9, 95, 230 MiB", "9, 90, ''", "1000, -1, 0 MiB", "0, 95, ''", "11, 95, ''"})
    void uploadsThatMayLeaveTheDatabaseNoRoomAreAWarning(long gibibytes, int limit, String leaves) throws IOException {
        Path file = Files.writeString(directory.resolve("gelato.conf"), "gelato.admission.disk = " + limit + "\n");
        Findings findings = new Findings(KeyOrigins.of(file));

        PlacesCheck.databaseRoom(directory, gibibytes << 30, limit, findings);

        if (leaves.isEmpty()) {
            assertThat(findings.all()).isEmpty();
        } else {
            assertThat(findings.all())
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.text())
                            .startsWith("warning")
                            .contains("gelato.admission.disk", "uploads leave " + leaves, "leaves 512 MiB"));
        }
    }
}
