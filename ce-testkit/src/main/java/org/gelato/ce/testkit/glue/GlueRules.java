package org.gelato.ce.testkit.glue;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules of glue-validator that a CE's entries can break, by its own names (docs/developer/protocol/glue2.md section 5), and those of the
 * schema that a directory does not check itself: keys that lead to an entry there is, and decimal numbers. Used once.
 */
public final class GlueRules {
    private static final Duration AHEAD = Duration.ofMinutes(2);
    private static final double TOLERATED = 0.1;
    private static final String UNLIMITED = "999999999";
    private static final String UNKNOWN = "444444";
    private static final String ENDLESS = "2146660842";
    private static final String SHARE = "GLUE2ComputingShare";
    private static final Pattern DOMAIN = Pattern.compile("GLUE2DomainID=([^,]+)");

    private static final Set<String> MULTI = Set.of(
            "objectClass",
            "GLUE2EntityOtherInfo",
            "GLUE2ServiceCapability",
            "GLUE2EndpointCapability",
            "GLUE2ServiceAdminDomainForeignKey",
            "GLUE2EndpointSupportedProfile",
            "GLUE2EndpointSemantics",
            "GLUE2EndpointTrustedCA",
            "GLUE2ComputingEndpointJobDescription",
            "GLUE2PolicyRule",
            "GLUE2PolicyUserDomainForeignKey",
            "GLUE2ShareEndpointForeignKey",
            "GLUE2ShareResourceForeignKey",
            "GLUE2ComputingShareComputingEndpointForeignKey",
            "GLUE2ComputingShareExecutionEnvironmentForeignKey");

    /** By class; those of the schema, and those whose absence the EGI profile warns of. */
    private static final Map<String, List<String>> MANDATORY = Map.of(
            "ApplicationEnvironment",
            List.of(
                    "ApplicationEnvironmentID",
                    "ApplicationEnvironmentAppName",
                    "ApplicationEnvironmentComputingManagerForeignKey"),
            "ComputingService",
            List.of(
                    "ServiceID",
                    "ServiceType",
                    "ServiceQualityLevel",
                    "ServiceAdminDomainForeignKey",
                    "ServiceCapability"),
            "ComputingEndpoint",
            List.of(
                    "EndpointID",
                    "EndpointURL",
                    "EndpointInterfaceName",
                    "EndpointQualityLevel",
                    "EndpointHealthState",
                    "EndpointServingState",
                    "EndpointServiceForeignKey",
                    "EndpointCapability",
                    "EndpointImplementationName",
                    "EndpointImplementationVersion",
                    "ComputingEndpointComputingServiceForeignKey"),
            "AccessPolicy",
            List.of("PolicyID", "PolicyScheme", "PolicyRule", "AccessPolicyEndpointForeignKey"),
            "ComputingShare",
            List.of(
                    "ShareID",
                    "ShareServiceForeignKey",
                    "ComputingShareServingState",
                    "ComputingShareMappingQueue",
                    "ComputingShareComputingServiceForeignKey",
                    "ComputingShareComputingEndpointForeignKey"),
            "MappingPolicy",
            List.of("PolicyID", "PolicyScheme", "PolicyRule", "MappingPolicyShareForeignKey"),
            "ComputingManager",
            List.of(
                    "ManagerID",
                    "ManagerProductName",
                    "ManagerServiceForeignKey",
                    "ComputingManagerComputingServiceForeignKey"),
            "ExecutionEnvironment",
            List.of(
                    "ResourceID",
                    "ResourceManagerForeignKey",
                    "ExecutionEnvironmentPlatform",
                    "ExecutionEnvironmentMainMemorySize",
                    "ExecutionEnvironmentOSFamily",
                    "ExecutionEnvironmentConnectivityIn",
                    "ExecutionEnvironmentConnectivityOut"),
            "Benchmark",
            List.of("BenchmarkID", "BenchmarkType", "BenchmarkValue"),
            "ToStorageService",
            List.of(
                    "ToStorageServiceID",
                    "ToStorageServiceLocalPath",
                    "ToStorageServiceRemotePath",
                    "ToStorageServiceComputingServiceForeignKey",
                    "ToStorageServiceStorageServiceForeignKey"));

    private static final Map<String, String> ENUMS = Map.of(
            "GLUE2EndpointServingState", "production|draining|queueing|closed",
            "GLUE2ComputingShareServingState", "production|draining|queueing|closed",
            "GLUE2EndpointHealthState", "ok|warning|critical|unknown|other",
            "GLUE2EndpointQualityLevel", "production|pre-production|testing|development",
            "GLUE2ServiceQualityLevel", "production|pre-production|testing|development",
            "GLUE2PolicyScheme", "basic|org\\.glite\\.standard",
            "GLUE2ExecutionEnvironmentConnectivityIn", "true|false",
            "GLUE2ExecutionEnvironmentConnectivityOut", "true|false");

    private static final Pattern WHOLE =
            Pattern.compile("GLUE2(EntityValidity|Computing(Service|Endpoint|Share|Manager)\\w*"
                    + "(Jobs|[lx]Time|UTime|Slots|CPUs|Memory)|ComputingShareMaxSlotsPerJob"
                    + "|ExecutionEnvironment(MainMemorySize|VirtualMemorySize|\\w*CPUs|\\w*Instances|CPUClockSpeed))");

    private final List<String> found = new ArrayList<>();
    private final List<LdifEntry> entries;
    private final Instant now;

    private GlueRules(List<LdifEntry> entries, Instant now) {
        this.entries = entries;
        this.now = now;
    }

    /**
     * What breaks a rule.
     *
     * @param entries of one CE
     * @return the rule's number, what breaks it and in which entry; empty for none
     */
    public static List<String> broken(List<LdifEntry> entries, Instant now) {
        GlueRules rules = new GlueRules(entries, now);
        entries.forEach(rules::check);
        rules.classes();
        rules.keys();
        return rules.found;
    }

    private void check(LdifEntry entry) {
        times(entry);
        placeholders(entry);
        values(entry);
        sums(entry);
        limits(entry);
        Matcher domain = DOMAIN.matcher(entry.dn());
        List<String> sites = entry.all("GLUE2ServiceAdminDomainForeignKey");
        if (domain.find() && !sites.isEmpty() && !sites.contains(domain.group(1))) {
            report("E026", "site " + sites, entry);
        }
    }

    private void times(LdifEntry entry) {
        Instant created = Instant.parse(entry.one("GLUE2EntityCreationTime"));
        long validity = Long.parseLong(entry.one("GLUE2EntityValidity"));
        if (created.isAfter(now.plus(AHEAD))) {
            report("E001", "made at " + created, entry);
        }
        if (created.plusSeconds(validity).isBefore(now)) {
            report("E002", "counted until " + created.plusSeconds(validity), entry);
        }
    }

    private void placeholders(LdifEntry entry) {
        entry.values().forEach((name, values) -> {
            for (String value : values) {
                if (value.equals(UNKNOWN)) {
                    report(name.endsWith("WaitingJobs") ? "E022" : "I096", name, entry);
                } else if (value.equals(ENDLESS)) {
                    report(name.contains("Average") ? "E023" : "E024", name, entry);
                } else if (value.equals(UNLIMITED)) {
                    report("I026", name, entry);
                } else if (value.equals("UNDEFINEDVALUE")) {
                    report("I000", name, entry);
                }
            }
        });
    }

    private void values(LdifEntry entry) {
        MANDATORY.forEach((name, attributes) -> attributes.stream()
                .filter(attribute ->
                        entry.is(name) && entry.all("GLUE2" + attribute).isEmpty())
                .forEach(attribute -> report("W034", "no GLUE2" + attribute, entry)));
        entry.values().forEach((name, values) -> {
            if (values.size() > 1 && !MULTI.contains(name)) {
                report("W036", name + " = " + values, entry);
            }
            for (String value : values) {
                if (!value.matches(ENUMS.getOrDefault(name, "(?s).*"))) {
                    report("W037", name + " = " + value, entry);
                }
                if (WHOLE.matcher(name).matches() && !value.matches("[0-9]{1,18}")) {
                    report("W037", name + " is no whole number: " + value, entry);
                }
            }
        });
        String benchmark = entry.one("GLUE2BenchmarkValue");
        if (benchmark != null && new BigDecimal(benchmark).signum() < 0) {
            report("W037", "benchmark " + benchmark, entry);
        }
    }

    private void sums(LdifEntry entry) {
        Map<String, String> rules =
                Map.of("GLUE2ComputingService", "W005", "GLUE2ComputingEndpoint", "W013", SHARE, "W025");
        rules.forEach((prefix, rule) -> {
            Long total = number(entry, prefix + "TotalJobs");
            long sum = 0;
            for (String part : List.of("Running", "Waiting", "Staging", "Suspended", "PreLRMSWaiting")) {
                Long jobs = number(entry, prefix + part + "Jobs");
                sum += jobs == null ? 0 : jobs;
            }
            if (total != null && Math.abs(total - sum) > TOLERATED * Math.max(total, sum)) {
                report(rule, total + " jobs, by state " + sum, entry);
            }
        });
    }

    private void limits(LdifEntry entry) {
        atMost(entry, "W015", "DefaultCPUTime", "MaxCPUTime");
        atMost(entry, "W018", "DefaultWallTime", "MaxWallTime");
        atMost(entry, "W021", "MaxRunningJobs", "MaxTotalJobs");
        atMost(entry, "W028", "MaxMainMemory", "MaxVirtualMemory");
    }

    private void atMost(LdifEntry entry, String rule, String less, String more) {
        Long one = number(entry, SHARE + less);
        Long other = number(entry, SHARE + more);
        if (one != null && other != null && one > other) {
            report(rule, less + " " + one + ", " + more + " " + other, entry);
        }
    }

    private static Long number(LdifEntry entry, String name) {
        return entry.one(name) == null ? null : Long.valueOf(entry.one(name));
    }

    /** Each entry has the classes above its own, and there is one of each kind that a CE has. */
    private void classes() {
        for (String needed : List.of("ComputingService", "ComputingEndpoint", "ComputingManager", "ComputingShare")) {
            if (entries.stream().noneMatch(entry -> entry.is(needed))) {
                found.add("E025 no " + needed);
            }
        }
        Map<String, String> above = Map.of(
                "ComputingService", "Service",
                "ComputingEndpoint", "Endpoint",
                "ComputingShare", "Share",
                "ComputingManager", "Manager",
                "ExecutionEnvironment", "Resource",
                "AccessPolicy", "Policy",
                "MappingPolicy", "Policy");
        for (LdifEntry entry : entries) {
            if (!entry.is("Entity")) {
                report("E025", "no class GLUE2Entity", entry);
            }
            above.forEach((name, base) -> {
                if (entry.is(name) && !entry.is(base)) {
                    report("E025", "no class GLUE2" + base, entry);
                }
            });
        }
    }

    /** Keys lead to entries of the CE; those of the site, its VOs and its storage to others'. */
    private void keys() {
        Map<String, String> ids = new HashMap<>();
        for (LdifEntry entry : entries) {
            String naming = entry.dn().substring(0, entry.dn().indexOf('='));
            ids.put(entry.one(naming), entry.dn());
        }
        for (LdifEntry entry : entries) {
            entry.values()
                    .forEach((name, values) -> values.stream()
                            .filter(value -> name.endsWith("ForeignKey")
                                    && !name.matches(
                                            "GLUE2(ServiceAdminDomain|PolicyUserDomain|ToStorageServiceStorageService)"
                                                    + "ForeignKey")
                                    && !ids.containsKey(value))
                            .forEach(value -> report("E000", name + " leads nowhere: " + value, entry)));
        }
    }

    private void report(String rule, String what, LdifEntry entry) {
        found.add(rule + " " + what + " in " + entry.dn());
    }
}
