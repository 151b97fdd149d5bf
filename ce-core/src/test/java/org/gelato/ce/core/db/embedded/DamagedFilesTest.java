package org.gelato.ce.core.db.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which outputs of a server are taken for damage; what the server does after it is in DamagedServerFilesTest. */
class DamagedFilesTest {
    private static final String ARIA = "[ERROR] mariadbd: Aria recovery failed. Please run aria_chk -r";
    private final IllegalStateException failure = new IllegalStateException("it ended with status 1");

    @TempDir
    private Path home;

    private Path data;
    private DamagedFiles damaged;

    @BeforeEach
    void files() throws IOException {
        data = Files.createDirectory(home.resolve("data"));
        Files.createDirectory(data.resolve("mysql"));
        for (String name : List.of("aria_log.00000001", "aria_log_control", "tc.log", "ibdata1", "ib_logfile0")) {
            Files.write(data.resolve(name), new byte[16384]);
        }
        damaged = new DamagedFiles(data, use -> {
            throw new IOException("no space for a new directory");
        });
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            return files.map(f -> f.getFileName().toString()).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[ERROR] Aborting",
                "[ERROR] InnoDB: Corrupted page",
                "[ERROR] mariadbd: Got error 'Can't lock file' when trying to use aria control file '/data/aria_log_control'",
                "[Note] InnoDB: Using Linux native AIO\n[ERROR] /bin/mariadbd got signal 6 ;"
            })
    void whatIsNotKnownIsLeftAlone(String output) throws IOException {
        List<String> before = left();
        assertThatThrownBy(() -> damaged.mend(output, failure)).isSameAs(failure);
        damaged.beforeStart();
        assertThat(left()).isEqualTo(before);
    }

    @Test
    void damageOfInnoDbNamesTheBackup() throws IOException {
        List<String> before = left();
        assertThatThrownBy(() -> damaged.mend("[ERROR] Unknown/unsupported storage engine: InnoDB", failure))
                .hasMessageContaining(
                        "it ended with status 1; where InnoDB's files are damaged, restore the backup (/");
        assertThat(left()).isEqualTo(before);
    }

    @Test
    void onAFullDiskNothingIsMoved() throws IOException {
        List<String> before = left();
        assertThatThrownBy(() -> damaged.mend("Errcode: 28 \"No space left on device\"\n" + ARIA, failure))
                .hasMessageContaining("it ended with status 1; make room on the disk of " + data);
        assertThat(left()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {ARIA, "261128 13:46:00 [ERROR] /usr/sbin/mariadbd got signal 11 ;"})
    void aDamagedAriaLogIsMovedOnceForAStart(String output) throws Exception {
        damaged.mend(output, failure);
        assertThat(left()).containsExactlyInAnyOrder("aria_log_control", "tc.log", "ibdata1", "ib_logfile0", "mysql");
        assertThatThrownBy(() -> damaged.mend(output, failure))
                .hasMessageContaining("it ended with status 1; new files do not help; restore the backup");
    }

    @Test
    void withoutFilesToMoveTheFailureStays() throws IOException {
        Files.delete(data.resolve("tc.log"));
        assertThatThrownBy(() -> damaged.mend("[ERROR] Can't init tc log", failure))
                .hasMessageContaining("it ended with status 1; new files do not help");
    }

    @Test
    void startsThatNeverHelpDoNotFillTheDisk() throws Exception {
        for (int start = 1; start <= 10; start++) {
            new DamagedFiles(data, use -> {}).mend(ARIA, failure);
            Files.createFile(data.resolve("aria_log.00000001"));
        }
        assertThatThrownBy(() -> damaged.mend(ARIA, failure))
                .hasMessageContaining("it ended with status 1; this happened 10 times before")
                .hasMessageContaining(home.resolve("set-aside-*").toString());
    }

    @Test
    void tablesOfAccountsStayWhereNoNewOnesCanBeMade() throws IOException {
        Files.createFile(data.resolve("mysql/global_priv.MAI"));
        assertThatThrownBy(() -> damaged.mend("[ERROR] Fatal error: Can't open and lock privilege tables: x", failure))
                .hasMessageContaining("it ended with status 1; no space for a new directory");
        assertThat(data.resolve("mysql/global_priv.MAI")).exists();
        assertThat(left()).contains("aria_log.00000001");
    }
}
