package org.gelato.ce.it.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.it.fault.SmallDisk;
import org.gelato.ce.it.kill.KillSite;
import org.gelato.ce.it.kill.KillableDatabase;
import org.gelato.ce.it.kill.Relay;
import org.gelato.ce.it.site.BatchSite;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;

/** A {@link KillSite}, with a second front end on its database where a history wants one. */
final class HistorySite implements AutoCloseable {
    private static final int DIGITS = 9;

    private static final String SWEEPS = "2 s";

    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Map<SiteCe, ClientTls> trust = new ConcurrentHashMap<>();
    private final SmallDisk disk;
    private final Path older;
    private KillSite site;
    private SiteCe second;
    private Relay secondFront;

    /**
     * A site.
     *
     * @param batch starts its batch system
     * @param frontEnds one or two
     * @param disk for the database, or null: then the clock of the CE is the host's, too
     * @param older a clone of older software that was built: the second front end begins with it, on a database that it made; or null
     */
    HistorySite(Supplier<BatchSite> batch, int frontEnds, SmallDisk disk, Path older) {
        this.disk = disk;
        this.older = older;
        KillableDatabase database =
                new KillableDatabase(disk == null ? Path.of("/var/tmp") : disk.directory(), older == null);
        try {
            Map<String, Object> more = Map.of("gelato.jobs.lease-sweep-interval", SWEEPS);
            site = new KillSite("history", batch.get(), database, more, disk != null, this::startOlder);
            second = second == null && frontEnds > 1 ? second(site) : second;
            secondFront = second == null ? null : new Relay(second.port());
            if (second != null && older == null) {
                startSecond();
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void startOlder(KillSite first) {
        if (older == null) {
            return;
        }
        second = second(first);
        Path built = older.resolve("ce-ws/target");
        try (Stream<Path> files = Files.list(built)) {
            // keys are read by both, and who is first makes them
            Files.createDirectories(first.ce().base().resolve("state"), PRIVATE);
            String jar = files.map(Path::toString)
                    .filter(name -> name.endsWith(".jar"))
                    .findFirst()
                    .orElseThrow();
            second.start(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-Xmx512m",
                            "-cp",
                            jar + ":" + built.resolve("lib") + "/*",
                            "org.gelato.ce.ws.boot.Main",
                            "run",
                            "--config",
                            second.configuration().toString()),
                    Map.of(),
                    "/health/ready");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SiteCe second(KillSite site) {
        Map<String, Object> settings = new HashMap<>(site.database().settings());
        SiteCe first = site.ce();
        settings.putAll(site.batch().settings());
        settings.put("gelato.node", "second");
        settings.put("gelato.jobs.lease-sweep-interval", SWEEPS);
        settings.put("gelato.sandbox-root", first.base().resolve("sandbox").toString());
        settings.put(
                "gelato.delegation.key-file",
                first.base().resolve("state/delegation.key").toString());
        settings.put("gelato.authorization.gridmap", first.gridmap().toString());
        settings.put("gelato.tls.ca-directory", first.pki().certificates().toString());
        settings.put("gelato.tls.voms-directory", first.pki().vomsdir().toString());
        return new SiteCe("history-second", site.batch().lrms(), site.batch().account(), settings);
    }

    /** Starts the second front end by the newer software. */
    void startSecond() {
        KillSite.start(second);
    }

    /** Whether its second front end began with older software. */
    boolean hasOlder() {
        return older != null;
    }

    KillSite first() {
        return site;
    }

    /** The file system of the database; null where it has none of its own. */
    SmallDisk disk() {
        return disk;
    }

    /** A job that writes its id into the witness file, sends messages, each with its job and number, and sleeps. */
    String job(int seconds, int messages) {
        String sends = messages == 0
                ? ""
                : "for i in `seq " + messages
                        + "`; do echo ${CREAM_JOBID##*/} $i; sleep 0.4; done | gelato-message --key step -; ";
        return site.job(sends, seconds);
    }

    boolean hasSecond() {
        return second != null;
    }

    /** The second front end. */
    SiteCe secondCe() {
        return second;
    }

    Relay secondFront() {
        return secondFront;
    }

    /** A user's proxy. */
    GridCredential proxy(String user, Duration lifetime) {
        return site.ce().pki().proxy(site.ce().pki().user(user)).lifetime(lifetime).make();
    }

    /** All CEs that clients speak to. */
    List<SiteCe> fronts() {
        return hasSecond() ? List.of(site.ce(), second) : List.of(site.ce());
    }

    /** Requests to one front end, past what can be cut. */
    HttpCalls calls(GridCredential proxy, int front) {
        SiteCe ce = fronts().get(front);
        return new HttpCalls(List.of(new HttpCalls.Front(ce.port(), new ClientTls(ce).of(proxy))));
    }

    /** Requests to the front ends, through what can be cut. */
    HttpCalls calls(GridCredential proxy) {
        List<HttpCalls.Front> fronts = new ArrayList<>();
        fronts.add(new HttpCalls.Front(site.front().port(), trust.computeIfAbsent(site.ce(), ClientTls::new).of(proxy)));
        if (hasSecond()) {
            fronts.add(new HttpCalls.Front(secondFront.port(), trust.computeIfAbsent(second, ClientTls::new).of(proxy)));
        }
        return new HttpCalls(fronts);
    }

    /** How often payloads began, by job. */
    Map<String, Integer> runs() {
        return KillSite.runs(site.witness()).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> Math.toIntExact(e.getValue())));
    }

    /** The usage records, by job. */
    Map<String, History.Usage> usage() {
        Map<String, History.Usage> usage = new HashMap<>();
        for (String row : site.database()
                .column("SELECT CONCAT_WS(' ', LPAD(job_number, " + DIGITS
                        + ", '0'), state, running_at IS NOT NULL) FROM usage_record")) {
            String[] words = row.split(" ");
            usage.put(
                    "CREAM" + words[0],
                    new History.Usage(JobState.ofCode(Integer.parseInt(words[1])), words[2].equals("1")));
        }
        return usage;
    }

    @Override
    public void close() {
        try {
            if (secondFront != null) {
                secondFront.close();
            }
            if (second != null) {
                second.close();
            }
        } finally {
            if (site != null) {
                site.close();
            }
            if (disk != null) {
                disk.close();
            }
        }
    }
}
