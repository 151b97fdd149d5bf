package org.gelato.ce.ws.arcrest;

import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.ClusterStatus;

/**
 * {@code GET /info}: the CE as GLUE 2, with one share for each queue and one for each queue and VO. Its numbers are those that
 * metrics and the monitor of the batch system have read last, so that a request costs no statement. What is not known is left out.
 */
public final class InfoDocument {
    private static final String INTERFACE = "org.nordugrid.arcrest";
    private static final List<String> CAPABILITIES = List.of(
            "executionmanagement.jobcreation",
            "executionmanagement.jobdescription",
            "executionmanagement.jobmanagement",
            "information.discovery.resource",
            "information.discovery.job",
            "information.lookup.job",
            "security.delegation");
    private static final Pattern VERSION = Pattern.compile("(.+?)-([0-9].*)");
    private static final Set<JobState> WAITING_HERE = Set.of(JobState.PENDING);
    private static final Set<JobState> WAITING = Set.of(JobState.IDLE, JobState.HELD);
    private static final Set<JobState> RUNNING = Set.of(JobState.RUNNING, JobState.REALLY_RUNNING);
    private static final Set<JobState> STAGING = Set.of(JobState.REGISTERED);

    private final URI baseUrl;
    private final String version;
    private final String lrms;
    private final List<String> queues;
    private final Numbers numbers;
    private final Instant startedAt;

    /**
     * What is known now; each returns at once.
     *
     * @param cluster of the batch system; empty before its first report
     * @param jobs that have not ended, by state, queue and VO; empty while the database does not respond
     * @param vos whose members are mapped here
     * @param software names of the runtime environments
     * @param accepting whether new jobs are accepted
     */
    public record Numbers(
            Supplier<Optional<ClusterStatus>> cluster,
            Supplier<List<JobStore.Present>> jobs,
            Supplier<Collection<String>> vos,
            Supplier<List<String>> software,
            Supplier<Boolean> accepting) {}

    /**
     * @param baseUrl {@code https://host:port} of the CE
     * @param version of this software
     * @param lrms the batch system's name
     * @param queues those that jobs may be submitted to
     */
    public InfoDocument(
            URI baseUrl, String version, String lrms, List<String> queues, Instant startedAt, Numbers numbers) {
        this.baseUrl = baseUrl;
        this.version = version;
        this.lrms = lrms;
        this.queues = List.copyOf(queues);
        this.startedAt = startedAt;
        this.numbers = numbers;
    }

    /** The document as of now. */
    Part now(Instant at) {
        ClusterStatus cluster = numbers.cluster().get().orElse(ClusterStatus.UNKNOWN);
        List<JobStore.Present> jobs = numbers.jobs().get();
        String host = baseUrl.getHost();
        Part.Builder service = entity("ComputingService", at)
                .with("ID", "urn:ogf:ComputingService:" + host + ":gelato")
                .with("Name", host);
        CAPABILITIES.forEach(capability -> service.with("Capability", capability));
        service.with("Type", "org.gelato.ce").with("QualityLevel", "production");
        counts(service, jobs, job -> true);
        service.with(endpoint(host, at));
        for (String queue : queues) {
            service.with(share(host, queue, null, cluster, jobs, at));
            for (String vo : numbers.vos().get()) {
                service.with(share(host, queue, vo, cluster, jobs, at));
            }
        }
        service.with(manager(host, cluster, at));
        Part domain = new Part.Builder("AdminDomain")
                .with("ID", "urn:ad:" + host)
                .with("Name", host)
                .with(Part.of("Services", List.of(service.build())))
                .build();
        return Part.of("InfoRoot", List.of(Part.of("Domains", List.of(domain))));
    }

    private Part endpoint(String host, Instant at) {
        String url = baseUrl + "/arex";
        Part.Builder endpoint = entity("ComputingEndpoint", at)
                .with("ID", "urn:ogf:ComputingEndpoint:" + host + ":rest:" + url)
                .with("Name", "ARC REST")
                .with("URL", url);
        CAPABILITIES.forEach(capability -> endpoint.with("Capability", capability));
        boolean accepting = numbers.accepting().get();
        return endpoint.with("Technology", "rest")
                .with("InterfaceName", INTERFACE)
                .with("InterfaceVersion", "1.1")
                .with("ImplementationName", "Gelato CE")
                .with("ImplementationVersion", version)
                .with("QualityLevel", "production")
                .with("HealthState", "ok")
                .with("ServingState", accepting ? "production" : "draining")
                .with("StartTime", startedAt.truncatedTo(ChronoUnit.SECONDS))
                .with("JobDescription", "emies:adl")
                .with("JobDescription", "nordugrid:xrsl")
                .build();
    }

    /** @param vo null for the queue as a whole */
    private Part share(
            String host, String queue, String vo, ClusterStatus cluster, List<JobStore.Present> jobs, Instant at) {
        // DIRAC looks for an id that ends in queue_vo, in lower case (docs/protocol/arc-rest.md, trap 10).
        String name = vo == null ? queue : queue + "_" + vo.toLowerCase(Locale.ROOT);
        Part.Builder share = entity("ComputingShare", at)
                .with("ID", "urn:ogf:ComputingShare:" + host + ":" + name)
                .with("Name", name)
                .with("MappingQueue", queue);
        cluster.queue(queue).ifPresent(q -> {
            share.with(
                    "MaxWallTime",
                    q.maxWallTime() == null ? null : q.maxWallTime().toSeconds());
            share.with("MaxRunningJobs", number(q.maxRunning()));
            share.with("FreeSlots", number(q.freeSlots()));
        });
        boolean open = numbers.accepting().get()
                && cluster.queue(queue).map(ClusterStatus.Queue::accepts).orElse(true);
        share.with("ServingState", open ? "production" : "draining");
        counts(share, jobs, job -> job.queue().equals(queue) && (vo == null || vo.equalsIgnoreCase(job.vo())));
        if (vo != null) {
            share.with(new Part.Builder("MappingPolicy")
                    .with("ID", "urn:ogf:MappingPolicy:" + host + ":basic:" + name)
                    .with("Scheme", "basic")
                    .with("Rule", "vo:" + vo)
                    .build());
        }
        return share.build();
    }

    private Part manager(String host, ClusterStatus cluster, Instant at) {
        return entity("ComputingManager", at)
                .with("ID", "urn:ogf:ComputingManager:" + host + ":" + lrms)
                .with("ProductName", lrms)
                .with("ProductVersion", cluster.version())
                .with("TotalSlots", number(cluster.slots()))
                .with("TotalLogicalCPUs", number(cluster.slots()))
                .with(Part.of(
                        "ApplicationEnvironments",
                        numbers.software().get().stream()
                                .map(name -> application(host, name, at))
                                .toList()))
                .build();
    }

    /** Clients take what follows the first hyphen before a digit for the version. */
    private static Part application(String host, String name, Instant at) {
        Matcher version = VERSION.matcher(name);
        boolean versioned = version.matches();
        return entity("ApplicationEnvironment", at)
                .with("ID", "urn:ogf:ApplicationEnvironment:" + host + ":" + name)
                .with("AppName", versioned ? version.group(1) : name)
                .with("AppVersion", versioned ? version.group(2) : null)
                .build();
    }

    private static void counts(Part.Builder of, List<JobStore.Present> jobs, Predicate<JobStore.Present> which) {
        of.with("TotalJobs", sum(jobs, which, state -> true))
                .with("RunningJobs", sum(jobs, which, RUNNING::contains))
                .with("WaitingJobs", sum(jobs, which, WAITING::contains))
                .with("StagingJobs", sum(jobs, which, STAGING::contains))
                .with("PreLRMSWaitingJobs", sum(jobs, which, WAITING_HERE::contains));
    }

    private static long sum(
            List<JobStore.Present> jobs, Predicate<JobStore.Present> which, Predicate<JobState> states) {
        return jobs.stream()
                .filter(which)
                .filter(job -> states.test(job.state()))
                .mapToLong(JobStore.Present::jobs)
                .sum();
    }

    private static Object number(OptionalInt value) {
        return value.isPresent() ? (Object) value.getAsInt() : null;
    }

    private static Part.Builder entity(String name, Instant at) {
        return new Part.Builder(
                name, Map.of("CreationTime", at.truncatedTo(ChronoUnit.SECONDS).toString(), "Validity", "60"));
    }
}
