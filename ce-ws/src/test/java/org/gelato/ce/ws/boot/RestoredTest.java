package org.gelato.ce.ws.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RestoredTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @TempDir
    private Path home;

    private final StringWriter err = new StringWriter();
    private final StringWriter out = new StringWriter();

    @BeforeEach
    void configure() throws IOException {
        DatabaseConfig database = DB.config();
        Files.writeString(home.resolve("password"), database.password());
        Files.writeString(home.resolve("gelato.conf"), """
                gelato {
                  home = "."
                  host = "ce.example.org"
                  database { url = "%s", user = "%s", password-file = password }
                }
                """.formatted(database.url(), database.user()));
        DB.database().inTransaction(h -> {
            h.execute("INSERT IGNORE INTO subject (id, dn_hash, dn) VALUES (1, 'x', 'CN=a')");
            h.execute("INSERT IGNORE INTO account (id, name) VALUES (1, 'a')");
            return h.execute("INSERT IGNORE INTO delegation (subject_id, account_id, client_id, fqans, chain,"
                    + " private_key, info, expires_at, created_at) VALUES (1, 1, 'd', '', '', REPEAT('k', 99), '',"
                    + " UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))");
        });
    }

    @Test
    void withoutTheKeyOfTheBackupItSaysWhatToRestoreAndChangesNothing() {
        long before = next();
        assertThat(run()).isEqualTo(1);
        assertThat(err.toString().strip().lines())
                .singleElement()
                .asString()
                .contains("delegation.key does not exist: restore it from the same backup as the database")
                .contains("--new-key");
        assertThat(next()).isEqualTo(before);
        assertThat(home.resolve("delegation.key")).doesNotExist();
    }

    @Test
    void theKeyOfAnotherDatabaseIsRefused() throws IOException {
        writeKey();
        long before = next();
        assertThat(run()).isEqualTo(1);
        assertThat(err.toString().strip().lines())
                .singleElement()
                .asString()
                .contains("delegation.key does not open the delegations of this database");
        assertThat(next()).isEqualTo(before);
    }

    @Test
    void anAdministratorMayGoOnWithoutTheKey() {
        long before = next();
        assertThat(run("--new-key")).isZero();
        assertThat(out.toString()).contains("job numbers go on at row ");
        assertThat(next()).isGreaterThanOrEqualTo(before + 1_000_000);
    }

    private void writeKey() throws IOException {
        Path key = Files.writeString(
                home.resolve("delegation.key"), Base64.getEncoder().encodeToString(new byte[32]));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    }

    private static long next() {
        String table = DB.database()
                .read(h -> h.createQuery("SHOW CREATE TABLE job")
                        .map((r, c) -> r.getString(2))
                        .one());
        return table.contains("AUTO_INCREMENT=")
                ? Long.parseLong(table.replaceAll("(?s).*AUTO_INCREMENT=([0-9]+).*", "$1"))
                : 1;
    }

    private int run(String... options) {
        List<String> args = new ArrayList<>(
                List.of("restored", "--config", home.resolve("gelato.conf").toString()));
        args.addAll(List.of(options));
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(err, true));
        line.setOut(new PrintWriter(out, true));
        return line.execute(args.toArray(new String[0]));
    }
}
