package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.AccountCommands.Spawn;
import org.gelato.ce.core.account.NotPlainFileException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelperBoundsTest {
    @TempDir
    Path temporary;

    private RunningHelper helper;

    private RunningHelper start(String... options) throws IOException {
        helper = new RunningHelper(temporary, options);
        return helper;
    }

    @AfterEach
    void stop() {
        helper.close();
    }

    /** Processes of a group; not its zombies, which the process that adopts them reaps later. */
    private String alive(String group) {
        return helper.run("ps -eo pgid=,stat=,args= | while read g s a; do " + "[[ $g == " + group
                        + " && $s != Z* ]] && echo $a; done")
                .stdout();
    }

    @Test
    void aTimeoutKillsTheWholeGroup() throws IOException {
        start();
        Completed c = get(helper.commands.run(
                helper.account, helper.bash("echo $$; (trap '' TERM; sleep 600) & sleep 600", Duration.ofMillis(400))));

        assertThat(c.timedOut()).isTrue();
        assertThat(c.exit()).isEqualTo(137);
        String group = c.stdout().trim();
        await().untilAsserted(() -> assertThat(alive(group)).isBlank());
    }

    @Test
    void aCommandThatEndsLeavesNothingOfItsGroupAndIsNotWaitedForByItsPipes() throws IOException {
        start();
        Completed c = helper.run("echo $$; sleep 600 & exit 5");
        assertThat(c.exit()).isEqualTo(5);
        await().untilAsserted(() -> assertThat(alive(c.stdout().trim())).isBlank());
    }

    @Test
    void outputsAreCutAndTheCommandGoesOn() throws IOException {
        start();
        Completed c =
                helper.run("head -c 3000000 /dev/zero | tr '\\0' x; head -c 500000 /dev/zero | tr '\\0' y >&2; exit 4");
        assertThat(c.exit()).isEqualTo(4);
        assertThat(c.stdout()).isEqualTo("x".repeat(10_000));
        assertThat(c.stderr()).isEqualTo("y".repeat(10_000));
    }

    @Test
    void aLargeInputReachesACommandThatWritesAsItReads() throws IOException {
        start();
        Run run = new Run(
                List.of("/usr/bin/md5sum"),
                null,
                Map.of(),
                new byte[5_000_000],
                List.of(),
                Duration.ofSeconds(30),
                100);
        assertThat(get(helper.commands.run(helper.account, run)).stdout())
                .startsWith("8649ae5a732bc808f228677b27a1e9b6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-W"})
    void linksAreNotFollowed(String walk) throws IOException {
        start(walk.isEmpty() ? new String[0] : new String[] {walk});
        assertThat(helper.run(
                                "mkdir real; echo x > real/f; ln -s /etc e; ln -s real r; ln -s /etc/passwd p; mkfifo fifo")
                        .exit())
                .isZero();
        Path home = helper.home;
        for (CompletableFuture<?> refused : List.of(
                helper.commands.get(helper.account, home.resolve("e/passwd"), 0, 10),
                helper.commands.get(helper.account, home.resolve("r/f"), 0, 10),
                helper.commands.get(helper.account, home.resolve("p"), 0, 10),
                helper.commands.list(helper.account, home.resolve("e"), 10),
                helper.commands.makeDirectory(helper.account, home.resolve("r/new")),
                helper.commands.put(helper.account, new FileContent(home.resolve("r/new"), 0600, new byte[1])),
                helper.commands.renameAway(helper.account, home.resolve("real"), home.resolve("r/x")),
                helper.commands.remove(helper.account, home.resolve("r/f")))) {
            assertThat(failure(refused).code()).isEqualTo(Code.REFUSED);
        }
        assertThat(failure(helper.commands.get(helper.account, home.resolve("fifo"), 0, 10)))
                .isInstanceOf(NotPlainFileException.class)
                .hasMessageContaining("not a regular file");
        Spawn intoFifo = new Spawn(
                List.of("/bin/bash", "-c", ":"), home, Map.of(), List.of(), home.resolve("fifo"), home.resolve("err"));
        assertThat(failure(helper.commands.spawn(helper.account, intoFifo)).code())
                .isEqualTo(Code.FAILED);

        get(helper.commands.remove(helper.account, home.resolve("r")));
        helper.put(home.resolve("p"), "a file now, not the link's target");
        assertThat(helper.run("cat real/f").stdout()).isEqualTo("x\n");
        assertThat(helper.run("test -L p || echo plain").stdout()).isEqualTo("plain\n");
    }

    /** A caller that waits for a file can distinguish one that will never exist from one that cannot be read now. */
    @ParameterizedTest
    @ValueSource(strings = {"mkfifo x", "mkdir x", "ln -s /etc/passwd x", "ln -s / x", "ln -s nowhere x"})
    void whatIsNoPlainFileIsDistinguishedFromWhatCannotBeReadNow(String made) throws IOException {
        start();
        assertThat(helper.run(made).exit()).isZero();
        assertThat(failure(helper.commands.get(helper.account, helper.home.resolve("x"), 0, 10)))
                .isInstanceOf(NotPlainFileException.class);
        assertThat(helper.run("touch file").exit()).isZero();
        assertThat(failure(helper.commands.get(helper.account, helper.home.resolve("file/owner"), 0, 10)))
                .isInstanceOf(NotPlainFileException.class);
    }

    @Test
    void pathsOutsideTheRootAreRefused() throws IOException {
        start();
        String root = helper.sandboxRoot.toString();
        for (String path : List.of(
                "/etc/passwd",
                root + "/../bin/gelato-helper",
                root + "/dteam/h1/../../../bin/gelato-helper",
                root + "-other/x/y/z",
                root,
                "/")) {
            assertThat(failure(helper.commands.get(helper.account, Path.of(path), 0, 10))
                            .code())
                    .as(path)
                    .isEqualTo(Code.REFUSED);
            assertThat(failure(helper.commands.remove(helper.account, Path.of(path)))
                            .code())
                    .as(path)
                    .isEqualTo(Code.REFUSED);
        }
        Run elsewhere = new Run(
                List.of("/bin/bash", "-c", "pwd"),
                Path.of("/etc"),
                Map.of(),
                new byte[0],
                List.of(),
                Duration.ofSeconds(5),
                10);
        assertThat(failure(helper.commands.run(helper.account, elsewhere)).code())
                .isEqualTo(Code.REFUSED);
        assertThat(failure(helper.commands.discard(helper.account, helper.home, List.of("../x")))
                        .getMessage())
                .contains("Malformed");
    }

    @Test
    void onlyListedProgramsRun() throws IOException {
        start();
        for (String program : List.of("/sbin/shutdown", "/usr/bin/../sbin/ldconfig", "bash", "/usr/bin/x/y")) {
            Run run = new Run(List.of(program), null, Map.of(), new byte[0], List.of(), Duration.ofSeconds(5), 10);
            assertThat(failure(helper.commands.run(helper.account, run)).code())
                    .as(program)
                    .isEqualTo(Code.REFUSED);
        }
    }

    @Test
    void requestsTheGrammarOrTheLimitsCannotTakeFailAloneAndClearly() throws IOException {
        start();
        assertThat(failure(helper.commands.put(
                                helper.account, new FileContent(helper.home.resolve("big"), 0600, new byte[13 << 20])))
                        .code())
                .isEqualTo(Code.REFUSED);
        assertThat(failure(helper.commands.get("", helper.home.resolve("f"), 0, 10))
                        .code())
                .isEqualTo(Code.REFUSED);
        assertThat(failure(helper.commands.get(helper.account, helper.home.resolve("f"), 0, 2 << 20))
                        .code())
                .isEqualTo(Code.REFUSED);
        assertThat(failure(helper.commands.put(
                        helper.account, new FileContent(helper.home.resolve("f"), 04755, new byte[1]))))
                .hasMessageContaining("Malformed");
        assertThat(failure(helper.commands.signal(helper.account, 1, 9)).code()).isEqualTo(Code.REFUSED);
        Run badVariable = new Run(
                List.of("/bin/bash"), null, Map.of("A=B", "c"), new byte[0], List.of(), Duration.ofSeconds(5), 10);
        assertThat(failure(helper.commands.run(helper.account, badVariable)).code())
                .isEqualTo(Code.REFUSED);
        get(helper.commands.ping());
    }

    @Test
    void tooManyAtOnceIsBusyAndPasses() throws IOException {
        start("-p", "20", "-j", "2");
        List<CompletableFuture<Completed>> runs = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            runs.add(helper.commands.run(helper.account, helper.bash("sleep 0.05")));
        }
        int busy = 0;
        for (CompletableFuture<Completed> run : runs) {
            try {
                assertThat(get(run).exit()).isZero();
            } catch (AccountCommandException e) {
                assertThat(e.code()).isEqualTo(Code.BUSY);
                busy++;
            }
        }
        assertThat(busy).isPositive().isLessThan(60);
        assertThat(helper.run("echo on").stdout()).isEqualTo("on\n");
    }

    @Test
    void aThousandRunsAtOnceNeverExceedTheChildrenAndForkNothingElse() throws IOException {
        start("-j", "8");
        Path marks = helper.home.resolve("marks");
        get(helper.commands.makeDirectory(helper.account, marks));
        List<CompletableFuture<Completed>> runs = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            runs.add(helper.commands.run(
                    helper.account,
                    new Run(
                            List.of("/bin/bash", "-c", "set -- m*; echo $#; : > m$$; read -t 0.002 x <> <(:); rm m$$"),
                            marks,
                            Map.of("PATH", "/usr/bin:/bin"),
                            new byte[0],
                            List.of(),
                            Duration.ofSeconds(60),
                            100)));
        }
        for (CompletableFuture<Completed> run : runs) {
            Completed c = get(run);
            assertThat(Integer.parseInt(c.stdout().trim())).isLessThanOrEqualTo(8);
        }
        Map<String, Long> stats = helper.stats();
        assertThat(stats)
                .containsEntry("forks", 1L)
                .containsEntry("execs", 1000L)
                .containsEntry("pending", 0L);
        assertThat(helper.workers()).hasSize(1);
    }

    @Test
    void fileWorkStartsNoProcess() throws IOException {
        start();
        helper.put(helper.home.resolve("a/b"), "x");
        helper.text(helper.home.resolve("a/b"));
        get(helper.commands.renameAway(helper.account, helper.home.resolve("a"), helper.home.resolve("t/a")));
        get(helper.commands.remove(helper.account, helper.home.resolve("t")));
        get(helper.commands.ping());
        assertThat(helper.stats()).containsEntry("forks", 1L).containsEntry("execs", 0L);
        assertThat(ProcessHandle.current().children().map(ProcessHandle::pid)).contains(helper.channel.pid());
    }

    @Test
    void anIdleWorkerRetiresAndComesBack() throws IOException {
        start("-i", "1");
        assertThat(helper.run("echo one").stdout()).isEqualTo("one\n");
        await().until(() -> helper.workers().isEmpty());
        assertThat(helper.run("echo two").stdout()).isEqualTo("two\n");
        assertThat(helper.stats()).containsEntry("forks", 2L).containsEntry("lost", 0L);
        assertThat(AccountCommands.SELF).isEqualTo("-");
    }
}
