package org.gelato.ce.it.history.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.it.fault.SmallDisk;
import org.gelato.ce.it.kill.KillSite;
import org.gelato.ce.it.kill.KillableDatabase;
import org.gelato.ce.it.kill.Relay;
import org.gelato.ce.it.site.BatchSite;
import org.gelato.ce.it.site.DatabaseSite;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteIssuer;
import org.gelato.ce.testkit.pki.FurtherAuthority;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;

/** A {@link KillSite}, with a second front end on its database where a history wants one. */
public final class HistorySite implements AutoCloseable {
    private static final String SWEEPS = "2 s";

    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Map<SiteCe, ClientTls> trust = new ConcurrentHashMap<>();
    private final SmallDisk disk;
    private final Path older;
    private final SiteIssuer issuer = new SiteIssuer(GridPki.VO);
    private final Map<String, Object> more = new HashMap<>(issuer.trust());
    private FurtherAuthority otherAuthority;
    private KillSite site;
    private GaleraSite galera;
    private SiteCe second;
    private Relay secondFront;

    /**
     * A site.
     *
     * @param batch starts its batch system
     * @param database starts a database of another kind than one server on the disk; or null
     * @param frontEnds one or two
     * @param disk for the database, or null
     * @param older a clone of older software that was built: the second front end begins with it, on a database that it made; or null
     */
    public HistorySite(
            Supplier<BatchSite> batch, Supplier<DatabaseSite> database, int frontEnds, SmallDisk disk, Path older) {
        this.disk = disk;
        this.older = older;
        more.put("gelato.jobs.lease-sweep-interval", SWEEPS);
        try {
            DatabaseSite store = database == null
                    ? new KillableDatabase(disk == null ? Path.of("/var/tmp") : disk.directory(), older == null)
                    : database.get();
            galera = store instanceof GaleraSite cluster ? cluster : null;
            site = new KillSite("history", batch.get(), store, more, true, this::prepare);
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

    private void prepare(KillSite first) {
        issuer.map(first.ce());
        otherAuthority = first.ce().pki().further("Gelato Other CA");
        if (older != null) {
            startOlder(first);
        }
    }

    private void startOlder(KillSite first) {
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

    private SiteCe second(KillSite site) {
        Map<String, Object> settings = new HashMap<>(site.store().settings());
        settings.putAll(more);
        SiteCe first = site.ce();
        settings.putAll(site.batch().settings());
        settings.put("gelato.node", "second");
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
    public void startSecond() {
        KillSite.start(second);
    }

    /** Whether its second front end began with older software. */
    public boolean hasOlder() {
        return older != null;
    }

    public KillSite first() {
        return site;
    }

    /** Its database, where that is a Galera cluster; else null. */
    public GaleraSite galera() {
        return galera;
    }

    /** The file system of the database; null where it has none of its own. */
    public SmallDisk disk() {
        return disk;
    }

    /** A job that writes its id into the witness file, sends messages, each with its job and number, and sleeps. */
    public String job(int seconds, int messages) {
        String sends = messages == 0
                ? ""
                : "for i in `seq " + messages
                        + "`; do echo ${CREAM_JOBID##*/} $i; sleep 0.4; done | gelato-message --key step -; ";
        return site.job(sends, seconds);
    }

    public boolean hasSecond() {
        return second != null;
    }

    /** The second front end. */
    public SiteCe secondCe() {
        return second;
    }

    public Relay secondFront() {
        return secondFront;
    }

    /** A proxy of a user of a CA. A user of the issuer has one of the first CA. */
    public GridCredential proxy(Authority authority, String user, Duration lifetime) {
        GridPki pki = site.ce().pki();
        return pki.proxy(authority == Authority.OTHER_CA ? otherAuthority.user(user) : pki.user(user))
                .lifetime(lifetime)
                .make();
    }

    /** The CA that can be missed. */
    FurtherAuthority otherAuthority() {
        return otherAuthority;
    }

    /** All CEs that clients speak to. */
    public List<SiteCe> fronts() {
        return hasSecond() ? List.of(site.ce(), second) : List.of(site.ce());
    }

    /** Requests to one front end, past what can be cut. */
    public HttpCalls calls(GridCredential proxy, int front) {
        SiteCe ce = fronts().get(front);
        return new HttpCalls(List.of(new HttpCalls.Front(ce.port(), new ClientTls(ce).of(proxy))), null);
    }

    /** Requests to the front ends by a proxy, through what can be cut. */
    public HttpCalls calls(GridCredential proxy) {
        return calls(proxy, null);
    }

    /** The same by a token of the issuer alone. */
    public HttpCalls calls(String subject, Instant end) {
        return calls(null, issuer.token("localhost", subject, end));
    }

    private HttpCalls calls(GridCredential proxy, String token) {
        List<HttpCalls.Front> fronts = new ArrayList<>();
        fronts.add(new HttpCalls.Front(
                site.front().port(),
                trust.computeIfAbsent(site.ce(), ClientTls::new).of(proxy)));
        if (hasSecond()) {
            fronts.add(new HttpCalls.Front(
                    secondFront.port(),
                    trust.computeIfAbsent(second, ClientTls::new).of(proxy)));
        }
        return new HttpCalls(fronts, token);
    }

    /** How often payloads began, by job. */
    public Map<String, Integer> runs() {
        return KillSite.runs(site.witness()).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> Math.toIntExact(e.getValue())));
    }

    /** First column of what a query to its database returns. */
    public List<String> column(String query) {
        return site.store().column(query);
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
