package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are replaced, with a clock, an account database and words of a worker by the test. */
class HelperWorkersTest {
    /**
     * The monotonic clock is as many milliseconds ahead as the file clock says. No account is known while there is a file
     * missing, and a worker says that its account has changed while there is a file changed; with a file early it answers, before
     * that, a request it never got.
     */
    private static final String LIBRARY = """
            #include <dlfcn.h>
            #include <errno.h>
            #include <fcntl.h>
            #include <pwd.h>
            #include <stdint.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <time.h>
            #include <unistd.h>
            struct head { uint32_t len, what; uint64_t seq; };
            static int is_there(const char *file) {
                return access(file, F_OK) == 0;
            }
            int clock_gettime(clockid_t clock, struct timespec *now) {
                char text[16] = "";
                int result = (int)syscall(SYS_clock_gettime, clock, now);
                int fd = clock == CLOCK_MONOTONIC ? (int)syscall(SYS_openat, AT_FDCWD, DIRECTORY "clock", O_RDONLY) : -1;
                if (fd >= 0) {
                    syscall(SYS_read, fd, text, sizeof text - 1);
                    syscall(SYS_close, fd);
                    now->tv_sec += atol(text) / 1000;
                }
                return result;
            }
            struct passwd *getpwnam(const char *name) {
                struct passwd *(*real)(const char *) = (struct passwd *(*)(const char *))dlsym(RTLD_NEXT, "getpwnam");
                if (is_there(DIRECTORY "missing")) {
                    errno = 0;
                    return NULL;
                }
                if (is_there(DIRECTORY "away")) {
                    errno = EIO;
                    return NULL;
                }
                return real(name);
            }
            ssize_t write(int fd, const void *bytes, size_t len) {
                struct head head;
                char changed[sizeof head + 1];
                if (len != sizeof changed) {
                    return syscall(SYS_write, fd, bytes, len);
                }
                memcpy(changed, bytes, len);
                memcpy(&head, bytes, sizeof head);
                if (head.len == 1 && head.seq == 0 && is_there(DIRECTORY "changed")) {
                    changed[sizeof head] = '!';
                    if (is_there(DIRECTORY "early")) {
                        char answer[] = "0 No\\\\ error";
                        struct head forged = {sizeof answer - 1, 0, (uint64_t)2 << 32}; /* the second request of the first slot */
                        syscall(SYS_write, fd, &forged, sizeof forged);
                        syscall(SYS_write, fd, answer, sizeof answer - 1);
                    }
                }
                return syscall(SYS_write, fd, changed, len);
            }
            """;

    @TempDir
    static Path built;

    private static PreloadedLibrary library;

    @TempDir
    Path temporary;

    private final ExecutorService work = Executors.newSingleThreadExecutor();
    private RunningHelper helper;

    @BeforeAll
    static void compile() throws Exception {
        library = new PreloadedLibrary(built, LIBRARY);
    }

    @BeforeEach
    void needsRoot() throws IOException {
        assumeTrue(RunningHelper.ROOT, "switching accounts needs root; this run is not root");
        library.set("clock", "0");
    }

    @AfterEach
    void stop() throws IOException {
        if (helper != null) {
            helper.close();
        }
        work.shutdownNow();
        for (String file : new String[] {"missing", "away", "changed", "early"}) {
            library.remove(file);
        }
    }

    @Test
    void aRequestThatAWorkerAnswersBeforeItGotItIsAnsweredOnce() throws IOException {
        helper = library.start(temporary);
        helper.put(helper.home.resolve("first"), "1");
        library.set("changed", "");
        library.set("early", "");
        library.set("clock", "2000");

        get(helper.commands.put(
                helper.account,
                new FileContent(helper.home.resolve("second"), 0600, "2".getBytes(StandardCharsets.UTF_8))));

        library.remove("changed");
        assertThat(helper.run("ls").stdout()).isEqualTo("first\n");
        assertThat(helper.stats()).containsEntry("forks", 2L).containsEntry("lost", 0L);
    }

    @Test
    void aStreamThatWasHeldIsAnOpenStreamOfTheNewWorker() throws IOException {
        helper = library.start(temporary, "-i", "1");
        helper.run("true");
        library.set("changed", "");
        library.set("clock", "2000");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch idle = new CountDownLatch(1);
        AtomicLong bytes = new AtomicLong();
        CompletableFuture<Completed> stream = helper.commands.stream(
                helper.account, helper.bash("head -c 2000000 /dev/zero", Duration.ofMinutes(4)), work, piece -> {
                    bytes.addAndGet(piece.length);
                    begun.countDown();
                    await().until(() -> idle.getCount() == 0);
                });
        await().until(() -> begun.getCount() == 0);
        library.set("clock", "9000");
        await().until(() -> helper.stats().get("workers") == 1); // the one that was replaced has ended
        helper.stats();
        idle.countDown();
        assertThat(get(stream).exit()).isZero();
        assertThat(bytes).hasValue(2_000_000);
        assertThat(helper.stats()).containsEntry("forks", 2L).containsEntry("lost", 0L);
    }

    @Test
    void aBusyWorkerIsAskedEveryTwentySecondsAndEndsWhatItBegan() throws IOException {
        helper = library.start(temporary);
        CompletableFuture<Completed> begun = helper.commands.run(
                helper.account,
                helper.bash("touch begun; until [ -e go ]; do sleep 0.05; done; echo end", Duration.ofMinutes(4)));
        await().until(() -> helper.run("ls").stdout().contains("begun"));
        library.set("changed", "");
        library.set("clock", "2000");
        helper.run("true");
        assertThat(helper.stats()).containsEntry("forks", 1L);
        library.set("clock", "22000");
        helper.run("true");
        assertThat(helper.stats()).containsEntry("forks", 2L);
        library.remove("changed");
        helper.run("touch go");
        assertThat(get(begun).stdout()).isEqualTo("end\n");
        await().until(() -> helper.stats().get("workers") == 1);
        assertThat(helper.stats()).containsEntry("forks", 2L).containsEntry("lost", 0L);
    }

    @Test
    void anAccountThatIsNotFoundIsServedForHalfAMinute() throws IOException {
        helper = library.start(temporary);
        helper.run("true");
        library.set("missing", "");
        for (String clock : new String[] {"2000", "15000"}) {
            library.set("clock", clock);
            assertThat(helper.run("echo served").stdout()).as(clock).isEqualTo("served\n");
        }
        library.set("clock", "40000");
        assertThat(failure(helper.commands.run(helper.account, helper.bash("echo served"))))
                .hasMessageContaining("no such account")
                .extracting("code")
                .isEqualTo(Code.REFUSED);
    }

    /** A refusal would end its jobs. */
    @Test
    void anAccountOfWhichNothingIsKnownIsNotRefused() throws IOException {
        helper = library.start(temporary);
        library.set("away", "");
        assertThat(failure(helper.commands.run(helper.account, helper.bash("echo served"))))
                .extracting("code")
                .isEqualTo(Code.BUSY);
        library.remove("away");
        assertThat(helper.run("echo served").stdout()).isEqualTo("served\n");
    }
}
