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
import java.util.List;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.WrapperRun.Running;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes where no process can be started any more: {@code ulimit -u}, or the limit of a control group, is reached. */
class WrapperProcessLimitTest {
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
        job.patience = new WrapperPatience(Duration.ofSeconds(1), Duration.ofHours(1), null, 0, Duration.ofMinutes(10));
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
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can run as an account that nobody has");
        String account =
                Integer.toString(1_900_000_000 + (int) (ProcessHandle.current().pid() % 100_000_000));
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
