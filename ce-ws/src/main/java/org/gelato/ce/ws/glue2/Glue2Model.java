package org.gelato.ce.ws.glue2;

import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.ws.glue2.Entity.Audience;

/**
 * The CE as GLUE 2 (docs/developer/protocol/glue2.md section 2). Values are configured or were read by metrics and the monitor of the batch
 * system, so that describing the CE costs no statement; what is not known is left out, and no placeholder takes its place. Any
 * thread.
 */
public final class Glue2Model {
    /** The interface that ARC's clients speak. */
    public static final String ARC_REST = "org.nordugrid.arcrest";

    /** Seconds for which what an entity says is to be believed. */
    public static final int VALIDITY = 3600;

    /** A directory of a site may be of 25 MB in all; a share and its policy have one or two kB. */
    static final int MAX_SHARES = 5000;

    private static final String CREAM = "org.glite.ce.CREAM";
    private static final List<String> ARC_CAPABILITIES = List.of(
            "executionmanagement.jobcreation",
            "executionmanagement.jobdescription",
            "executionmanagement.jobmanagement",
            "information.discovery.resource",
            "information.discovery.job",
            "information.lookup.job",
            "security.delegation");
    private static final String CREAM_CAPABILITY = "executionmanagement.jobexecution";

    private static final Pattern VERSION = Pattern.compile("(.+?)-([0-9].*)");

    private final URI baseUrl;
    private final String host;
    private final String version;
    private final String lrms;
    private final List<String> queues;
    private final Instant startedAt;
    private final Supplier<String> issuer;
    private final SiteFacts site;
    private final Readings readings;

    /**
     * @param baseUrl {@code https://host:port} of the CE
     * @param version of this software
     * @param lrms the batch system's name
     * @param queues those that jobs may be submitted to
     * @param issuer of the host certificate, in slash form, as of now; null when unknown
     */
    public Glue2Model(
            URI baseUrl,
            String version,
            String lrms,
            List<String> queues,
            Instant startedAt,
            Supplier<String> issuer,
            SiteFacts site,
            Readings readings) {
        this.baseUrl = baseUrl;
        this.host = baseUrl.getHost();
        this.version = version;
        this.lrms = lrms;
        this.queues = List.copyOf(queues);
        this.startedAt = startedAt.truncatedTo(ChronoUnit.SECONDS);
        this.issuer = issuer;
        this.site = site;
        this.readings = readings;
    }

    /** The host name in all ids. */
    public String host() {
        return host;
    }

    /** The service, with everything below it, as of now. */
    public Entity service() {
        return new Snapshot().service();
    }

    /** One description: everything in it is of the same readings. */
    private final class Snapshot {
        private final ClusterStatus cluster = readings.cluster().get().orElse(ClusterStatus.UNKNOWN);
        private final Optional<List<JobStore.Present>> jobs = readings.jobs().get();
        private final SortedMap<String, Collection<String>> vos = vos();
        private final boolean accepting = readings.accepting().get();
        private final Ids ids = new Ids();
        private final String serviceId = id("ComputingService", "gelato");
        private final String managerId = id("ComputingManager", lrms);
        // DIRAC takes a CE for ARC's when the id of its endpoint has "emies" in it (docs/developer/protocol/glue2.md
        // section 4).
        private final String arcId = id("ComputingEndpoint", "rest:emies-adl:" + arcUrl());
        private final String creamId = id("ComputingEndpoint", "cream:" + creamUrl());
        private final Map<SiteFacts.Environment, String> environmentIds =
                new TreeMap<>((a, b) -> a.name().compareTo(b.name()));

        private Snapshot() {
            for (SiteFacts.Environment environment : site.environments()) {
                environmentIds.put(environment, id("ExecutionEnvironment", environment.name()));
            }
        }

        private String id(String kind, String name) {
            return ids.of("urn:ogf:" + kind + ":" + host + ":" + name);
        }

        /** Consumers compare ids without regard to case, so VOs that differ by it alone have one share. */
        private SortedMap<String, Collection<String>> vos() {
            SortedMap<String, Collection<String>> byLowerCase = new TreeMap<>();
            Collection<String> all = site.vos().isEmpty() ? readings.vos().get() : site.vos();
            all.forEach(vo -> byLowerCase
                    .computeIfAbsent(vo.toLowerCase(Locale.ROOT), lower -> new TreeSet<>())
                    .add(vo));
            return byLowerCase;
        }

        private Entity service() {
            List<Entity> shares = shares();
            long published = shares.stream()
                    .filter(share -> share.audience() != Audience.DOCUMENT)
                    .count();
            Entity.Builder service = new Entity.Builder(Kind.COMPUTING_SERVICE, serviceId)
                    .with("Name", host)
                    .withEach("Capability", ARC_CAPABILITIES)
                    .with("Capability", CREAM_CAPABILITY)
                    .with("Type", CREAM)
                    .with("QualityLevel", site.quality())
                    .with(
                            "Complexity",
                            "endpointType=2, share=" + published + ", resource="
                                    + site.environments().size());
            JobTotals.of(jobs, job -> true).ifPresent(numbers -> numbers.addTo(service));
            service.inDirectory("GLUE2ServiceAdminDomainForeignKey", site.site());
            if (site.location() != null) {
                service.with(location(site.location()));
            }
            service.with(arcEndpoint()).with(creamEndpoint());
            shares.forEach(service::with);
            service.with(manager());
            site.storage().forEach(storage -> service.with(storage(storage)));
            return service.build();
        }

        private Entity location(SiteFacts.Location location) {
            return new Entity.Builder(Kind.LOCATION, id("Location", "site"))
                    .with("Place", location.place())
                    .with("Country", location.country())
                    .with("Latitude", location.latitude())
                    .with("Longitude", location.longitude())
                    .inDirectory("GLUE2LocationServiceForeignKey", serviceId)
                    .build();
        }

        private String arcUrl() {
            return baseUrl + "/arex";
        }

        private String creamUrl() {
            return baseUrl + "/ce-cream/services";
        }

        private Entity arcEndpoint() {
            Entity.Builder endpoint = endpoint(arcId, "ARC REST", arcUrl(), ARC_CAPABILITIES, "rest", ARC_REST, "1.1");
            return endpoint.with("JobDescription", "emies:adl")
                    .with("JobDescription", "nordugrid:xrsl")
                    .build();
        }

        /** ARC's clients would try to submit by it, and know no such interface: no document has it. */
        private Entity creamEndpoint() {
            return endpoint(creamId, "CREAM2", creamUrl(), List.of(CREAM_CAPABILITY), "webservice", CREAM, "2.1")
                    .seenBy(Audience.DIRECTORY)
                    .with("JobDescription", "glite:jdl")
                    .build();
        }

        private Entity.Builder endpoint(
                String id,
                String name,
                String url,
                List<String> capabilities,
                String technology,
                String interfaceName,
                String interfaceVersion) {
            Entity.Builder endpoint = new Entity.Builder(Kind.COMPUTING_ENDPOINT, id)
                    .with("Name", name)
                    .with("URL", url)
                    .withEach("Capability", capabilities)
                    .with("Technology", technology)
                    .with("InterfaceName", interfaceName)
                    .with("InterfaceVersion", interfaceVersion)
                    .with("ImplementationName", "Gelato CE")
                    .with("ImplementationVersion", version)
                    .with("QualityLevel", site.quality())
                    .with("HealthState", readings.health().get().name().toLowerCase(Locale.ROOT))
                    .with("ServingState", accepting ? "production" : "draining")
                    .with("StartTime", startedAt)
                    .with("IssuerCA", issuer.get())
                    .with("Staging", "staginginout")
                    .inDirectory("GLUE2EndpointServiceForeignKey", serviceId)
                    .inDirectory("GLUE2ComputingEndpointComputingServiceForeignKey", serviceId);
            if (!vos.isEmpty()) {
                Entity.Builder policy = policy(
                        Kind.ACCESS_POLICY,
                        ids.of(id + ":policy"),
                        vos.values().stream().flatMap(Collection::stream).toList());
                endpoint.with(policy.inDirectory("GLUE2AccessPolicyEndpointForeignKey", id)
                        .build());
            }
            return endpoint;
        }

        /** Some clients look for {@code VO:name}, some for {@code vo:name}, each with its case. */
        private Entity.Builder policy(Kind kind, String id, Collection<String> names) {
            Entity.Builder policy = new Entity.Builder(kind, id).with("Scheme", "basic");
            names.forEach(vo -> policy.with("Rule", "vo:" + vo)
                    .inDirectory("GLUE2PolicyRule", "VO:" + vo)
                    .inDirectory("GLUE2PolicyUserDomainForeignKey", vo));
            return policy;
        }

        private List<Entity> shares() {
            List<Entity> shares = new ArrayList<>();
            for (String queue : queues) {
                shares.add(share(queue, null, List.of()));
                vos.forEach((name, spellings) -> shares.add(share(queue, name, spellings)));
            }
            return shares.size() <= MAX_SHARES ? shares : shares.subList(0, MAX_SHARES);
        }

        /**
         * A share of a queue.
         *
         * @param vo in lower case; null for the queue as a whole, which only a document has beside those of VOs
         * @param spellings names of the VO
         */
        private Entity share(String queue, String vo, Collection<String> spellings) {
            // DIRAC looks for an id that ends in queue_vo, in lower case (docs/developer/protocol/arc-rest.md, trap
            // 10).
            String name = vo == null ? queue : queue + "_" + vo;
            String id = id("ComputingShare", name);
            Optional<ClusterStatus.Queue> reported = cluster.queue(queue);
            Entity.Builder share = new Entity.Builder(Kind.COMPUTING_SHARE, id)
                    .seenBy(vo == null && !vos.isEmpty() ? Audience.DOCUMENT : Audience.ALL)
                    .with("Name", name)
                    .with("MappingQueue", queue);
            new QueueNumbers(site.limits(queue).orElse(SiteFacts.QueueLimits.none(queue)), reported).addTo(share);
            share.with("ServingState", servingState(queue, spellings, reported));
            JobTotals.of(jobs, job -> job.queue().equals(queue) && (vo == null || vo.equalsIgnoreCase(job.vo())))
                    .ifPresent(numbers -> numbers.addTo(share));
            share.inDirectory(
                            "GLUE2EntityOtherInfo",
                            "CREAMCEId=" + baseUrl.getAuthority() + "/cream-" + lrms + "-" + queue)
                    .inDirectory("GLUE2EntityOtherInfo", "ServiceType=" + CREAM)
                    .inDirectory("GLUE2ShareServiceForeignKey", serviceId)
                    .inDirectory("GLUE2ComputingShareComputingServiceForeignKey", serviceId);
            // Not GLUE2ShareEndpointForeignKey too: DIRAC knows no kind of CE by it but HTCondor's, and fails for ids
            // without a dot.
            share.inDirectory("GLUE2ComputingShareComputingEndpointForeignKey", arcId)
                    .inDirectory("GLUE2ComputingShareComputingEndpointForeignKey", creamId);
            environmentIds.forEach((environment, key) -> {
                if (environment.queues().contains(queue)) {
                    share.inDirectory("GLUE2ShareResourceForeignKey", key)
                            .inDirectory("GLUE2ComputingShareExecutionEnvironmentForeignKey", key);
                }
            });
            if (vo != null) {
                Entity.Builder policy = policy(Kind.MAPPING_POLICY, id("MappingPolicy", "basic:" + name), spellings);
                share.with(policy.inDirectory("GLUE2MappingPolicyShareForeignKey", id)
                        .build());
            }
            return share.build();
        }

        private String servingState(String queue, Collection<String> vo, Optional<ClusterStatus.Queue> reported) {
            boolean drained = readings.drains().get().stream().anyMatch(drain -> switch (drain.part()) {
                case ALL -> true;
                case QUEUE -> drain.name().equals(queue);
                case VO -> vo.contains(drain.name());
            });
            boolean accepts = accepting
                    && !drained
                    && reported.map(ClusterStatus.Queue::accepts).orElse(true);
            boolean starts = reported.map(ClusterStatus.Queue::starts).orElse(true);
            if (accepts) {
                return starts ? "production" : "queueing";
            }
            return starts ? "draining" : "closed";
        }

        private Entity manager() {
            Integer slots = QueueNumbers.number(cluster.slots());
            Entity.Builder manager = new Entity.Builder(Kind.COMPUTING_MANAGER, managerId)
                    .with("ProductName", lrms)
                    .with("ProductVersion", cluster.version())
                    .with("TotalSlots", slots)
                    .with("TotalLogicalCPUs", slots)
                    .inDirectory("GLUE2ManagerServiceForeignKey", serviceId)
                    .inDirectory("GLUE2ComputingManagerComputingServiceForeignKey", serviceId);
            environmentIds.forEach((environment, id) -> manager.with(environment(environment, id)));
            readings.software().get().forEach(name -> manager.with(application(name)));
            return manager.build();
        }

        private Entity environment(SiteFacts.Environment e, String id) {
            Entity.Builder environment = new Entity.Builder(Kind.EXECUTION_ENVIRONMENT, id)
                    .with("Name", e.name())
                    .with("Platform", e.platform())
                    .with("TotalInstances", positive(e.instances()))
                    .with("PhysicalCPUs", positive(e.physicalCpus()))
                    .with("LogicalCPUs", positive(e.logicalCpus()))
                    .with("CPUVendor", e.cpuVendor())
                    .with("CPUModel", e.cpuModel())
                    .with("CPUClockSpeed", positive(e.clock()))
                    .with("MainMemorySize", e.memory())
                    .with("VirtualMemorySize", positive(e.virtualMemory()))
                    .with("OSFamily", e.osFamily())
                    .with("OSName", e.osName())
                    .with("OSVersion", e.osVersion())
                    .with("ConnectivityIn", e.inbound())
                    .with("ConnectivityOut", e.outbound())
                    .inDirectory("GLUE2ResourceManagerForeignKey", managerId)
                    .inDirectory("GLUE2ExecutionEnvironmentComputingManagerForeignKey", managerId);
            benchmarks(e)
                    .forEach((type, value) ->
                            environment.with(new Entity.Builder(Kind.BENCHMARK, id("Benchmark", e.name() + ":" + type))
                                    .with("Type", type)
                                    .with("Value", value)
                                    .inDirectory("GLUE2BenchmarkExecutionEnvironmentForeignKey", id)
                                    .build()));
            return environment.build();
        }

        /** The site's own, by GLUE's names of their types; otherwise those that its accounting goes by. */
        private Map<String, String> benchmarks(SiteFacts.Environment e) {
            if (!e.benchmarks().isEmpty()) {
                return e.benchmarks();
            }
            Map<String, String> accounted = new TreeMap<>();
            readings.benchmarks()
                    .apply(e.queues())
                    .forEach((kind, value) -> accounted.put(
                            switch (kind) {
                                case HEPSCORE23 -> "HEPscore23";
                                case HEPSPEC -> "hep-spec06";
                                case SI2K -> "specint2000";
                            },
                            value.toPlainString()));
            return accounted;
        }

        /** Clients take what follows the first hyphen before a digit for the version. */
        private Entity application(String name) {
            Matcher version = VERSION.matcher(name);
            boolean versioned = version.matches();
            return new Entity.Builder(Kind.APPLICATION_ENVIRONMENT, id("ApplicationEnvironment", name))
                    .with("AppName", versioned ? version.group(1) : name)
                    .with("AppVersion", versioned ? version.group(2) : null)
                    .inDirectory("GLUE2ApplicationEnvironmentComputingManagerForeignKey", managerId)
                    .build();
        }

        private static Integer positive(int number) {
            return number > 0 ? number : null;
        }

        private Entity storage(SiteFacts.Storage storage) {
            return new Entity.Builder(Kind.TO_STORAGE_SERVICE, id("ToStorageService", storage.id()))
                    .with("LocalPath", storage.localPath())
                    .with("RemotePath", storage.remotePath())
                    .inDirectory("GLUE2ToStorageServiceComputingServiceForeignKey", serviceId)
                    .inDirectory("GLUE2ToStorageServiceStorageServiceForeignKey", storage.id())
                    .build();
        }
    }
}
