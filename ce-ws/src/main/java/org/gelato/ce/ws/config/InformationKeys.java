package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.gelato.ce.ws.glue2.SiteFacts;

/** Reads what the site publishes about itself in the information system. */
final class InformationKeys {
    private static final String BLOCK = "gelato.information.";
    private static final String ENVIRONMENTS = BLOCK + "environments";
    private static final String QUEUES = BLOCK + "queues";
    private static final String STORAGE = BLOCK + "storage";
    private static final String VOS = BLOCK + "vos";
    private static final int MOST_VOS = 1000;
    private static final int MOST_SECTIONS = 100;
    private static final int LONGEST = 255;
    private static final int MOST = 1_000_000_000;
    private static final Duration LONGEST_TIME = Duration.ofDays(3650);

    private static final Pattern SITE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Pattern VO = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");
    private static final Pattern TEXT = Pattern.compile("[^\\p{Cntrl}]{1," + LONGEST + "}");
    private static final Pattern BENCHMARK = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

    private InformationKeys() {}

    /** GLUE's levels of quality. */
    private enum Quality {
        DEVELOPMENT,
        PRE_PRODUCTION,
        PRODUCTION,
        TESTING
    }

    static SiteFacts read(ConfigReader r) {
        List<String> queues = r.texts("gelato.lrms.queues");
        return new SiteFacts(
                r.text(BLOCK + "site", SITE, "empty or the name of a site in GOCDB"),
                r.path(BLOCK + "file"),
                r.duration(BLOCK + "interval", Duration.ofSeconds(1), Duration.ofMinutes(5)),
                r.choice(BLOCK + "quality-level", Quality.class)
                        .name()
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-'),
                vos(r),
                location(r),
                sections(
                        r,
                        ENVIRONMENTS,
                        object -> environment(new Section(object), queues),
                        SiteFacts.Environment::name),
                sections(r, QUEUES, object -> queue(new Section(object), queues), SiteFacts.QueueLimits::queue),
                sections(r, STORAGE, object -> storage(new Section(object)), SiteFacts.Storage::id));
    }

    private static List<String> vos(ConfigReader r) {
        List<String> vos = r.texts(VOS);
        if (vos.size() > MOST_VOS || !vos.stream().allMatch(vo -> VO.matcher(vo).matches())) {
            r.refuse(VOS, "a list of at most " + MOST_VOS + " names of VOs");
        }
        return vos;
    }

    private static SiteFacts.Location location(ConfigReader r) {
        String block = BLOCK + "location.";
        SiteFacts.Location location = new SiteFacts.Location(
                r.text(block + "place", TEXT, "empty or the name of a town"),
                r.text(block + "country", TEXT, "empty or the name of a country"),
                degrees(r, block + "latitude", 90),
                degrees(r, block + "longitude", 180));
        return location.equals(new SiteFacts.Location("", "", "", "")) ? null : location;
    }

    private static String degrees(ConfigReader r, String key, int most) {
        String text = r.text(
                key, Pattern.compile("-?[0-9]{1,3}(\\.[0-9]{1,9})?"), "empty or decimal degrees, such as \"46.2\"");
        if (!text.isEmpty() && new BigDecimal(text).abs().compareTo(BigDecimal.valueOf(most)) > 0) {
            r.refuse(key, "from -" + most + " to " + most);
        }
        return text;
    }

    /** Reads each section of a list; their names are different. */
    private static <T> List<T> sections(
            ConfigReader r, String key, Function<ConfigObject, T> reader, Function<T, String> name) {
        List<? extends ConfigObject> all = r.objects(key);
        if (all.size() > MOST_SECTIONS) {
            r.refuse(key, "a list of at most " + MOST_SECTIONS + " sections");
        }
        List<T> read = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ConfigObject object : all) {
            try {
                T section = reader.apply(object);
                if (!names.add(name.apply(section).toLowerCase(Locale.ROOT))) {
                    throw new IllegalArgumentException(name.apply(section) + " is there twice");
                }
                read.add(section);
            } catch (ConfigException | IllegalArgumentException e) {
                r.problem(key + KeyNames.line(object) + ": " + e.getMessage());
            }
        }
        return read;
    }

    private static SiteFacts.Environment environment(Section s, List<String> queues) {
        s.knows(
                "name",
                "queues",
                "platform",
                "memory",
                "virtual-memory",
                "os-family",
                "os-name",
                "os-version",
                "cpu-vendor",
                "cpu-model",
                "cpu-clock",
                "physical-cpus",
                "logical-cpus",
                "instances",
                "inbound",
                "outbound",
                "benchmarks");
        SiteFacts.Environment environment = new SiteFacts.Environment(
                s.needed("name"),
                s.queues(queues),
                s.needed("platform"),
                s.number("memory", 1),
                s.number("virtual-memory", 0),
                s.needed("os-family"),
                s.text("os-name"),
                s.text("os-version"),
                s.text("cpu-vendor"),
                s.text("cpu-model"),
                s.number("cpu-clock", 0),
                s.number("physical-cpus", 0),
                s.number("logical-cpus", 0),
                s.number("instances", 0),
                s.flag("inbound"),
                s.flag("outbound"),
                benchmarks(s));
        if (environment.virtualMemory() > 0 && environment.virtualMemory() < environment.memory()) {
            throw new IllegalArgumentException("virtual-memory is less than memory");
        }
        if (environment.logicalCpus() > 0 && environment.logicalCpus() < environment.physicalCpus()) {
            throw new IllegalArgumentException("logical-cpus is less than physical-cpus");
        }
        return environment;
    }

    private static Map<String, String> benchmarks(Section s) {
        Map<String, String> benchmarks = new TreeMap<>();
        s.texts("benchmarks").forEach((type, value) -> {
            if (!BENCHMARK.matcher(type).matches() || !NUMBER.matcher(value).matches()) {
                throw new IllegalArgumentException(
                        "benchmarks are written { type = value }, such as { hep-spec06 = \"12.5\" }");
            }
            benchmarks.put(type, value);
        });
        return benchmarks;
    }

    private static SiteFacts.QueueLimits queue(Section s, List<String> queues) {
        s.knows(
                "queue",
                "max-wall-time",
                "default-wall-time",
                "max-cpu-time",
                "default-cpu-time",
                "max-slots-per-job",
                "max-memory",
                "max-virtual-memory",
                "max-total-jobs");
        SiteFacts.QueueLimits limits = new SiteFacts.QueueLimits(
                s.needed("queue"),
                s.time("max-wall-time"),
                s.time("default-wall-time"),
                s.time("max-cpu-time"),
                s.time("default-cpu-time"),
                s.optionalNumber("max-slots-per-job"),
                s.optionalNumber("max-memory"),
                s.optionalNumber("max-virtual-memory"),
                s.optionalNumber("max-total-jobs"));
        if (!queues.contains(limits.queue())) {
            throw new IllegalArgumentException(limits.queue() + " is not in gelato.lrms.queues");
        }
        ordered("default-wall-time", limits.defaultWallTime(), "max-wall-time", limits.maxWallTime());
        ordered("default-cpu-time", limits.defaultCpuTime(), "max-cpu-time", limits.maxCpuTime());
        ordered("max-memory", limits.maxMemory(), "max-virtual-memory", limits.maxVirtualMemory());
        return limits;
    }

    private static <T extends Comparable<T>> void ordered(String less, T one, String more, T other) {
        if (one != null && other != null && one.compareTo(other) > 0) {
            throw new IllegalArgumentException(less + " is more than " + more);
        }
    }

    private static SiteFacts.Storage storage(Section s) {
        s.knows("id", "local-path", "remote-path");
        String remote = s.text("remote-path");
        return new SiteFacts.Storage(s.needed("id"), s.needed("local-path"), remote.isEmpty() ? "none" : remote);
    }

    /** A section of a list. Errors are IllegalArgumentExceptions that name the key. */
    private record Section(ConfigObject object) {
        void knows(String... keys) {
            for (String key : object.keySet()) {
                if (!List.of(keys).contains(key)) {
                    throw new IllegalArgumentException(
                            "there is no key " + key + " here; there are " + String.join(", ", keys));
                }
            }
        }

        private Config config() {
            return object.toConfig();
        }

        String text(String key) {
            String text = config().hasPath(key) ? config().getString(key).strip() : "";
            if (!text.isEmpty() && !TEXT.matcher(text).matches()) {
                throw new IllegalArgumentException(key + " is not a text of one line of at most " + LONGEST);
            }
            return text;
        }

        String needed(String key) {
            String text = text(key);
            if (text.isEmpty()) {
                throw new IllegalArgumentException(key + " is missing");
            }
            return text;
        }

        /** @param least 0 for a number that may be absent, which is 0 then */
        int number(String key, int least) {
            int number = config().hasPath(key) ? config().getInt(key) : 0;
            if (number < least || number > MOST) {
                throw new IllegalArgumentException(key + " is not a whole number from " + least + " to " + MOST);
            }
            return number;
        }

        Integer optionalNumber(String key) {
            return config().hasPath(key) ? (Integer) number(key, 1) : null;
        }

        boolean flag(String key) {
            if (!config().hasPath(key)) {
                throw new IllegalArgumentException(key + " is missing: true or false");
            }
            return config().getBoolean(key);
        }

        Duration time(String key) {
            if (!config().hasPath(key)) {
                return null;
            }
            Duration time = config().getDuration(key);
            if (time.toSeconds() < 1 || time.compareTo(LONGEST_TIME) > 0) {
                throw new IllegalArgumentException(key + " is not a duration from 1 s to 3650 days");
            }
            return time;
        }

        List<String> queues(List<String> all) {
            List<String> named = config().hasPath("queues") ? List.copyOf(config().getStringList("queues")) : all;
            for (String queue : named) {
                if (!all.contains(queue)) {
                    throw new IllegalArgumentException("queues: " + queue + " is not in gelato.lrms.queues");
                }
            }
            return named;
        }

        Map<String, String> texts(String key) {
            Map<String, String> texts = new TreeMap<>();
            if (config().hasPath(key)) {
                config().getObject(key).forEach((name, value) -> texts.put(name, String.valueOf(value.unwrapped())));
            }
            return texts;
        }
    }
}
