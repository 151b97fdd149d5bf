package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.AccountCommands.Spawn;
import org.gelato.ce.core.account.DiskFullException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A quota that is full at any call by which a file is written: NFS takes what is written, and says so when the file is closed. */
class HelperFaultsTest {
    /** The call that the file fault names fails, of regular files that are open for writing; fsync and rename of all. */
    private static final String FULL = """
            #include <errno.h>
            #include <fcntl.h>
            #include <string.h>
            #include <sys/stat.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            static int fails(const char *call) {
                char text[16] = "";
                int fd = (int)syscall(SYS_openat, AT_FDCWD, DIRECTORY "fault", O_RDONLY);
                if (fd >= 0) {
                    syscall(SYS_read, fd, text, sizeof text - 1);
                    syscall(SYS_close, fd);
                }
                return !strcmp(text, call);
            }
            static int is_written(int fd) {
                struct stat st;
                int flags = fcntl(fd, F_GETFL);
                return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size;
            }
            ssize_t write(int fd, const void *bytes, size_t len) {
                struct stat st;
                if (len > 1 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && fails("write")) {
                    if (st.st_size % 2 == 0) {
                        return syscall(SYS_write, fd, bytes, 1);
                    }
                    errno = EDQUOT;
                    return -1;
                }
                return syscall(SYS_write, fd, bytes, len);
            }
            int fsync(int fd) {
                return fails("fsync") ? (errno = EDQUOT, -1) : (int)syscall(SYS_fsync, fd);
            }
            int close(int fd) {
                int full = is_written(fd) && fails("close");
                int closed = (int)syscall(SYS_close, fd);
                return full ? (errno = EDQUOT, -1) : closed;
            }
            int renameat(int from, const char *old, int to, const char *new) {
                return fails("rename") ? (errno = EDQUOT, -1) : (int)syscall(SYS_renameat, from, old, to, new);
            }
            """;

    private static final byte[] NEW = "#!/bin/bash\necho new\n".getBytes(StandardCharsets.UTF_8);

    @TempDir
    static Path built;

    private static PreloadedLibrary library;

    @TempDir
    Path temporary;

    @BeforeAll
    static void compile() throws Exception {
        library = new PreloadedLibrary(built, FULL);
    }

    private static void assertFull(CompletableFuture<?> work) {
        assertThat(failure(work)).isInstanceOf(DiskFullException.class).hasMessageContaining("Disk quota exceeded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "fsync", "close", "rename"})
    void whateverCallFailsNothingHalfIsLeftAndWhatWasThereStays(String call) throws IOException {
        try (RunningHelper helper = library.start(temporary)) {
            Path file = helper.home.resolve("file");
            Path part = helper.home.resolve("part");
            helper.put(file, "old");
            get(helper.commands.append(helper.account, part, 0, new byte[4]));
            FileContent script = new FileContent(file, 0700, NEW);
            library.set("fault", call);
            try {
                assertFull(helper.commands.put(helper.account, script));
                if (!call.equals("fsync")) { // what is handed over is not made durable
                    assertFull(helper.commands.run(
                            helper.account,
                            new Run(
                                    List.of("/bin/bash", "-c", "touch ran"),
                                    helper.home,
                                    Map.of(),
                                    new byte[0],
                                    List.of(script),
                                    Duration.ofMinutes(1),
                                    100)));
                    assertFull(helper.commands.spawn(
                            helper.account,
                            new Spawn(
                                    List.of("/bin/bash", "-c", "touch ran"),
                                    helper.home,
                                    Map.of(),
                                    List.of(script),
                                    helper.home.resolve("out"),
                                    helper.home.resolve("err"))));
                }
                if (Set.of("write", "close").contains(call)) {
                    assertFull(helper.commands.append(helper.account, part, 4, NEW));
                } else {
                    assertFull(helper.commands.finish(helper.account, part, file, 4));
                }
            } finally {
                library.remove("fault");
            }
            assertThat(helper.text(file)).isEqualTo("old");
            assertThat(get(helper.commands.stat(helper.account, part)).size()).isEqualTo(4);
            assertThat(helper.run("ls -A").stdout()).isEqualTo("file\npart\n");
            get(helper.commands.finish(helper.account, part, file, 4));
            assertThat(get(helper.commands.stat(helper.account, file)).size()).isEqualTo(4);
        }
    }
}
