package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.FileEntry;
import org.gelato.ce.core.account.AccountCommands.FilePart;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class HelperVerbsTest {
    @TempDir
    Path temporary;

    private RunningHelper helper;

    @BeforeEach
    void start() throws IOException {
        helper = new RunningHelper(temporary);
    }

    @AfterEach
    void stop() {
        helper.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aRunWritesItsFilesThenRunsInItsDirectoryWithItsEnvironmentAlone() {
        Path sandbox = helper.home.resolve("10/20/CREAM102000001");
        Run run = new Run(
                List.of("/bin/bash", "job.sh", "a b", "\"$c\\\n", "ü"),
                sandbox,
                Map.of("GREETING", "hello you", "PATH", "/usr/bin:/bin"),
                bytes("from stdin\n"),
                List.of(new FileContent(
                        sandbox.resolve("job.sh"),
                        0700,
                        bytes("pwd; cat; printf '%s|' \"$@\"; env | grep -c .; echo $GREETING >&2; umask; exit 7"))),
                Duration.ofSeconds(30),
                10_000);

        Completed completed = get(helper.commands.run(helper.account, run));

        // PATH, GREETING and what bash adds itself: PWD, SHLVL, _
        assertThat(completed.stdout()).isEqualTo(sandbox + "\nfrom stdin\na b|\"$c\\\n|ü|5\n0077\n");
        assertThat(completed.stderr()).isEqualTo("hello you\n");
        assertThat(completed.exit()).isEqualTo(7);
        assertThat(completed.timedOut()).isFalse();
    }

    @Test
    void aMissingProgramIsReported() {
        Run run = new Run(
                List.of("/usr/bin/there-is-no-such"),
                null,
                Map.of(),
                new byte[0],
                List.of(),
                Duration.ofSeconds(5),
                100);
        assertThat(failure(helper.commands.run(helper.account, run)))
                .hasMessageContaining("/usr/bin/there-is-no-such")
                .hasMessageContaining("No such file")
                .extracting("code")
                .isEqualTo(Code.FAILED);
    }

    @Test
    void aFileThatCannotBeWrittenKeepsTheCommandFromStarting() {
        helper.put(helper.home.resolve("plain"), "x");
        Run run = new Run(
                List.of("/bin/bash", "-c", "touch started"),
                helper.home,
                Map.of("PATH", "/usr/bin:/bin"),
                new byte[0],
                List.of(new FileContent(helper.home.resolve("plain/below"), 0600, bytes("x"))),
                Duration.ofSeconds(5),
                100);
        assertThat(failure(helper.commands.run(helper.account, run))).hasMessageContaining("not started");
        assertThat(get(helper.commands.list(helper.account, helper.home, 10)))
                .containsExactly(new FileEntry("plain", 1));
    }

    @Test
    void filesArePutGotListedCollectedAndDiscarded() {
        Path events = helper.home.resolve("events");
        helper.put(events.resolve("one"), "first content");
        // not through a Path, which has no such name where the JVM's locale is C
        assertThat(helper.run("> events/'two words '$'\\xc3\\xbc'").exit()).isZero();
        helper.put(events.resolve("three"), "x".repeat(100));
        helper.put(events.resolve("one"), "second content");
        get(helper.commands.makeDirectory(helper.account, events.resolve("tmp")));

        FilePart part = get(helper.commands.get(helper.account, events.resolve("one"), 7, 4));
        assertThat(new String(part.content(), StandardCharsets.UTF_8)).isEqualTo("cont");
        assertThat(part.size()).isEqualTo(14);
        assertThat(get(helper.commands.get(helper.account, events.resolve("one"), 99, 4))
                        .content())
                .isEmpty();

        assertThat(get(helper.commands.list(helper.account, events, 10)))
                .containsExactlyInAnyOrder(
                        new FileEntry("one", 14), new FileEntry("two words ü", 0), new FileEntry("three", 100));
        assertThat(get(helper.commands.list(helper.account, events, 2))).hasSize(2);

        // only plain names are collected: others could not be paths in every locale
        List<FileContent> collected = get(helper.commands.collect(helper.account, events, 10, 20));
        assertThat(collected).extracting(f -> f.path().toString()).containsExactlyInAnyOrder("one", "three");
        assertThat(collected)
                .allSatisfy(f -> assertThat(f.mode()).isEqualTo(0600))
                .anySatisfy(f -> assertThat(f.content()).hasSize(20))
                .anySatisfy(f -> assertThat(f.content()).isEqualTo(bytes("second content")));

        get(helper.commands.discard(helper.account, events, List.of("one", "two words ü", "not there")));
        assertThat(get(helper.commands.list(helper.account, events, 10))).containsExactly(new FileEntry("three", 100));
    }

    /** Else a job could fill a spool with what each scan finds and never takes. */
    @Test
    void whatCanNeverBeCollectedIsRemovedByTheCollection() {
        Path events = helper.home.resolve("events");
        helper.put(events.resolve("good"), "event");
        assertThat(helper.run("cd events; mkdir tmp; mkfifo fifo; ln -s good link; ln -s tmp linked; > secret;"
                                + " chmod 0 secret; > $'\\xc3\\xbc'; > $'line\\nend'")
                        .exit())
                .isZero();

        assertThat(get(helper.commands.collect(helper.account, events, 10, 20)))
                .singleElement()
                .satisfies(f -> assertThat(f.content()).isEqualTo(bytes("event")));

        assertThat(helper.run("ls events").stdout()).isEqualTo("good\ntmp\n");
    }

    @Test
    void whatIsNotThere() {
        Path absent = helper.home.resolve("absent");
        assertThat(failure(helper.commands.get(helper.account, absent, 0, 10)).code())
                .isEqualTo(Code.NO_SUCH_FILE);
        assertThat(get(helper.commands.list(helper.account, absent, 10))).isEmpty();
        assertThat(get(helper.commands.collect(helper.account, absent, 10, 10))).isEmpty();
        get(helper.commands.discard(helper.account, absent, List.of("x")));
        get(helper.commands.renameAway(helper.account, absent, helper.home.resolve("trash/absent")));
        get(helper.commands.remove(helper.account, absent));
        get(helper.commands.ping());
    }

    @Test
    void aTreeDeeperThanAPathCanSayIsRenamedAwayAndRemoved() {
        assertThat(helper.run(
                                "mkdir t; cd t; d=$(printf %0200d 7); for i in {1..40}; do mkdir $d || exit 1; : > f; cd $d; done; "
                                        + "cd " + helper.home
                                        + "/t; mkdir closed; : > closed/f; chmod 0 closed; ln -s /etc link; "
                                        + "for i in {1..600}; do : > file$i; done")
                        .exit())
                .isZero();

        get(helper.commands.renameAway(helper.account, helper.home.resolve("t"), helper.home.resolve("trash/x/t")));
        assertThat(helper.run("ls").stdout()).isEqualTo("trash\n");
        get(helper.commands.remove(helper.account, helper.home.resolve("trash")));

        assertThat(helper.run("ls -A").stdout()).isEmpty();
        assertThat(Path.of("/etc/passwd")).exists();
    }

    @Test
    void manyRemovalsAtOnceLeaveDescriptorsToEachOtherAndToOtherRequests() throws IOException {
        // More than the descriptors of its worker, which with one command at once are 67; each is of several slices.
        assertThat(helper.run(
                                "for i in {1..150}; do mkdir -p t/$i/d && : > t/$i/d/f; done; for i in {1..600}; do : > t/1/d/$i; done")
                        .exit())
                .isZero();
        try (RunningHelper narrow = new RunningHelper(temporary, "-j", "1")) {
            List<CompletableFuture<Void>> removals = Stream.iterate(1, i -> i + 1)
                    .limit(150)
                    .map(i -> narrow.commands.remove(narrow.account, narrow.home.resolve("t/" + i)))
                    .toList();
            assertThat(narrow.run("cat /etc/hostname").exit()).isZero();
            narrow.put(narrow.home.resolve("put"), "x");
            removals.forEach(RunningHelper::get);
            assertThat(narrow.run("ls t").stdout()).isEmpty();
        }
    }

    @Test
    void whatIsAnotherAccountsIsOneResultWithACountAndTheRestIsRemoved() throws IOException {
        assumeTrue(RunningHelper.ROOT, "another account's directories need root");
        Path trash = helper.home.resolve("trash");
        assertThat(helper.run(
                                "mkdir -p trash/job/tree; : > trash/job/file; for i in {1..300}; do mkdir trash/job/tree/$i;"
                                        + " : > trash/job/tree/$i/f; done; mkdir $'trash/job/tree/a\\nb'; : > $'trash/job/tree/a\\nb/f'")
                        .exit())
                .isZero();
        try (Stream<Path> all = Files.list(trash.resolve("job/tree"))) {
            for (Path foreign : all.toList()) {
                Files.setAttribute(foreign, "unix:uid", 1);
                Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("---------"));
            }
        }
        Logger logger = (Logger) LoggerFactory.getLogger(GahpChannel.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(lines);
        AccountCommandException refusal = failure(helper.commands.remove(helper.account, trash));
        assertThat(refusal.code()).isEqualTo(Code.FAILED);
        assertThat(refusal).hasMessageContaining("with 301 entries that stay, one is '");
        assertThat(refusal.getMessage()).doesNotContain("\n").hasSizeLessThan(1000);
        assertThat(trash.resolve("job/file")).doesNotExist();

        get(helper.commands.renameAway(helper.account, trash, helper.home.resolve("trash.aside/1")));
        get(helper.commands.remove(helper.account, trash));
        assertThat(helper.home.resolve("trash.aside/1")).isDirectory();
        // After all it said: its end closes its error output.
        helper.close();
        assertThat(lines.list).as("lines in the log").isEmpty();
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    @Test
    void aSpawnedProgramLeadsItsSessionAndIsSignalled() {
        long pid = get(helper.commands.spawn(
                helper.account,
                helper.spawnOf("trap 'echo got it; exit 0' TERM; echo $$ $(ps -o sid= -p $$); "
                        + "while :; do sleep 0.05; done")));
        Path out = helper.home.resolve("out");
        await().until(() -> helper.text(out).contains("\n"));
        assertThat(helper.text(out).trim().split("\\s+")).containsOnly(Long.toString(pid));

        get(helper.commands.signal(helper.account, pid, 15));

        await().until(() -> helper.text(out).contains("got it"));
        await().until(() -> ProcessHandle.of(pid).isEmpty());
        get(helper.commands.signal(helper.account, pid, 15));
    }

    @Test
    void commandsOfTheGrammarAnswer() {
        assertThat(helper.channel.banner()).startsWith("$GahpVersion: ").endsWith(" $");
        assertThat(String.join(" ", get(helper.channel.ask("version")))).startsWith("$GahpVersion: ");
        assertThat(get(helper.channel.ask("COMMANDS")))
                .contains("VERSION", "RESULTS", "ASYNC_MODE_ON", "QUIT", "GELATO_RUN", "GELATO_PING");
        assertThat(failure(helper.channel.ask("BLAH_JOB_SUBMIT", "1", "[]")).getMessage())
                .isEqualTo("Unknown command");
        assertThat(failure(helper.channel.ask("VERSION", "x")).getMessage())
                .isEqualTo("expected 0 parameters, 1 found");
        assertThat(failure(helper.channel.request("GELATO_GET", List.of("-"))).getMessage())
                .isEqualTo("expected 5 parameters, 2 found");
        get(helper.channel.ask("QUIT"));
        await().until(() -> !helper.channel.alive());
    }
}
