package org.gelato.ce.it.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

/** Work, rows, files and processes that belong to nothing. */
final class Remains {
    private Remains() {}

    /**
     * Commands and jobs without end, proxies and sandboxes without rows, rows without proxies, trash, events.
     *
     * @param jobs local ids of all jobs there are
     */
    static List<String> of(KillableDatabase database, Path sandboxes, Set<String> jobs) throws IOException {
        List<String> left = new ArrayList<>(
                database.column("SELECT CONCAT('command ', id, ' of job ', job_id, ' kind ', kind, ' state ', state)"
                        + " FROM command WHERE state IN (0, 1, 2)"));
        left.addAll(database.column("SELECT CONCAT('job ', id, ' state ', state, ' hand_over ', hand_over) FROM job"
                + " WHERE state IN (1, 2, 3, 4, 6) OR hand_over = 1 AND state <> 10"));
        left.addAll(
                database.column("SELECT CONCAT('proxy not written: ', path) FROM proxy_file WHERE written_at IS NULL"));
        TreeSet<String> proxies = new TreeSet<>(database.column("SELECT path FROM proxy_file"));
        try (Stream<Path> all = Files.walk(sandboxes)) {
            for (Path p : all.toList()) {
                String parent = p.getParent().getFileName().toString();
                if (parent.equals("trash")) {
                    left.add("trash " + p);
                } else if (parent.equals("events") && Files.isRegularFile(p)) {
                    left.add("event " + p);
                } else if (parent.equals("proxy") && !proxies.remove(p.toString())) {
                    left.add("proxy without row " + p);
                } else if (isSandboxOfNone(p, jobs)) {
                    left.add("sandbox without job " + p);
                }
            }
        } catch (UncheckedIOException e) {
            left.add("changed while it was read: " + e.getMessage());
        }
        proxies.forEach(path -> left.add("row without proxy " + path));
        return left;
    }

    private static boolean isSandboxOfNone(Path path, Set<String> jobs) {
        String name = path.getFileName().toString();
        return name.matches("CREAM[0-9]{9}") && !jobs.contains(name);
    }

    /** Helpers, workers and databases name their site's directories in their command lines. */
    static void awaitNoProcessOf(Path... directories) {
        Awaitility.await("no process is left over")
                .untilAsserted(
                        () -> Assertions.assertThat(processesOf(directories)).isEmpty());
    }

    private static List<String> processesOf(Path... directories) {
        return ProcessHandle.allProcesses()
                .filter(p -> p.pid() != ProcessHandle.current().pid())
                .map(Remains::commandLine)
                .filter(line -> Arrays.stream(directories).anyMatch(d -> line.contains(d.toString())))
                .toList();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return process.pid() + " "
                    + Files.readString(
                                    Path.of("/proc", Long.toString(process.pid()), "cmdline"),
                                    StandardCharsets.ISO_8859_1)
                            .replace('\0', ' ');
        } catch (IOException e) {
            return ""; // it has ended
        }
    }
}
