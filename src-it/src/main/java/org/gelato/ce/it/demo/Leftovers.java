package org.gelato.ce.it.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.base.LiveProcess;

/**
 * Finds and ends processes a CE left behind. A process belongs to the demo when it came from the CE's process, carries the demo's mark in its
 * environment, or works in a job's sandbox without a terminal, as batch jobs do and a curious user's shell does not. Those of accounts
 * that the demo does not use are nobody's business here, whatever they look like.
 */
final class Leftovers {
    /** Environment variable that marks the demo's processes. */
    static final String MARKER = "GELATO_DEMO";

    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final long LOOK_MILLIS = 50;

    private final byte[] mark;
    private final Path sandbox;
    private final Set<Integer> uids;

    /** @param uids of the demo's processes and jobs */
    Leftovers(String marker, Path sandbox, Set<Integer> uids) {
        this.uids = Set.copyOf(uids);
        this.mark = (MARKER + "=" + marker).getBytes(StandardCharsets.UTF_8);
        this.sandbox = sandbox;
    }

    /**
     * Ends them all: signals first, then kills.
     *
     * @param ce the CE's own process; null when it is gone
     * @param family processes known to come from it
     * @throws DemoException naming the processes that are still there
     */
    void end(ProcessHandle ce, Collection<ProcessHandle> family) throws InterruptedException {
        Set<ProcessHandle> known = new LinkedHashSet<>(family);
        if (ce != null) {
            known.add(ce);
        }
        boolean gone = signal(known, false);
        if (!gone) {
            gone = signal(known, true);
        }
        if (!gone) {
            throw new DemoException("could not end processes "
                    + known.stream()
                            .filter(LiveProcess::isAlive)
                            .map(p -> Long.toString(p.pid()))
                            .collect(Collectors.joining(", ")));
        }
    }

    /** Signals what is alive until nothing is, or the grace is over. @return whether nothing is left */
    private boolean signal(Set<ProcessHandle> known, boolean kill) throws InterruptedException {
        long deadline = System.nanoTime() + GRACE.toNanos();
        Set<ProcessHandle> told = new LinkedHashSet<>();
        while (true) {
            known.addAll(find());
            known.removeIf(p -> !LiveProcess.isAlive(p));
            if (known.isEmpty()) {
                return true;
            }
            for (ProcessHandle process : known) {
                // Whether it ended is checked in the next round.
                if (told.add(process)) {
                    if (kill) {
                        process.destroyForcibly();
                    } else {
                        process.destroy();
                    }
                }
            }
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private Set<ProcessHandle> find() {
        Set<ProcessHandle> found = new LinkedHashSet<>();
        long self = ProcessHandle.current().pid();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                if (pid != self && belongs(process)) {
                    ProcessHandle.of(pid).ifPresent(found::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private boolean belongs(Path process) {
        try {
            if (!uids.contains(uid(process))) {
                return false;
            }
            if (contains(Files.readAllBytes(process.resolve("environ")), mark)) {
                return true;
            }
            return Files.readSymbolicLink(process.resolve("cwd")).startsWith(sandbox) && !hasTerminal(process);
        } catch (IOException e) {
            // Gone meanwhile, or of another user: not ours.
            return false;
        }
    }

    /** Of a process, by its directory in {@code /proc}. */
    static int uid(Path process) throws IOException {
        return (Integer) Files.getAttribute(process, "unix:uid");
    }

    /** The seventh field of stat; the second, the command's name, may hold blanks and brackets. */
    private static boolean hasTerminal(Path process) throws IOException {
        String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
        String[] rest = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return !rest[4].equals("0");
    }

    private static boolean contains(byte[] environment, byte[] mark) {
        String all = "\0" + new String(environment, StandardCharsets.ISO_8859_1);
        return all.contains("\0" + new String(mark, StandardCharsets.ISO_8859_1) + "\0");
    }
}
