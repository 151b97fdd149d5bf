package org.gelato.ce.ws.config;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.gelato.ce.ws.glue2.SiteFacts;

/** Reads what the site publishes about itself in the information system. */
final class InformationKeys {
    private static final String SECTION = "gelato.information";
    private static final String VOS = SECTION + ".vos";
    private static final int MAX_VOS = 1000;
    private static final int MAX_SECTIONS = 100;

    private static final Pattern VO = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");
    private static final Pattern BENCHMARK = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

    private InformationKeys() {}

    static SiteFacts read(Binder r) {
        List<String> queues = r.texts("gelato.lrms.queues");
        SiteFacts facts = r.read(
                SECTION,
                SiteFacts.class,
                vos(r),
                sections(
                        r,
                        "environments",
                        SiteFacts.Environment.class,
                        Map.of("queues", queues),
                        SiteFacts.Environment::name,
                        environment -> check(environment, queues)),
                sections(
                        r,
                        "queues",
                        SiteFacts.QueueLimits.class,
                        Map.of(),
                        SiteFacts.QueueLimits::queue,
                        limits -> check(limits, queues)),
                sections(r, "storage", SiteFacts.Storage.class, Map.of(), SiteFacts.Storage::id, storage -> {}));
        if (facts.location() != null) {
            degrees(r, "latitude", facts.location().latitude(), 90);
            degrees(r, "longitude", facts.location().longitude(), 180);
        }
        return facts;
    }

    private static List<String> vos(Binder r) {
        List<String> vos = r.texts(VOS);
        if (vos.size() > MAX_VOS || !vos.stream().allMatch(vo -> VO.matcher(vo).matches())) {
            r.refuse(VOS, "a list of at most " + MAX_VOS + " names of VOs");
        }
        return vos;
    }

    private static void degrees(Binder r, String key, String text, int most) {
        if (!text.isEmpty() && new BigDecimal(text).abs().compareTo(BigDecimal.valueOf(most)) > 0) {
            r.refuse(SECTION + ".location." + key, "from -" + most + " to " + most);
        }
    }

    /** Reads each section of a list; their names are different. */
    private static <T extends Record> List<T> sections(
            Binder r, String key, Class<T> type, Map<String, ?> defaults, Function<T, String> name, Consumer<T> check) {
        Set<String> names = new HashSet<>();
        return r.sections(SECTION + "." + key, MAX_SECTIONS, type, defaults, section -> {
            check.accept(section);
            if (!names.add(name.apply(section).toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(name.apply(section) + " is there twice");
            }
            return section;
        });
    }

    private static void check(SiteFacts.Environment environment, List<String> queues) {
        for (String queue : environment.queues()) {
            if (!queues.contains(queue)) {
                throw new IllegalArgumentException("queues: " + queue + " is not in gelato.lrms.queues");
            }
        }
        if (environment.virtualMemory() > 0 && environment.virtualMemory() < environment.memory()) {
            throw new IllegalArgumentException("virtual-memory is less than memory");
        }
        if (environment.logicalCpus() > 0 && environment.logicalCpus() < environment.physicalCpus()) {
            throw new IllegalArgumentException("logical-cpus is less than physical-cpus");
        }
        environment.benchmarks().forEach((type, value) -> {
            if (!BENCHMARK.matcher(type).matches() || !NUMBER.matcher(value).matches()) {
                throw new IllegalArgumentException(
                        "benchmarks are written { type = value }, such as { hep-spec06 = \"12.5\" }");
            }
        });
    }

    private static void check(SiteFacts.QueueLimits limits, List<String> queues) {
        if (!queues.contains(limits.queue())) {
            throw new IllegalArgumentException(limits.queue() + " is not in gelato.lrms.queues");
        }
        ordered("default-wall-time", limits.defaultWallTime(), "max-wall-time", limits.maxWallTime());
        ordered("default-cpu-time", limits.defaultCpuTime(), "max-cpu-time", limits.maxCpuTime());
        ordered("max-memory", limits.maxMemory(), "max-virtual-memory", limits.maxVirtualMemory());
    }

    private static <T extends Comparable<T>> void ordered(String less, T one, String more, T other) {
        if (one != null && other != null && one.compareTo(other) > 0) {
            throw new IllegalArgumentException(less + " is more than " + more);
        }
    }
}
