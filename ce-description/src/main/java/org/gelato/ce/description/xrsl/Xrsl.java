package org.gelato.ce.description.xrsl;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.description.AttributeValue;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.DescriptionLanguage;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.Outline;
import org.gelato.ce.description.Place;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.SafeText;
import org.gelato.ce.description.SandboxItem;
import org.gelato.ce.description.SessionJobBuilder;
import org.gelato.ce.description.SessionJobBuilder.Program;
import org.gelato.ce.description.SessionJobBuilder.Stream;
import org.gelato.ce.description.SessionJobBuilder.Time;
import org.gelato.ce.description.xrsl.XrslReader.Relation;
import org.gelato.ce.description.xrsl.XrslReader.Value;

/**
 * Reads job descriptions in xRSL (docs/user/descriptions.md). Errors name the attribute as written, and its place in the
 * description. Stateless and thread-safe; bounded in size, depth and time for hostile input.
 */
public final class Xrsl implements DescriptionLanguage {
    /** The one instance. */
    public static final Xrsl LANGUAGE = new Xrsl();

    /** Attributes that are read, without underscores. */
    static final Set<String> READ = Set.of(
            "action",
            "arguments",
            "count",
            "countpernode",
            "cputime",
            "delegationid",
            "dryrun",
            "environment",
            "exclusiveexecution",
            "executable",
            "executables",
            "gmlog",
            "inputfiles",
            "jobname",
            "join",
            "lifetime",
            "memory",
            "outputfiles",
            "priority",
            "queue",
            "rerun",
            "rslsubstitution",
            "runtimeenvironment",
            "starttime",
            "stderr",
            "stdin",
            "stdout",
            "walltime");

    /** Attributes that are accepted with a warning. */
    static final Set<String> IGNORED = Set.of(
            "acl",
            "architecture",
            "benchmarks",
            "cache",
            "clientsoftware",
            "clientxrsl",
            "cluster",
            "credentialserver",
            "disk",
            "ftpthreads",
            "grammyjob",
            "gridtime",
            "hostcount",
            "hostname",
            "jobid",
            "jobreport",
            "label",
            "lrmstype",
            "maxcputime",
            "maxmemory",
            "maxtime",
            "maxwalltime",
            "middleware",
            "minmemory",
            "nodeaccess",
            "notify",
            "opsys",
            "project",
            "replicacollection",
            "resourcemanagercontact",
            "savestate",
            "sstdin",
            "subjobcommstype",
            "subjobstarttype");

    /** Read attributes whose values add up when they stand there several times. */
    private static final Set<String> MANY =
            Set.of("environment", "executables", "inputfiles", "outputfiles", "runtimeenvironment");

    /** Read attributes whose empty value is as none. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("queue", "stdin", "stdout", "stderr");

    /** How relations say that the value itself will do. */
    private static final String SATISFIED = "=GL";

    private static final Pattern PERIOD = Pattern.compile(
            "\\G[\\s,]*([0-9]{1,9})\\s*(weeks?|w|days?|d|hours?|h|minutes?|min|m|seconds?|sec|s)(?![a-z])");

    /** A URL with a mistake: it must not become a path. */
    private static final Pattern LIKE_A_URL = Pattern.compile("^\\s*[A-Za-z][A-Za-z0-9+.-]*:/");

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    /** What a number alone counts in a user's file; a CE that gets it counts seconds. */
    private static final Map<String, String> UNITS_OF_USERS =
            Map.of("cputime", "minutes", "walltime", "minutes", "lifetime", "days");

    private static final int MAX_OPTIONS = 16;

    private Xrsl() {}

    @Override
    public int code() {
        return 2;
    }

    @Override
    public String beginnings() {
        return "&+(";
    }

    @Override
    public List<String> split(String body, ReadingBudget budget) throws DescriptionException {
        return XrslReader.split(body);
    }

    @Override
    public JobRequest read(String text, ReadingBudget budget) throws DescriptionException {
        SessionJobBuilder job = new SessionJobBuilder();
        Map<String, Relation> single = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (Relation r : XrslReader.read(text, budget)) {
            try {
                if (!READ.contains(r.key()) && !IGNORED.contains(r.key())) {
                    throw new DescriptionException(r.name(), "unknown attribute");
                }
                if (SATISFIED.indexOf(r.operator()) < 0 && !IGNORED.contains(r.key())) {
                    throw new DescriptionException(
                            r.name(), "only '=', '>=' and '<=' are accepted, there is nothing to choose from here");
                }
                if (!seen.add(r.key()) && !MANY.contains(r.key()) && !IGNORED.contains(r.key())) {
                    throw new DescriptionException(r.name(), "given twice");
                }
                if (MAY_BE_EMPTY.contains(r.key()) && one(r).isEmpty()) {
                    continue;
                }
                switch (r.key()) {
                    case "executable", "arguments", "join" -> single.put(r.key(), r);
                    default -> take(job, r);
                }
            } catch (DescriptionException e) {
                throw Place.in(e, r.line(), r.column());
            }
        }
        return finished(job, single);
    }

    /**
     * What a client must know of a description.
     *
     * @throws DescriptionException for several, and for one that cannot be read
     */
    public static Outline outline(String text) throws DescriptionException {
        if (XrslReader.split(text).size() > 1) {
            throw Outline.several("xRSL");
        }
        List<Outline.Input> inputs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Relation r : XrslReader.read(text, ReadingBudget.UNBOUNDED)) {
            names.add(r.key());
            for (Value file : r.key().equals("inputfiles") ? r.values() : List.<Value>of()) {
                List<Value> pair = file.items() == null ? List.of() : file.items();
                String name = pair.isEmpty() ? null : pair.get(0).text();
                if (name != null && !name.isBlank()) {
                    inputs.add(new Outline.Input(
                            name, pair.size() == 1 ? null : pair.get(1).text()));
                }
            }
        }
        XrslLexer.Word first = new XrslLexer(text).next();
        return new Outline(inputs, names, first.type() == '&' ? first.end() : -1, "");
    }

    /**
     * A user's description as a CE is to get it: with units behind times that are numbers alone, which count minutes in the user's file
     * (days in {@code lifetime}), and seconds at a CE. All else stays as it is.
     *
     * @throws DescriptionException for several, and for one that cannot be read
     */
    public static String withUnits(String text) throws DescriptionException {
        StringBuilder more = new StringBuilder();
        int taken = 0;
        for (Relation r : XrslReader.read(text, ReadingBudget.UNBOUNDED)) {
            String unit = UNITS_OF_USERS.get(r.key());
            String value = r.values().size() == 1 ? r.values().get(0).text() : null;
            if (unit != null && value != null && NUMBER.matcher(value.trim()).matches()) {
                more.append(text, taken, r.begin()).append('"').append(value.trim());
                more.append(' ').append(unit).append('"');
                taken = r.end();
            }
        }
        return more.append(text, taken, text.length()).toString();
    }

    private static JobRequest finished(SessionJobBuilder job, Map<String, Relation> single)
            throws DescriptionException {
        Relation executable = single.get("executable");
        if (executable == null) {
            throw new DescriptionException("executable", "missing; every job has one");
        }
        Relation arguments = single.get("arguments");
        Relation join = single.get("join");
        Relation at = executable;
        try {
            String file = one(executable);
            List<String> words = List.of();
            if (arguments != null) {
                at = arguments;
                words = texts(arguments);
            }
            job.program(Program.PAYLOAD, at.name(), file, words);
            if (join != null) {
                at = join;
                if (AttributeValue.flag(join.name(), one(join))) {
                    job.join(join.name());
                }
            }
            at = executable;
            return job.build("executable", "inputfiles", "outputfiles");
        } catch (DescriptionException e) {
            throw Place.in(e, at.line(), at.column());
        }
    }

    private static void take(SessionJobBuilder job, Relation r) throws DescriptionException {
        String name = r.name();
        switch (r.key()) {
            case "count" -> job.slots(name, one(r));
            case "countpernode" -> job.slotsPerHost(name, one(r));
            case "action" -> {
                if (!one(r).equalsIgnoreCase("request")) {
                    throw new DescriptionException(name, "only request is accepted: a description is of a new job");
                }
            }
            case "cputime" -> time(job, r, Time.CPU);
            case "walltime" -> time(job, r, Time.WALL);
            case "lifetime" -> time(job, r, Time.LIFETIME);
            case "delegationid" -> job.delegation(name, one(r));
            case "exclusiveexecution" -> job.exclusive(name, one(r));
            case "gmlog" -> job.logDirectory(name, one(r));
            case "jobname" -> job.name(name, one(r));
            case "memory" -> job.memory(name, one(r), 1L << 20);
            case "dryrun" -> job.dryRun(name, one(r));
            case "priority" -> job.priority(name, one(r));
            case "starttime" -> job.start(name, one(r));
            case "queue" -> job.queue(name, one(r));
            case "rerun" -> job.reruns(name, one(r));
            case "stdin" -> job.stream(Stream.INPUT, name, one(r));
            case "stdout" -> job.stream(Stream.OUTPUT, name, one(r));
            case "stderr" -> job.stream(Stream.ERROR, name, one(r));
            case "executables" -> {
                for (String file : texts(r)) {
                    job.executable(name, file);
                }
            }
            case "environment" -> {
                for (List<String> pair : pairs(r, 2)) {
                    job.variable(name, pair.get(0), pair.get(1));
                }
            }
            case "inputfiles" -> {
                for (List<String> file : files(job, r)) {
                    job.inputFile(name, file.get(0), file.get(1));
                }
            }
            case "outputfiles" -> {
                for (List<String> file : files(job, r)) {
                    job.outputFile(name, file.get(0), target(job, name, file.get(1)));
                }
            }
            case "runtimeenvironment" -> {
                List<String> words = texts(r);
                if (words.isEmpty()) {
                    throw new DescriptionException(name, "the value is empty");
                }
                job.runtimeEnvironment(name, words.get(0), words.subList(1, words.size()), false);
            }
            default -> job.warn(name, "accepted, but nothing follows from it");
        }
    }

    private static String one(Relation r) throws DescriptionException {
        if (r.values().size() != 1 || r.values().get(0).text() == null) {
            throw new DescriptionException(r.name(), "one value is expected");
        }
        return r.values().get(0).text();
    }

    private static List<String> texts(Relation r) throws DescriptionException {
        List<String> texts = new ArrayList<>();
        for (Value value : r.values()) {
            if (value.text() == null) {
                throw new DescriptionException(r.name(), "values without brackets are expected");
            }
            texts.add(value.text());
        }
        return texts;
    }

    /** Names with their URLs; of the options behind a URL none is followed. */
    private static List<List<String>> files(SessionJobBuilder job, Relation r) throws DescriptionException {
        List<List<String>> files = pairs(r, MAX_OPTIONS + 2);
        for (List<String> file : files) {
            for (String option : file.subList(2, file.size())) {
                if (option.indexOf('=') < 1) {
                    throw new DescriptionException(
                            r.name(), "options such as \"cache=check\" are expected behind the URL");
                }
                job.warn(r.name(), "the option " + SafeText.of(option) + " of a URL is left out");
            }
        }
        return files;
    }

    /** Lists of a name, a value, and no more than {@code most} texts in all. */
    private static List<List<String>> pairs(Relation r, int most) throws DescriptionException {
        List<List<String>> pairs = new ArrayList<>();
        for (Value value : r.values()) {
            boolean pair = value.items() != null
                    && value.items().size() >= 2
                    && value.items().size() <= most
                    && value.items().stream().allMatch(item -> item.text() != null);
            if (!pair) {
                throw new DescriptionException(r.name(), "pairs such as (\"name\" \"value\") are expected");
            }
            pairs.add(value.items().stream().map(Value::text).toList());
        }
        return pairs;
    }

    /** A path is where the client saves the file. */
    private static String target(SessionJobBuilder job, String name, String given) {
        if (given.isBlank()
                || !SandboxItem.isLocal(given)
                || LIKE_A_URL.matcher(given).find()) {
            return given;
        }
        job.warn(name, "the target " + SafeText.of(given) + " is no URL: the file is kept for the client");
        return "";
    }

    private static void time(SessionJobBuilder job, Relation r, Time which) throws DescriptionException {
        String text = one(r).trim();
        job.time(which, r.name(), period(r.name(), text));
        if (NUMBER.matcher(text).matches()) {
            job.warn(
                    r.name(),
                    text + " counts seconds, as at A-REX, and " + UNITS_OF_USERS.get(r.key())
                            + " in a file that ce submit sends: write the unit behind it");
        }
    }

    /** A number alone counts seconds, as at A-REX (docs/developer/protocol/arc-rest.md); else numbers with units. */
    private static Duration period(String name, String text) throws DescriptionException {
        String lower = text.toLowerCase(Locale.ROOT);
        if (NUMBER.matcher(lower).matches()) {
            return Duration.ofSeconds(Long.parseLong(lower));
        }
        if (lower.startsWith("p")) {
            try {
                return Duration.parse(lower);
            } catch (DateTimeParseException e) {
                throw wrongPeriod(name, text);
            }
        }
        Duration sum = Duration.ZERO;
        int end = 0;
        Matcher m = PERIOD.matcher(lower);
        while (m.find()) {
            sum = sum.plus(unit(m.group(2).charAt(0)).multipliedBy(Long.parseLong(m.group(1))));
            end = m.end();
        }
        if (end == 0 || end != lower.length()) {
            throw wrongPeriod(name, text);
        }
        return sum;
    }

    private static Duration unit(char first) {
        return switch (first) {
            case 'w' -> Duration.ofDays(7);
            case 'd' -> Duration.ofDays(1);
            case 'h' -> Duration.ofHours(1);
            case 'm' -> Duration.ofMinutes(1);
            default -> Duration.ofSeconds(1);
        };
    }

    private static DescriptionException wrongPeriod(String name, String text) {
        return new DescriptionException(
                name, "\"" + SafeText.of(text) + "\" is no time; accepted are 90, \"1 hour 30 minutes\" and PT1H30M");
    }
}
