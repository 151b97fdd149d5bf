package org.gelato.ce.ws.glue2;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.gelato.ce.core.accounting.Benchmarks;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.testkit.glue.LdifEntry;
import org.gelato.ce.testkit.glue.LdifReader;

/** A CE whose every fact a test may change before it is described. */
final class SampleCe {
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    String host = "ce.example.org";
    List<String> queues = List.of("long", "short");
    Collection<String> vos = List.of("atlas", "dteam");
    Optional<ClusterStatus> cluster = Optional.of(new ClusterStatus(
            "22.05",
            OptionalInt.of(500),
            OptionalInt.of(120),
            List.of(
                    queue("long", true, true, Duration.ofDays(2), OptionalInt.of(400)),
                    queue("short", true, true, null, OptionalInt.empty()))));
    Optional<List<JobStore.Present>> jobs = Optional.of(List.of(
            present(JobState.REGISTERED, "long", "dteam", 1),
            present(JobState.PENDING, "long", "dteam", 2),
            present(JobState.IDLE, "long", "dteam", 4),
            present(JobState.HELD, "long", "dteam", 8),
            present(JobState.RUNNING, "long", "dteam", 16),
            present(JobState.REALLY_RUNNING, "long", "dteam", 32),
            present(JobState.REALLY_RUNNING, "long", "atlas", 64),
            present(JobState.REALLY_RUNNING, "long", null, 128)));
    List<String> software = List.of("ENV/PROXY", "APPS/HEP/ATLAS-21.0.3");
    boolean accepting = true;
    List<Drain> drains = new ArrayList<>();
    Readings.Health health = Readings.Health.OK;
    Benchmarks accounted = new Benchmarks(List.of());
    String issuer = "/DC=org/DC=example/CN=CA";
    SiteFacts site = site("EXAMPLE-SITE");

    static ClusterStatus.Queue queue(
            String name, boolean accepts, boolean starts, Duration maxWallTime, OptionalInt maxRunning) {
        return new ClusterStatus.Queue(
                name, accepts, starts, OptionalInt.of(500), OptionalInt.of(120), maxWallTime, maxRunning);
    }

    static JobStore.Present present(JobState state, String queue, String vo, long jobs) {
        return new JobStore.Present(state, "slurm", queue, vo, 1, jobs);
    }

    static SiteFacts site(String name) {
        return new SiteFacts(
                name,
                Path.of("glue2.ldif"),
                Duration.ofMinutes(1),
                "production",
                List.of(),
                new SiteFacts.Location("Meyrin", "Switzerland", "46.23", "6.05"),
                List.of(new SiteFacts.Environment(
                        "epyc",
                        List.of("long", "short"),
                        "x86_64",
                        256_000,
                        0,
                        "linux",
                        "AlmaLinux",
                        "9.4",
                        "",
                        "",
                        2450,
                        64,
                        128,
                        4,
                        false,
                        true,
                        Map.of("hep-spec06", "12.5", "HEPscore23", "14"))),
                List.of(new SiteFacts.QueueLimits(
                        "long",
                        Duration.ofDays(3),
                        Duration.ofHours(60),
                        Duration.ofDays(4),
                        Duration.ofDays(1),
                        64,
                        4000,
                        8000,
                        300)),
                List.of(new SiteFacts.Storage("se.example.org", "/cvmfs", "none")));
    }

    Glue2Model model() {
        return new Glue2Model(
                URI.create("https://" + host + ":8443"),
                "0.10.0",
                "slurm",
                queues,
                NOW.minusSeconds(3600),
                () -> issuer,
                site,
                new Readings(
                        () -> cluster,
                        () -> jobs,
                        () -> vos,
                        () -> software,
                        () -> accepting,
                        () -> drains,
                        () -> health,
                        named -> accounted.common(named, NOW)));
    }

    String ldif() {
        return Ldif.of(model().service(), NOW);
    }

    List<LdifEntry> entries() {
        return LdifReader.read(ldif());
    }

    /** The one entry of a class whose id ends so. */
    LdifEntry entry(String glueClass, String end) {
        List<LdifEntry> found = entries().stream()
                .filter(e -> e.is(glueClass)
                        && e.values().entrySet().stream()
                                .anyMatch(v -> e.dn().startsWith(v.getKey() + "=")
                                        && v.getValue().get(0).endsWith(end)))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " entries of class " + glueClass + " end in " + end);
        }
        return found.get(0);
    }
}
