package org.gelato.ce.core.db.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.base.LiveProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server processes that outlived the process that started them (kill -9). Each one wrote down its number, the time of its start and the
 * boot before it became a server, in a file that only the CE's account writes: there is none that is not recorded. What a process
 * shows of itself, such as its command line, every account can choose, and decides nothing. Call with the lock of the directory held:
 * then it can be no other CE's server.
 */
final class LeftoverServers {
    private static final Logger log = LoggerFactory.getLogger(LeftoverServers.class);
    private static final Path PROC = Path.of("/proc");
    private static final Path BOOT = PROC.resolve("sys/kernel/random/boot_id");
    /** Becomes the server, with the same number and start. Both reads are done by the shell itself, not by a child. */
    private static final String RECORD =
            "read -r boot <" + BOOT + "; read -r stat </proc/self/stat; echo \"$boot $stat\" >\"$0\" && exec \"$@\"";
    /** Number and start, in ticks since the boot; the command's name between them may hold blanks and brackets. */
    private static final Pattern STAT =
            Pattern.compile("([0-9]{1,10}) \\(.*\\)(?: [^ ]+){19} ([0-9]+) ", Pattern.DOTALL);

    private static final Pattern RECORDED = Pattern.compile("([0-9a-f-]+) " + STAT, Pattern.DOTALL);

    private LeftoverServers() {}

    /** The command line with which a server, or what makes its data, records itself in a file. */
    static List<String> recorded(Path record, List<String> command) {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", RECORD, record.toString()));
        line.addAll(command);
        return line;
    }

    /** Ends the recorded process and its children, cleanly if they end in time. */
    static void stop(Path record, DatabaseAccount account, Duration patience) throws IOException, InterruptedException {
        Optional<ProcessHandle> found = find(record, account);
        if (found.isPresent()) {
            List<ProcessHandle> processes =
                    Stream.concat(found.stream(), found.get().descendants()).toList();
            for (ProcessHandle process : processes) {
                stop(process, patience);
            }
        }
    }

    private static Optional<ProcessHandle> find(Path record, DatabaseAccount account) throws IOException {
        try {
            Matcher written = RECORDED.matcher(Files.readString(record, StandardCharsets.ISO_8859_1));
            if (!written.lookingAt()
                    || !written.group(1).equals(Files.readString(BOOT).strip())) {
                return Optional.empty(); // No server came of it, or it ended with that boot.
            }
            Path process = PROC.resolve(written.group(2));
            Matcher running = STAT.matcher(Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1));
            return running.lookingAt() && running.group(2).equals(written.group(3)) && account.mayRun(process)
                    ? ProcessHandle.of(Long.parseLong(running.group(1)))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * Refuses data that a server works on which is not recorded: one that an earlier version of the CE or an administrator started.
     *
     * @throws IllegalStateException with what to do
     */
    static void requireUnused(Path data) throws IOException {
        Path locked = data.resolve("aria_log_control");
        if (!Files.exists(locked)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(locked, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                throw new IllegalStateException("another database server works on " + data
                        + ", which this CE did not record as its own; stop it: its number is in "
                        + data.resolve("mariadbd.pid"));
            }
        }
    }

    private static void stop(ProcessHandle server, Duration patience) throws InterruptedException {
        log.info("Stopping the database server {} left over from an earlier run", server.pid());
        server.destroy();
        if (!LiveProcess.awaitEnd(server, patience)) {
            log.warn("Database server {} did not stop within {}, killing it", server.pid(), patience);
            server.destroyForcibly();
            LiveProcess.awaitEnd(server, patience);
        }
    }
}
