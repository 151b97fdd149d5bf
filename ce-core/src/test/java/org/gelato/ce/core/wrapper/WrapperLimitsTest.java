package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.WrapperRun.Running;
import org.gelato.ce.core.wrapper.peer.Bash;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker node sets limits to, or lacks. */
class WrapperLimitsTest {
    /** Hooks of the site that do not end. */
    @Nested
    @Timeout(120)
    class Hooks {
        private static final String PROGRAM = "bash -c 'trap \"\" TERM; echo $$ > ready; sleep 600; sleep 600'";
        private static final String LOOP = "echo $BASHPID > ready; while :; do :; done";

        @TempDir
        Path directory;

        private WrapperRun job;

        @BeforeEach
        void sandbox() throws IOException {
            job = new WrapperRun(directory);
            job.environment.put("GLITE_LOCAL_CUSTOMIZATION_DIR", directory.toString());
            limit(Duration.ofSeconds(1));
        }

        private void limit(Duration hook) {
            job.patience = new WrapperPatience(Duration.ofMinutes(1), Duration.ofHours(1), null, 0, hook);
        }

        private void hook(String name, String text) throws IOException {
            Files.writeString(directory.resolve(name), "cd '" + directory + "'; " + text);
        }

        private WrapperEvent last() {
            return WrapperRun.read(job.sandbox.resolve("exit"));
        }

        private void assertProgramIsGone() throws IOException {
            Path ready = directory.resolve("ready");
            if (!Files.exists(ready) || Files.readString(ready).isBlank()) {
                // On a busy machine it was ended before it had written its number.
                return;
            }
            long pid = Long.parseLong(Files.readString(ready).strip());
            await().until(() ->
                    !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
        }

        @ParameterizedTest
        @ValueSource(strings = {PROGRAM, LOOP})
        void aHookThatHangsBeforeThePayloadFailsTheJob(String text) throws IOException {
            hook("cp_1.sh", text);
            Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
            assertThat(ended.status()).as(ended.stderr()).isEqualTo(1);
            assertThat(last().reason()).isEqualTo("Hook " + directory + "/cp_1.sh did not end within 1 s");
            assertThat(last().exitCode()).isNull();
            assertThat(directory.resolve("ran")).doesNotExist();
            assertProgramIsGone();
            assertThat(WrapperRun.names(job.sandbox)).containsExactlyInAnyOrder("wrapper.sh", "claim", "exit");
        }

        @ParameterizedTest
        @ValueSource(strings = {PROGRAM, LOOP})
        void outputOfAJobWhoseHookHangsAfterItIsKept(String text) throws IOException {
            hook("cp_2.sh", text);
            job.run(shell("echo made", ""));
            assertThat(last().reason()).isEqualTo("Hook " + directory + "/cp_2.sh did not end within 1 s");
            assertThat(job.output("out")).isEqualTo("made\n");
            assertProgramIsGone();
        }

        @ParameterizedTest
        @ValueSource(strings = {PROGRAM, LOOP})
        void theLastHookThatHangsChangesNothing(String text) throws IOException {
            hook("cp_3.sh", text);
            assertThat(job.run(shell("exit 4", "")).status()).isZero();
            assertThat(last().exitCode()).isEqualTo(4);
            assertProgramIsGone();
        }

        @Test
        void aHookInTimeIsLeftAlone() throws IOException {
            limit(Duration.ofMinutes(10));
            hook("cp_2.sh", "sleep 1; touch done");
            assertThat(job.run(shell("true", "")).status()).isZero();
            assertThat(directory.resolve("done")).exists();
            assertThat(last().reason()).isNull();
        }

        /** The batch system signals the group, the session or the control group; the trap of the shell waits for the program. */
        @ParameterizedTest
        @ValueSource(strings = {"cp_1.sh", "cp_2.sh"})
        void aSignalEndsAHookLongBeforeItsTime(String name) throws Exception {
            limit(Duration.ofHours(1));
            hook(name, PROGRAM);
            Path script = job.write(shell("echo made", ""));
            Path leader = Files.writeString(
                    directory.resolve("leader"), "exec setsid bash " + BashQuote.quote(script.toString()));
            Running running = job.start(leader);
            Path ready = directory.resolve("ready");
            await().until(() -> Files.exists(ready) && Files.size(ready) > 0);
            assertThat(new ProcessBuilder("kill", "-TERM", "--", "-" + running.process.pid())
                            .start()
                            .waitFor())
                    .isZero();
            running.end();
            assertProgramIsGone();
            assertThat(last().signal()).isEqualTo("TERM");
            if (name.equals("cp_1.sh")) {
                assertThat(last().reason()).isEqualTo("Job has been terminated (got SIGTERM)");
            } else {
                assertThat(last().exitCode()).isZero();
                assertThat(job.output("out")).isEqualTo("made\n");
            }
        }
    }

    /** Nodes that lack what a wrapper needs (docs/admin/worker-nodes.md). */
    @Nested
    class Node {
        private static final String LACKS = "This node lacks what job wrappers need: ";

        /** What bash 4.2 of CentOS 7 does not have. */
        private static final List<Pattern> NEWER = Stream.of(
                        "EPOCHSECONDS|SRANDOM|BASH_ARGV0|BASH_COMPAT|PS0\\b",
                        "\\bwait +-[np]",
                        "\\b(local|declare|typeset) +-[a-zA-Z]*[nI]",
                        "\\blocal +-( |$)",
                        "\\b(mapfile|readarray) +-[a-z]*d",
                        "\\$\\{[^}]*@[QEPAaKkUuL]\\}",
                        "\\$\\{[ |]",
                        "-v +[A-Za-z_]+\\[",
                        "\\[-[0-9]+\\]",
                        "\\bshopt .*(inherit_errexit|localvar_|assoc_expand|patsub_|globskipdots|varredir_close)",
                        "\\bread +-[a-zA-Z]*E",
                        "\\btrap +-P")
                .map(Pattern::compile)
                .toList();

        @TempDir
        Path directory;

        private WrapperRun job;

        @BeforeEach
        void sandbox() throws IOException {
            job = new WrapperRun(directory);
        }

        /** A PATH with all programs of the system but these. */
        private void without(Set<String> names) throws IOException {
            Path bin = Files.createDirectory(directory.resolve("few"));
            try (Stream<Path> all = Files.list(Path.of("/usr/bin"))) {
                for (Path one : all.filter(
                                one -> !names.contains(one.getFileName().toString()))
                        .toList()) {
                    Files.createSymbolicLink(bin.resolve(one.getFileName()), one);
                }
            }
            job.environment.put("PATH", bin.toString());
        }

        private WrapperEvent failed(String name) throws IOException {
            Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
            assertThat(ended.status()).as(ended.stderr()).isEqualTo(1);
            assertThat(directory.resolve("ran")).doesNotExist();
            assertThat(job.sandbox.resolve("claim")).isDirectory();
            WrapperEvent end = WrapperRun.read(job.sandbox.resolve(name));
            assertThat(end.exitCode()).isNull();
            return end;
        }

        @ParameterizedTest
        @ValueSource(strings = {"timeout", "mktemp", "stat"})
        void aMissingProgramIsNamedAndNothingRuns(String name) throws IOException {
            without(Set.of(name));
            assertThat(failed("exit").reason()).isEqualTo(LACKS + name);
        }

        @Test
        void whatCannotBeRenamedTellsTheEndUnderItsFirstName() throws IOException {
            without(Set.of("mv", "timeout"));
            assertThat(failed(".exit").reason()).isEqualTo(LACKS + "mv, timeout");
        }

        @Test
        void aMissingSha256sumIsNamed() throws IOException {
            without(Set.of("sha256sum"));
            assertThat(failed("exit").reason()).isEqualTo("Cannot load the job wrapper: no sha256sum here");
        }

        /** Its programs are one file. */
        @Test
        void programsOfBusyboxAreNotTakenForCoreutils() throws IOException {
            without(Set.of("mv", "cat"));
            Path bin = directory.resolve("few");
            job.command(
                    "box",
                    "[ \"$1\" != --version ] || { echo BusyBox; exit 1; }; case $0 in */mv) exec /bin/mv \"$@\" ;; *) exec /bin/cat \"$@\" ;; esac");
            job.environment.put("PATH", bin.toString());
            Files.createSymbolicLink(bin.resolve("mv"), directory.resolve("bin/box"));
            Files.createSymbolicLink(bin.resolve("cat"), directory.resolve("bin/box"));
            assertThat(failed("exit").reason()).isEqualTo(LACKS + "GNU coreutils (" + bin + "/mv is something else)");
        }

        @Test
        void anOldBashIsNamed() throws IOException {
            job.replaced.put("BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 402", "1");
            assertThat(failed("exit").reason()).startsWith(LACKS + "bash 4.2 or newer (it has ");
        }

        @Test
        void anOldBashThatCannotLeaveARecordHasAStatus() throws IOException {
            job.whole = true;
            job.replaced.put("BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 402", "1");
            Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
            assertThat(ended.status()).isEqualTo(72);
            assertThat(WrapperStatus.words(72)).get().asString().contains("older than 4.2");
            assertThat(ended.stderr()).startsWith(LACKS + "bash 4.2 or newer");
            assertThat(directory.resolve("ran")).doesNotExist();
        }

        @ParameterizedTest
        @EnumSource
        void noPartHasWhatBash42DoesNotKnow(ScriptPart part) {
            List<String> found = new ArrayList<>();
            String before = "";
            for (String line : part.text().lines().toList()) {
                boolean guarded = before.contains("BASH_VERSINFO");
                if (NEWER.stream().anyMatch(word -> word.matcher(line).find())
                        || (line.contains("EPOCHREALTIME") && !guarded)) {
                    found.add(line);
                }
                before = line;
            }
            assertThat(found).isEmpty();
        }
    }

    /** Nodes where no process can be started any more: {@code ulimit -u}, or the limit of a control group, is reached. */
    @Nested
    class Processes {
        private static final String LIMIT = "No process can be started on this node: a limit on processes is reached";

        /**
         * No process can be started while the file FULL is there. The shell's waits between its tries are none; after as many as
         * the file FULL.times says the limit is gone.
         */
        private static final String FULL = """
                #define _GNU_SOURCE
                #include <dlfcn.h>
                #include <errno.h>
                #include <fcntl.h>
                #include <stdio.h>
                #include <stdlib.h>
                #include <sys/types.h>
                #include <unistd.h>
                static const char *full(void) {
                    const char *name = getenv("FULL");
                    return name ? name : "/nonexistent";
                }
                pid_t fork(void) {
                    pid_t (*real)(void) = (pid_t (*)(void))dlsym(RTLD_NEXT, "fork");
                    if (!access(full(), F_OK)) {
                        errno = EAGAIN;
                        return -1;
                    }
                    return real();
                }
                unsigned sleep(unsigned seconds) {
                    char name[4096], text[16] = "";
                    (void)seconds;
                    usleep(10000);
                    snprintf(name, sizeof name, "%s.times", full());
                    int fd = open(name, O_RDWR);
                    if (fd < 0) {
                        return 0;
                    }
                    int left = read(fd, text, sizeof text - 1) > 0 ? atoi(text) - 1 : 0;
                    if (left <= 0) {
                        unlink(full());
                    }
                    (void)!pwrite(fd, text, snprintf(text, sizeof text, "%08d", left < 0 ? 0 : left), 0);
                    close(fd);
                    return 0;
                }
                """;

        private static Path library;

        @TempDir
        Path directory;

        private WrapperRun job;
        private Path full;

        @BeforeAll
        static void compile() throws Exception {
            Path where = Files.createTempDirectory("limit");
            library = where.resolve("full.so");
            Path source = Files.writeString(where.resolve("full.c"), FULL);
            assertThat(new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
            Files.setPosixFilePermissions(where, PosixFilePermissions.fromString("rwxr-xr-x"));
        }

        @AfterAll
        static void remove() throws IOException {
            Bash.remove(library.getParent());
        }

        @BeforeEach
        void sandbox() throws IOException {
            job = new WrapperRun(directory);
            full = directory.resolve("full");
            job.environment.put("LD_PRELOAD", library.toString());
            job.environment.put("FULL", full.toString());
            job.environment.put("GLITE_LOCAL_CUSTOMIZATION_DIR", directory.toString());
        }

        /** Lets the limit last for {@code waits} waits of the shell. */
        private void passesAfter(int waits) throws IOException {
            Files.writeString(directory.resolve("full.times"), Integer.toString(waits));
        }

        private WrapperEvent record(String name) {
            return WrapperRun.read(job.sandbox.resolve(name));
        }

        private void assertNothingIsLeft() throws IOException {
            assertThat(WrapperRun.names(job.sandbox)).noneMatch(name -> name.startsWith("."));
        }

        @Test
        void aLimitThatPassesLosesNothing() throws IOException {
            passesAfter(11);
            Ended ended = job.run(shell("echo made; : > '" + full + "'; exit 3", ""));
            assertThat(ended.status()).as(ended.stderr()).isZero();
            assertThat(ended.stdout()).endsWith("jw exit status = 0\n");
            assertThat(record("exit").exitCode()).isEqualTo(3);
            assertThat(record("exit").reason()).isNull();
            assertThat(job.spooled().get(2)).isEqualTo(record("exit"));
            assertThat(job.output("out")).isEqualTo("made\n");
            assertNothingIsLeft();
        }

        @Test
        void theLastHookRunsAfterALimit() throws IOException {
            passesAfter(6);
            Files.writeString(directory.resolve("cp_3.sh"), "echo $(echo ran) > '" + directory + "/last'");
            assertThat(job.run(shell(": > '" + full + "'", "")).status()).isZero();
            assertThat(directory.resolve("last")).hasContent("ran");
        }

        @Test
        void aLimitThatLastsLeavesTheExitCodeAndTheReason() throws IOException {
            job.patience =
                    new WrapperPatience(Duration.ofSeconds(1), Duration.ofHours(1), null, 0, Duration.ofMinutes(10));
            job.leaves = true;
            Ended ended = job.run(shell("echo made; : > '" + full + "'; exit 3", ""));
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.stderr()).endsWith(LIMIT + "\n");
            assertThat(job.sandbox.resolve("exit")).doesNotExist();
            WrapperEvent early = record(".exit.early");
            assertThat(early.kind()).isEqualTo(WrapperEvent.Kind.DONE);
            assertThat(early.exitCode()).isEqualTo(3);
            assertThat(early.reason()).isEqualTo(LIMIT);
            assertThat(early.token()).isEqualTo(WrapperRun.TOKEN);
            assertThat(early.usage()).isNotNull();
            assertThat(job.sandbox.resolve(".exit.early")).content().endsWith("\nwhole=yes\n");
        }

        @Test
        void aLimitBeforeThePayloadIsTheReason() throws IOException {
            passesAfter(6);
            Files.writeString(directory.resolve("cp_1.sh"), ": > '" + full + "'");
            Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
            assertThat(ended.status()).isEqualTo(1);
            assertThat(record("exit").reason()).isEqualTo(LIMIT);
            assertThat(record("exit").exitCode()).isNull();
            assertThat(directory.resolve("ran")).doesNotExist();
            assertThat(job.spooled()).last().isEqualTo(record("exit"));
            assertNothingIsLeft();
        }

        @Test
        void aHookThatMeetsTheLimitIsNamed() throws IOException {
            passesAfter(6);
            Files.writeString(directory.resolve("cp_2.sh"), ": > '" + full + "'; x=$(echo never)");
            job.run(shell("echo made", ""));
            assertThat(record("exit").reason()).isEqualTo("Hook " + directory + "/cp_2.sh ended the job (exit 254)");
            assertThat(job.output("out")).isEqualTo("made\n");
        }

        @Test
        void aLimitBeforeTheClaimIsSaidByTheStatus() throws IOException {
            Files.createFile(full);
            Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
            assertThat(ended.status()).isEqualTo(254);
            assertThat(WrapperStatus.words(254)).get().asString().contains("limit on processes");
            assertThat(job.sandbox.resolve("claim")).doesNotExist();
            assertThat(directory.resolve("ran")).doesNotExist();
        }

        /** The shell that cannot start the process that would kill the payload late does so itself. */
        @Test
        void aSignalAtTheLimitEndsThePayload() throws Exception {
            job.environment.put("GELATO_KILL_DELAY", "1");
            Path ready = directory.resolve("ready");
            Running running = job.start(shell(
                    "trap '' TERM; : > '" + full + "'; echo $$ > '" + ready
                            + "'; while :; do read -t 0.1 <> /dev/ptmx; done",
                    ""));
            await().until(() -> Files.exists(ready) && Files.size(ready) > 0);
            assertThat(new ProcessBuilder("kill", "-TERM", Long.toString(running.process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            long payload = Long.parseLong(Files.readString(ready).strip());
            Path early = job.sandbox.resolve(".exit.early");
            await().until(() -> Files.exists(early) && Files.readString(early).endsWith("\nwhole=yes\n"));
            assertThat(ProcessHandle.of(payload).map(ProcessHandle::isAlive).orElse(false))
                    .isFalse();
            assertThat(record(".exit.early").reason()).isEqualTo("Job has been terminated (got SIGTERM)");
            assertThat(record(".exit.early").signal()).isEqualTo("TERM");
            Files.delete(full);
            assertThat(running.end().status()).isEqualTo(1);
            assertThat(record("exit").reason()).isEqualTo("Job has been terminated (got SIGTERM)");
            assertNothingIsLeft();
        }

        /** As root nobody is limited: an account that has no other process. */
        @Test
        void aRealLimitOfAnAccount() throws Exception {
            assumeTrue(
                    System.getProperty("user.name").equals("root"), "only root can run as an account that nobody has");
            String account = Integer.toString(
                    1_900_000_000 + (int) (ProcessHandle.current().pid() % 100_000_000));
            Path script = job.write(
                    shell("echo made; for ((i = 0; i < 40; i++)); do env -i setsid sleep 600 & done 2> /dev/null", ""));
            Path go = directory.resolve("go");
            Files.writeString(
                    go,
                    "chown -R " + account + " . && setpriv --reuid=" + account + " --regid=" + account
                            + " --clear-groups true || exit 99\nexec setpriv --reuid=" + account + " --regid=" + account
                            + " --clear-groups bash -c 'ulimit -u 20; exec bash \"$0\"' "
                            + BashQuote.quote(script.toString()));
            for (Path p = directory; p != null && p.startsWith("/tmp"); p = p.getParent()) {
                if (!p.equals(Path.of("/tmp"))) {
                    Files.setPosixFilePermissions(p, PosixFilePermissions.fromString("rwxr-xr-x"));
                }
            }
            Running running = job.start(go);
            try {
                await().until(() -> !running.process.isAlive()
                        || Files.readString(directory.resolve("stderr"))
                                .contains("fork: Resource temporarily unavailable"));
            } finally {
                kill(account);
            }
            Ended ended = running.end();
            assumeTrue(ended.status() != 99, "this host knows no such account");
            assertThat(job.output("out")).isEqualTo("made\n");
            assertThat(record("exit").exitCode()).isEqualTo(254);
            assertThat(record("exit").reason()).isNull();
        }

        private static void kill(String account) throws Exception {
            new ProcessBuilder(List.of("pkill", "-KILL", "-U", account, "-x", "sleep"))
                    .start()
                    .waitFor();
        }
    }
}
