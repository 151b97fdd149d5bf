package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.gelato.ce.cli.wire.StatusReport;

/**
 * Checks what clients were promised: every job whose start was confirmed ends as it should, its payload ran
 * once, and nothing is left behind. Jobs whose registration and its repetition got no response are unknown to clients;
 * they must be REGISTERED and never have run.
 */
public final class Reckoning {
    static final String RUNS = "DONE-OK";
    static final String CANCELLED = "CANCELLED";
    static final String PURGED = "JobUnknownFault";

    private static final Duration ENDS = Duration.ofMinutes(5);
    private static final Path LOG = Path.of("target", "kill", "run.log");
    private static final String FORGOTTEN = "vanished from slurm";

    /** Of a job's number, which its id and its tag end with. */
    private static final int DIGITS = 9;

    private static final String ALL = "all: ";
    private static final List<String> COUNTS = List.of("kills", "jobs", "lost", "doubled", "fenced", "rowless");

    private final Map<PatientClient, Map<String, String>> owed = new ConcurrentHashMap<>();
    private final Map<String, Instant> since = new ConcurrentHashMap<>();
    private final Set<String> forgotten = new TreeSet<>();

    /** What the job must become; the last call counts. */
    void expect(PatientClient client, List<String> ids, String end) {
        Map<String, String> own = owed.computeIfAbsent(client, c -> new ConcurrentHashMap<>());
        ids.forEach(id -> {
            own.put(id, end);
            since.putIfAbsent(id, Instant.now());
        });
    }

    /** Jobs in the books. */
    int jobs() {
        return owed.values().stream().mapToInt(Map::size).sum();
    }

    /** Waits until every job is in its state, or time is over; returns those that are not, with what they are. */
    Map<String, String> awaitEnds() {
        return awaitEnds(null);
    }

    /** @param lastSlurmKill jobs started before may have been forgotten by slurmctld; null where it forgets none */
    private Map<String, String> awaitEnds(Instant lastSlurmKill) {
        Map<String, String> wrong = new TreeMap<>();
        try {
            Awaitility.await("all jobs end as they should")
                    .atMost(ENDS)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> {
                        Map<String, String> now = wrong(lastSlurmKill);
                        wrong.clear();
                        wrong.putAll(now);
                        return wrong.isEmpty();
                    });
        } catch (ConditionTimeoutException e) {
            // the caller reports what is wrong
        }
        return wrong;
    }

    private Map<String, String> wrong(Instant lastSlurmKill) {
        Map<String, String> wrong = new TreeMap<>();
        forgotten.clear();
        for (Map.Entry<PatientClient, Map<String, String>> client : owed.entrySet()) {
            Map<String, String> own = client.getValue();
            for (Map.Entry<String, StatusReport> job :
                    client.getKey().states(own.keySet()).entrySet()) {
                StatusReport is = job.getValue();
                if (is.name().equals(own.get(job.getKey()))) {
                    continue;
                }
                if (lastSlurmKill != null
                        && since.get(job.getKey()).isBefore(lastSlurmKill)
                        && String.valueOf(is.failureReason()).contains(FORGOTTEN)) {
                    forgotten.add(job.getKey());
                    continue;
                }
                wrong.put(
                        job.getKey(),
                        "should be " + own.get(job.getKey()) + ", is " + is.name() + ": " + is.failureReason() + ", "
                                + is.description());
            }
        }
        return wrong;
    }

    /**
     * The books of a site are closed: asserts, and leaves the line for the summary of the run.
     *
     * @param lastSlurmKill when slurmctld was killed so that it may have forgotten jobs; null where it was not
     * @return registrations without a response
     */
    long close(String name, int kills, KillSite site, Instant lastSlurmKill) {
        Map<String, String> lost = new TreeMap<>(awaitEnds(lastSlurmKill));
        Map<String, Long> runs = KillSite.runs(site.witness());
        Map<String, String> all = new HashMap<>();
        owed.values().forEach(all::putAll);
        all.forEach((id, end) -> {
            if (!end.equals(CANCELLED) && !runs.containsKey(id) && !forgotten.contains(id)) {
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
        List<String> rowless = rowless(site, all.keySet(), unknown.keySet());
        long registered = unknown.values().stream().filter("REGISTERED"::equals).count();
        note(
                name,
                "kills=" + kills + " jobs=" + all.size() + " lost=" + lost.size() + " doubled=" + doubled.size()
                        + " fenced=" + fenced + " unanswered=" + registered + " rowless=" + rowless.size()
                        + (lastSlurmKill == null ? "" : " forgotten-by-slurm=" + forgotten.size()));
        assertThat(lost)
                .as("lost, and Slurm's history: " + site.slurm().history(lost.keySet()))
                .isEmpty();
        assertThat(doubled)
                .as("payloads that ran twice, or of jobs never started")
                .isEmpty();
        assertThat(unknown.values()).as("registered without a response").allMatch("REGISTERED"::equals);
        assertThat(rowless).as("batch jobs without a job").isEmpty();
        TreeSet<String> jobs = new TreeSet<>();
        owed.keySet().forEach(client -> jobs.addAll(client.list()));
        Awaitility.await("nothing is left behind")
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(site.remains(jobs)).isEmpty());
        return registered;
    }

    /** The books of a site without a batch system that counts: asserts, and leaves the line for the summary of the run. */
    void close(String name, int kills, Path witness) {
        Map<String, String> lost = new TreeMap<>(awaitEnds());
        Map<String, Long> runs = KillSite.runs(witness);
        Map<String, String> all = new HashMap<>();
        owed.values().forEach(all::putAll);
        all.forEach((id, end) -> {
            if (!end.equals(CANCELLED) && !runs.containsKey(id)) {
                lost.putIfAbsent(id, "never ran");
            }
        });
        Map<String, Long> doubled = runs.entrySet().stream()
                .filter(e -> e.getValue() > 1 || !all.containsKey(e.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        Map<String, String> unknown = unknown(all);
        note(
                name,
                "kills=" + kills + " jobs=" + all.size() + " lost=" + lost.size() + " doubled=" + doubled.size()
                        + " unanswered=" + unknown.size());
        assertThat(all).isNotEmpty();
        assertThat(lost).as("lost").isEmpty();
        assertThat(doubled)
                .as("payloads that ran twice, or of jobs never started")
                .isEmpty();
        assertThat(unknown.values()).as("registered without a response").allMatch("REGISTERED"::equals);
    }

    /** Batch jobs of which no client knows a job, by their tags. */
    private static List<String> rowless(KillSite site, Set<String> known, Set<String> unanswered) {
        Set<String> numbers = Stream.concat(known.stream(), unanswered.stream())
                .map(id -> id.substring(id.length() - DIGITS))
                .collect(Collectors.toSet());
        return site.slurm().submissions().keySet().stream()
                .filter(tag -> !numbers.contains(tag.substring(tag.length() - DIGITS)))
                .toList();
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

    /** Replaces this test's line in the log of the run, and the last line, which adds up those of all tests. */
    public static void note(String name, String words) {
        String line = name + ": " + words;
        System.out.println(line);
        try {
            Files.createDirectories(LOG.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Another test process may have something to note too.
        try (FileChannel lock =
                FileChannel.open(LOG.resolveSibling("run.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock();
            List<String> lines = new ArrayList<>(Files.exists(LOG) ? Files.readAllLines(LOG) : List.of());
            lines.removeIf(l -> l.startsWith(name + ": ") || l.startsWith(ALL));
            lines.add(line);
            lines.add(ALL + total(lines));
            Files.write(LOG, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String total(List<String> lines) {
        return COUNTS.stream()
                .map(count -> count + "="
                        + lines.stream()
                                .flatMap(l -> Pattern.compile("\\b" + count + "=([0-9]+)")
                                        .matcher(l)
                                        .results())
                                .mapToLong(m -> Long.parseLong(m.group(1)))
                                .sum())
                .collect(Collectors.joining(" "));
    }
}
