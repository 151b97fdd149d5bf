package org.gelato.ce.ws.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.gelato.ce.ws.boot.Main;
import org.gelato.ce.ws.check.SupportBundle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands of root in directories of another account: no link of its is followed, and no file of others read or written. */
class RootsPlaceTest {
    private static final int OTHER = 65534;
    private static final String SECRET = "only root reads this";

    private final String classPath = System.getProperty("java.class.path");

    @TempDir
    private Path temporary;

    private Path base;
    private Path foreign;
    private Path secret;

    @BeforeEach
    void places() throws IOException {
        assumeTrue(Rights.isRoot(), "another account has no right that could be lent");
        base = temporary.toRealPath();
        foreign = give(Files.createDirectory(base.resolve("foreign")));
        secret = Files.writeString(base.resolve("secret"), SECRET);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    }

    @AfterEach
    void classPathAsBefore() {
        System.setProperty("java.class.path", classPath);
    }

    /** The class path is a copy of one class alone: the clone may be where no other account may go. */
    private Path classPath(Class<?> program) throws IOException {
        Path classes = Files.createDirectory(base.resolve("classes"));
        String name = program.getName().replace('.', '/') + ".class";
        Files.createDirectories(classes.resolve(name).getParent());
        try (InputStream in = program.getClassLoader().getResourceAsStream(name)) {
            Files.copy(in, classes.resolve(name));
        }
        System.setProperty("java.class.path", classes.toString());
        return classes;
    }

    private static Path give(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", OTHER, LinkOption.NOFOLLOW_LINKS);
        return path;
    }

    private Path link(Path place, Path target) throws IOException {
        return give(Files.createSymbolicLink(place, target));
    }

    /** As {@code /tmp}. */
    private Path shared() throws IOException {
        Path shared = Files.createDirectory(base.resolve("shared"));
        Files.setAttribute(shared, "unix:mode", 01777);
        return shared;
    }

    private void assertRefused(ThrowingCallable command, Path place) throws IOException {
        assertThatThrownBy(command)
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("another account could lead it elsewhere", place.toString());
        assertThat(secret).hasContent(SECRET);
        assertThat(Files.getAttribute(secret, "unix:uid")).isEqualTo(0);
    }

    private static List<Path> in(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        }
    }

    private TestPki pki(Path grid, Path user) {
        return new TestPki(
                new TestPki.Options(grid, user, "ce.example.org", "test.vo", "Test User", "nobody here", 2),
                Instant.now());
    }

    private Path configuration(Path home) throws IOException {
        return Files.writeString(
                base.resolve("gelato.conf"),
                "gelato.home = \"" + home + "\"\ngelato.database { url = \"jdbc:mysql://127.0.0.1:1/gelato\" }\n");
    }

    private String warning(Path home) throws IOException {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine().setErr(new PrintWriter(err, true));
        line.execute("check", "--config", configuration(home).toString(), "--trace", "/CN=Somebody");
        return err.toString().lines().findFirst().orElse("");
    }

    @Test
    void checkWarnsWhereItReadsAsRoot() throws IOException {
        assertThat(warning(base.resolve("absent")))
                .startsWith("warning: gelato.home (" + base.resolve("absent") + ") is not there, so this reads as root")
                .contains("run as the CE's account: ce server check --config /");
        assertThat(warning(base)).startsWith("warning: gelato.home (" + base + ") belongs to root, so this reads");
        Path classes = classPath(Findings.class);
        assertThat(warning(foreign))
                .startsWith("warning: nobody may not read " + classes)
                .contains("run as nobody: ");
    }

    /** Root reads everything: its findings say little of what the CE can read. */
    @Test
    void doctorHasWhatTheCesAccountFinds() throws IOException {
        Path bundle = base.resolve("a.zip");
        classPath(Findings.class);
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(bundle(configuration(foreign), null, bundle)).noneMatch(why -> why.contains("root"));
        try (FileSystem zip = FileSystems.newFileSystem(bundle)) {
            assertThat(Files.readString(zip.getPath("check.json")))
                    .isEqualTo("[ \"nobody check --json --config " + base.resolve("gelato.conf") + "\" ]");
        }
        Path other = base.resolve("b.zip");
        assertThat(bundle(configuration(base), null, other))
                .anyMatch(why ->
                        why.contains("in check.json: gelato.home (" + base + ") belongs to root, so this reads"));
    }

    private static List<String> bundle(Path configuration, Path log, Path bundle) throws IOException {
        return new SupportBundle(configuration, log, Clock.systemUTC(), Findings.class).write(bundle);
    }

    /** In place of the server's commands. */
    static final class Findings {
        public static void main(String[] args) {
            System.out.println("[\"" + System.getProperty("user.name") + " " + String.join(" ", args) + "\"]");
        }
    }

    /** What is run as another account; its exit code says what it has of root. */
    static final class Probe {
        public static void main(String[] args) throws IOException {
            Set<String> names = new TreeSet<>(System.getenv().keySet());
            names.removeIf(name -> name.matches("PATH|LANG|LC_.*|HOME"));
            String[] stat = Files.readString(Path.of("/proc/self/stat"))
                    .replaceFirst(".*\\) ", "")
                    .split(" ");
            boolean ownSession =
                    stat[3].equals(Long.toString(ProcessHandle.current().pid()));
            System.exit((names.isEmpty() ? 0 : 1)
                    + (System.in.read() < 0 ? 0 : 2)
                    + (ownSession ? 0 : 4)
                    + ("root".equals(System.getProperty("user.name")) ? 8 : 0)
                    + (System.getenv("HOME").equals("/root") ? 16 : 0)
                    + (args.length == 1 && args[0].equals("a b") ? 0 : 32));
        }
    }

    @Test
    void anAccountGetsNothingOfRootsEnvironmentInputAndTerminal() throws Exception {
        Path classes = classPath(Probe.class);
        assertThat(AsAccount.problem("nobody"))
                .as("in a directory of root's own")
                .hasValueSatisfying(why -> assertThat(why).contains("nobody may not read " + classes));
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(AsAccount.run("nobody", Probe.class, List.of("a b"))).isZero();
    }

    @Test
    void anAccountWithoutANameIsNoReasonToFail() {
        assertThat(AsAccount.problem("987654"))
                .hasValueSatisfying(why -> assertThat(why).contains("account 987654 is not known"));
        assertThatThrownBy(() -> AsAccount.run("987654", Probe.class, List.of("check")))
                .isInstanceOf(SetupException.class)
                .hasMessageEndingWith("run as 987654: ce server check");
    }

    @Test
    void testPkiWritesNothingWhereAnotherAccountMayWrite() throws IOException {
        Path grid = base.resolve("grid");
        assertRefused(() -> pki(grid, foreign.resolve("test-user")).write(), foreign);
        assertThat(grid).doesNotExist();
        assertThat(in(foreign)).isEmpty();
        assertRefused(() -> pki(foreign, base.resolve("user")).write(), foreign);

        Path open = Files.createDirectory(base.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused(() -> pki(grid, open).write(), open);
        assertThat(in(open)).isEmpty();
    }

    @Test
    void testPkiFollowsNoLinkOfAnotherAccount() throws IOException {
        Path target = Files.createDirectory(base.resolve("target"));
        Path shared = shared();
        Path planted = link(shared.resolve("test-user"), target);
        assertRefused(() -> pki(base.resolve("grid"), planted).write(), planted);
        assertRefused(() -> pki(base.resolve("grid"), planted.resolve("below")).write(), planted);
        assertThat(in(target)).isEmpty();
        link(foreign.resolve("userkey.pem"), secret);
        assertRefused(() -> pki(base.resolve("grid"), foreign).write(), foreign);
        assertThat(base.resolve("grid")).doesNotExist();

        // What root makes there is root's.
        assertThat(pki(base.resolve("grid"), shared.resolve("own/test-user")).write())
                .anyMatch(line -> line.endsWith("userkey.pem"));
    }

    @Test
    void initWritesNothingWhereAnotherAccountMayWrite() throws IOException {
        Site site = new Site(base);
        for (String option : List.of(
                "--directory=" + foreign, "--home=" + foreign.resolve("home"), "--sudoers-directory=" + foreign)) {
            assertRefused(
                    () -> site.plan(
                            "--host=ce.example.org",
                            "--lrms=fork",
                            "--queue=long",
                            "--database=embedded",
                            "--helper=sudo",
                            option),
                    foreign);
        }
        assertThat(in(foreign)).isEmpty();
        assertThat(site.at("etc")).doesNotExist();
    }

    @Test
    void initGivesNoFileAwayAndReadsNoneThroughALink() throws IOException {
        Site site = new Site(base);
        Path password = link(foreign.resolve("password"), secret);
        assertRefused(
                () -> site.plan(
                        "--user=daemon",
                        "--host=ce.example.org",
                        "--lrms=fork",
                        "--queue=long",
                        "--database=jdbc:mysql://db/gelato",
                        "--database-password-file=" + password),
                password.getParent());
        Path cream = link(foreign.resolve("cream-config.xml"), secret);
        assertRefused(() -> site.plan("--from-cream=" + cream), cream.getParent());
        assertRefused(() -> site.plan("--from-htcondor-ce=" + cream), cream.getParent());
        assertRefused(() -> site.plan("--from-arc=" + cream), cream.getParent());
    }

    @Test
    void doctorWritesAndReadsNothingOfAnotherAccount() throws IOException {
        Path configuration = configuration(base);
        Path log = link(foreign.resolve("log"), secret);
        assertRefused(() -> bundle(configuration, null, foreign.resolve("a.zip")), foreign);
        assertRefused(() -> bundle(configuration, log, base.resolve("a.zip")), foreign);
        Path own = give(Files.copy(configuration, foreign.resolve("gelato.conf")));
        assertRefused(() -> bundle(own, null, base.resolve("a.zip")), foreign);
        assertThat(base.resolve("a.zip")).doesNotExist();
        assertThat(in(foreign)).containsExactlyInAnyOrder(log, own);
    }

    @Test
    void archiveIsMadeWhereNobodyElseWrites() throws IOException {
        assertRefused(
                () -> new ArchiveFile(foreign.resolve("cache/archive.jsa"))
                        .replace(next -> Files.writeString(next, "code")),
                foreign);
        Path lock = link(foreign.resolve("archive.jsa.lock"), secret);
        assertRefused(
                () -> new ArchiveFile(lock.resolveSibling("archive.jsa"))
                        .replace(next -> Files.writeString(next, "code")),
                foreign);
        assertThat(in(foreign)).containsExactly(lock);
    }
}
