package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.gelato.ce.cli.wire.StatusReport;

/**
 * What clients are owed, and whether they got it: every job whose start was answered ends as it should, its payload ran
 * once, and nothing is left behind. Jobs whose registration was not answered are in nobody's books; they must be
 * REGISTERED and never have run.
 */
final class Reckoning {
    static final String RUNS = "DONE-OK";
    static final String CANCELLED = "CANCELLED";
    static final String PURGED = "JobUnknownFault";

    private static final Duration ENDS = Duration.ofMinutes(5);
    private static final Path LOG = Path.of("target", "kill", "run.log");
    private static final String FORGOTTEN = "vanished from slurm";

    private final Map<PatientClient, Map<String, String>> owed = new ConcurrentHashMap<>();
    private int forgotten;

    /** What the job must become; the last word counts. */
    void expect(PatientClient client, List<String> ids, String end) {
        Map<String, String> own = owed.computeIfAbsent(client, c -> new ConcurrentHashMap<>());
        ids.forEach(id -> own.put(id, end));
    }

    /** Jobs in the books. */
    int jobs() {
        return owed.values().stream().mapToInt(Map::size).sum();
    }

    /** Waits until every job is in its state, or time is over; answers those that are not, with what they are. */
    Map<String, String> awaitEnds(boolean slurmForgets) {
        Map<String, String> wrong = new TreeMap<>();
        try {
            Awaitility.await("all jobs end as they should")
                    .atMost(ENDS)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> {
                        Map<String, String> now = wrong(slurmForgets);
                        wrong.clear();
                        wrong.putAll(now);
                        return wrong.isEmpty();
                    });
        } catch (ConditionTimeoutException e) {
            // the caller reports what is wrong
        }
        return wrong;
    }

    private Map<String, String> wrong(boolean slurmForgets) {
        Map<String, String> wrong = new TreeMap<>();
        int vanished = 0;
        for (Map.Entry<PatientClient, Map<String, String>> client : owed.entrySet()) {
            Map<String, String> own = client.getValue();
            for (Map.Entry<String, StatusReport> job :
                    client.getKey().states(own.keySet()).entrySet()) {
                StatusReport is = job.getValue();
                if (is.name().equals(own.get(job.getKey()))) {
                    continue;
                }
                if (slurmForgets && String.valueOf(is.failureReason()).contains(FORGOTTEN)) {
                    vanished++;
                    continue;
                }
                wrong.put(
                        job.getKey(),
                        "should be " + own.get(job.getKey()) + ", is " + is.name() + ": " + is.failureReason());
            }
        }
        forgotten = vanished;
        return wrong;
    }

    /** The books of a site are closed: asserts, and leaves the line for the summary of the run. */
    void close(String name, int kills, KillSite site, boolean slurmForgets) {
        Map<String, String> lost = new TreeMap<>(awaitEnds(slurmForgets));
        Map<String, Long> runs = KillSite.runs(site.witness());
        Map<String, String> all = new HashMap<>();
        owed.values().forEach(all::putAll);
        all.forEach((id, end) -> {
            if (!end.equals(CANCELLED) && !runs.containsKey(id) && forgotten == 0) {
                lost.putIfAbsent(id, "should be " + end + " and never ran");
            }
        });
        Map<String, Long> doubled = runs.entrySet().stream()
                .filter(e -> e.getValue() > 1 || !all.containsKey(e.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        long fenced = site.slurm().submissions().values().stream()
                .mapToLong(n -> n - 1)
                .sum();
        Map<String, String> unknown = unknown(all);
        long registered = unknown.values().stream().filter("REGISTERED"::equals).count();
        note(
                name,
                "kills=" + kills + " jobs=" + all.size() + " lost=" + lost.size() + " doubled=" + doubled.size()
                        + " fenced=" + fenced + " unanswered=" + registered
                        + (slurmForgets ? " forgotten-by-slurm=" + forgotten : ""));
        assertThat(lost).as("lost").isEmpty();
        assertThat(doubled)
                .as("payloads that ran twice, or of jobs nobody started")
                .isEmpty();
        assertThat(unknown.values()).as("registered without an answer").allMatch("REGISTERED"::equals);
        Awaitility.await("nothing is left behind")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(leftovers(site)).isEmpty());
    }

    private Map<String, String> unknown(Map<String, String> known) {
        Map<String, String> unknown = new LinkedHashMap<>();
        for (PatientClient client : owed.keySet()) {
            List<String> ids =
                    client.list().stream().filter(id -> !known.containsKey(id)).toList();
            if (!ids.isEmpty()) {
                client.states(ids).forEach((id, state) -> unknown.put(id, state.name()));
            }
        }
        return unknown;
    }

    /** Work, files and rows that belong to nothing. */
    private List<String> leftovers(KillSite site) throws IOException {
        KillableDatabase database = site.database();
        List<String> left = new ArrayList<>();
        database.column(
                        "SELECT CONCAT('command ', id, ' of job ', job_id, ' kind ', kind, ' state ', state) FROM command"
                                + " WHERE state IN (0, 1, 2)")
                .forEach(left::add);
        database.column("SELECT CONCAT('job ', id, ' state ', state, ' hand_over ', hand_over) FROM job"
                        + " WHERE state IN (1, 2, 3, 4, 6) OR hand_over = 1 AND state <> 10")
                .forEach(left::add);
        database.column("SELECT CONCAT('proxy not written: ', path) FROM proxy_file WHERE written_at IS NULL")
                .forEach(left::add);
        TreeSet<String> proxies = new TreeSet<>(database.column("SELECT path FROM proxy_file"));
        TreeSet<String> jobs = new TreeSet<>();
        owed.keySet().forEach(client -> jobs.addAll(client.list()));
        try (Stream<Path> all = Files.walk(site.ce().base().resolve("sandbox"))) {
            for (Path p : all.toList()) {
                String parent = p.getParent().getFileName().toString();
                String name = p.getFileName().toString();
                if (parent.equals("trash")) {
                    left.add("trash " + p);
                } else if (parent.equals("events") && Files.isRegularFile(p)) {
                    left.add("event " + p);
                } else if (parent.equals("proxy") && !proxies.remove(p.toString())) {
                    left.add("proxy without row " + p);
                } else if (name.matches("CREAM[0-9]{9}") && !jobs.contains(name)) {
                    left.add("sandbox without job " + p);
                }
            }
        } catch (UncheckedIOException e) {
            left.add("changed while it was read: " + e.getMessage());
        }
        proxies.forEach(path -> left.add("row without proxy " + path));
        return left;
    }

    /** Replaces this test's line in the log of the run. */
    static void note(String name, String words) {
        String line = name + ": " + words;
        System.out.println(line);
        try {
            Files.createDirectories(LOG.getParent());
            List<String> lines = new ArrayList<>(Files.exists(LOG) ? Files.readAllLines(LOG) : List.of());
            lines.removeIf(l -> l.startsWith(name + ": "));
            lines.add(line);
            Files.write(LOG, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
