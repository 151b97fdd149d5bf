package org.gelato.ce.it.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.embedded.EmbeddedMariaDb;
import org.gelato.ce.it.arcrest.PythonClient;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code docs/user/examples/forward-messages.py}, as a user runs it, into a MariaDB that is the user's own. */
@ExtendWith(SharedCe.class)
class ForwardMessagesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int MESSAGES = 60;

    private static PythonClient python;
    private static SiteCe ce;
    private static EmbeddedMariaDb database;
    private static Path command;

    @BeforeAll
    static void start(SiteCe shared) throws IOException {
        python = PythonClient.of("pymysql", "the forwarder of messages");
        ce = shared;
        database = EmbeddedMariaDb.start(new EmbeddedMariaDb.Settings(
                ce.base().resolve("database-of-the-user"),
                SiteCe.cache(),
                64L << 20,
                60,
                Duration.ofSeconds(10),
                Duration.ofMinutes(2)));
        Files.writeString(ce.base().resolve("password"), database.config().password() + "\n");
        command = SiteUser.install(ce.base().resolve("installed"));
    }

    @AfterAll
    static void stop() {
        if (database != null) {
            database.close();
        }
    }

    private static Process forwarder(SiteUser user, Path output, String... words) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--socket",
                database.socket().toString(),
                "--user",
                database.config().user(),
                "--password-file",
                ce.base().resolve("password").toString(),
                "--database",
                "gelato",
                "--ce",
                command.toString()));
        arguments.addAll(List.of(words));
        return python.start(
                "docs/user/examples/forward-messages.py", output, user.environment(), arguments.toArray(String[]::new));
    }

    private static List<String> column(String query) {
        try (Connection connection = DriverManager.getConnection(
                        database.config().url(),
                        database.config().user(),
                        database.config().password());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            List<String> values = new ArrayList<>();
            while (result.next()) {
                values.add(result.getString(1));
            }
            return values;
        } catch (SQLException e) {
            return List.of(); // The forwarder has not made its tables yet.
        }
    }

    @Test
    void eachMessageIsARowOnceThoughTheForwarderIsKilled() throws Exception {
        SiteUser user = ce.user("Bob of forward");
        Path output = ce.base().resolve("forwarder.out");
        Path go = ce.base().resolve("go");
        String job =
                user.submit(SiteUser.shellJob("for i in {1..20}; do gelato-message --key n text$i; done; while [ ! -e "
                        + go + " ]; do sleep 0.2; done; for i in {21.." + MESSAGES
                        + "}; do gelato-message --key n text$i; done"));
        Process first = forwarder(user, output, "--", "--all");
        await().atMost(PATIENCE)
                .until(() -> !first.isAlive()
                        || column("SELECT place FROM ce_message").size() >= 10);
        first.descendants().forEach(ProcessHandle::destroyForcibly);
        first.destroyForcibly().waitFor();
        assertThat(column("SELECT place FROM ce_message"))
                .as(Files.readString(output))
                .isNotEmpty();
        Files.createFile(go);
        // This one goes on after the cursor and ends with the job.
        Process second = forwarder(user, output, "--", job);
        assertThat(second.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).as(Files.readString(output)).isZero();
        List<String> texts =
                IntStream.rangeClosed(1, MESSAGES).mapToObj(i -> "text" + i).toList();
        assertThat(column("SELECT content FROM ce_message WHERE job = '" + job + "' ORDER BY number"))
                .isEqualTo(texts);
        // Nothing is new: nothing is stored, and the cursor stays valid.
        Process third = forwarder(user, output, "--once", "--", "--all");
        assertThat(third.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(third.exitValue()).as(Files.readString(output)).isZero();
        assertThat(Files.readString(output)).endsWith("}\n").contains("{\"stored\": 0, ");
        Process anew = forwarder(user, output, "--once", "--name", "again", "--", "--all");
        assertThat(anew.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        // Its rows are there already, and twice is never.
        assertThat(anew.exitValue()).as(Files.readString(output)).isNotZero();
        assertThat(column("SELECT content FROM ce_message")).hasSize(MESSAGES);
    }
}
