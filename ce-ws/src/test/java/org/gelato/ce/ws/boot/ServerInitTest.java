package org.gelato.ce.ws.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.ws.check.ScriptedCondor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command: what it writes is what the server accepts. */
class ServerInitTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final String USER = System.getProperty("user.name");

    @TempDir
    private Path root;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private int port;

    @BeforeEach
    void make() throws Exception {
        GridPki.open(root.resolve("grid"), "ce.example.org");
        Files.setPosixFilePermissions(root.resolve("grid/hostkey.pem"), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(root.resolve("grid/ban-users"), "");
        Path password = Files.writeString(root.resolve("password"), DB.config().password());
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        port = FreePort.choose();
    }

    private int init(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "init",
                "--yes",
                "--helper=own",
                "--user=" + USER,
                "--port=" + port,
                "--vo=dteam=" + (USER.equals("root") ? "nobody" : USER),
                "--database=" + DB.config().url(),
                "--database-user=" + DB.config().user(),
                "--database-password-file=" + root.resolve("password"),
                "--grid-security=" + root.resolve("grid"),
                "--directory=" + root.resolve("etc"),
                "--home=" + root.resolve("home"),
                "--log-directory=" + root.resolve("log"),
                "--sandbox=" + root.resolve("sandbox"),
                "--sudoers-directory=" + root.resolve("sudoers.d"),
                "--environment-file=" + root.resolve("default")));
        all.addAll(Arrays.asList(more));
        if (all.stream().noneMatch(one -> one.startsWith("--lrms="))) {
            all.add("--lrms=fork");
        }
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(all.toArray(String[]::new));
    }

    @Test
    void aSiteIsSetUpPreparedAndCheckedInOneCommandAndAgain() {
        int first = init();

        assertThat(first).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("written: " + root.resolve("etc/gelato.conf"))
                .contains("database: its schema is up to date", "\nok\n", "/cream-fork-default --wait");
        assertThat(root.resolve("home/delegation.key")).exists();
        // The certificate names the host that the machine does not have.
        assertThat(root.resolve("etc/gelato.conf")).content().contains("gelato.host = \"ce.example.org\"");

        assertThat(init()).as(err.toString()).isZero();
    }

    /** Its queues are names that the CE alone knows. */
    @Test
    void aSiteOfHTCondorIsSetUpWithAnyQueues() throws Exception {
        Path bin = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-condor-init-");
        try {
            Files.setPosixFilePermissions(bin, PosixFilePermissions.fromString("rwxr-xr-x"));
            ScriptedCondor.in(bin, "exit 0");
            int status = init("--lrms=condor", "--bin-directory=" + bin, "--queue=long", "--queue=short");
            assertThat(status).as(err.toString()).isZero();
            assertThat(out.toString()).contains("\nok\n", "/cream-condor-long --wait");
        } finally {
            try (Stream<Path> files = Files.list(bin)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(bin);
        }
    }

    @Test
    void aDryRunShowsTheFilesAndMakesNone() {
        assertThat(init("--dry-run")).as(err.toString()).isZero();

        assertThat(out.toString())
                .contains("--- " + root.resolve("etc/gelato.conf") + " (new; ", "nothing was written");
        assertThat(root.resolve("etc")).doesNotExist();
        assertThat(root.resolve("home")).doesNotExist();
    }

    @Test
    void whatTheCheckFindsFailsTheCommandAndLeavesTheFiles() throws Exception {
        Files.delete(root.resolve("grid/hostkey.pem"));

        int status = init("--host=ce.example.org");

        assertThat(status).isOne();
        assertThat(err.toString())
                .contains("hostkey.pem is not a file", "the files are written; correct what is named");
        assertThat(root.resolve("etc/gelato.conf")).exists();
    }

    @Test
    void aProblemIsOneSentenceWithoutAStackTrace() {
        assertThat(init("--queue=a b/c")).isOne();
        assertThat(err.toString()).contains("gelato.lrms.queues").doesNotContain("\tat ");
        assertThat(root.resolve("etc")).doesNotExist();
    }
}
