package org.gelato.ce.core.base;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * Whether a process lives that is no child of ours. Java takes one that ended for alive until somebody waits for it, and nobody
 * does so for an orphan where process 1 is no init, as in a container: such a zombie is dead, and never goes.
 */
public final class LiveProcess {
    private static final Path PROC = Path.of("/proc");
    private static final long LOOK_MILLIS = 20;
    /** By how much two readings of one start may differ. */
    private static final Duration CLOCKS = Duration.ofSeconds(2);

    private LiveProcess() {}

    /** Whether it executes anything, or may: what the kernel does not say counts as alive. */
    public static boolean isAlive(ProcessHandle process) {
        return process.isAlive() && !isZombie(process.pid());
    }

    /**
     * Whether the process that had this number and began then is alive. The number alone is not enough: after a reboot it
     * may be another's.
     */
    public static boolean isThatOf(long pid, Instant began) {
        return ProcessHandle.of(pid)
                .filter(LiveProcess::isAlive)
                .flatMap(process -> process.info().startInstant())
                .filter(start -> Duration.between(start, began).abs().compareTo(CLOCKS) < 0)
                .isPresent();
    }

    /**
     * Whether the process that had this number and began then has ended for sure. One that lives under the number may be it where another start is
     * shown: a clock that was set since moves the starts of all. This process is none that another start is recorded of.
     */
    public static boolean hasEnded(long pid, Instant began) {
        return !isThatOf(pid, began)
                && (pid == ProcessHandle.current().pid()
                        || ProcessHandle.of(pid).filter(LiveProcess::isAlive).isEmpty());
    }

    /**
     * Waits until it has ended.
     *
     * @return whether it has
     * @throws InterruptedException when the thread was interrupted; the process is left alone
     */
    public static boolean awaitEnd(ProcessHandle process, Duration patience) throws InterruptedException {
        long begin = System.nanoTime();
        while (isAlive(process)) {
            if (System.nanoTime() - begin > patience.toNanos()) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return true;
    }

    /** The first thread alone is a zombie, too, when it ended before others: these may still write. */
    private static boolean isZombie(long pid) {
        Path process = PROC.resolve(Long.toString(pid));
        try (Stream<Path> threads = Files.list(process.resolve("task"))) {
            return threads.count() <= 1
                    && isEnded(Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return false; // Gone meanwhile, which Java sees as well, or hidden from us.
        }
    }

    /** The third field of stat; the second, the command's name, may hold blanks and brackets. */
    private static boolean isEnded(String stat) {
        int state = stat.lastIndexOf(')') + 2;
        return state < stat.length() && "ZX".indexOf(stat.charAt(state)) >= 0;
    }
}
