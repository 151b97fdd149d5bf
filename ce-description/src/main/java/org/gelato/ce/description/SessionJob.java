package org.gelato.ce.description;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A job with a session directory, as ADL and xRSL describe it; methods take the attribute that their errors show. Not thread-safe. */
public final class SessionJob {
    private static final String ALL = "/";
    private static final String KEPT = "gsiftp://localhost";
    private static final String WILDCARDS = "*?[]";
    /** A site may have programs for more than a wrapper transfers itself; which, is checked when the job is registered. */
    private static final Set<String> SOURCES = with(Set.of("gsiftp", "http", "https"));

    private static final Set<String> TARGETS = with(Set.of("gsiftp", "https"));
    private static final int MAX_URL = 4096;
    private static final int MAX_RUNTIME_ENVIRONMENTS = 16;
    /** Input files from servers, and output files to servers; what clients upload is bounded by what a sandbox may hold. */
    private static final int MAX_TRANSFERS = 1000;

    private static final long MAX_SECONDS = Duration.ofDays(3650).toSeconds();

    /** Before the options, they, a port behind them, and the path. */
    private static final Pattern URL_OPTIONS =
            Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://[^/?#;]*);([^/?#]*?)(:[0-9]+)?((?:[/?#].*)?)", Pattern.DOTALL);

    private static final DateTimeFormatter START = DateTimeFormatter.ofPattern(
                    "[uuuuMMddHHmmss][uuuu-MM-dd['T'][' ']HH:mm[:ss[.SSS]]][XXX]", Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private final List<String> warnings = new ArrayList<>();
    /** By path; null for what the client uploads. */
    private final Map<String, String> inputs = new LinkedHashMap<>();
    /** Targets as given, by path. */
    private final Map<String, String> outputs = new LinkedHashMap<>();

    private final Map<String, JobRequest.Ends> sentAfter = new HashMap<>();

    private final Set<String> programs = new LinkedHashSet<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<JobRequest.RuntimeEnvironment> runtimeEnvironments = new ArrayList<>();
    private JobRequest.Executable executable;
    private JobRequest.Executable prologue;
    private JobRequest.Executable epilogue;
    private String input;
    private String output;
    private String error;
    private String queue;
    private Integer cpus;
    private Integer perHost;
    private boolean wholeNodes;
    private Duration wallTime;
    private Duration cpuTime;
    private Duration slotTime;
    private Long memory;
    private String name;
    private final List<String> labels = new ArrayList<>();
    private String logDirectory;
    private String delegationId;
    private Duration lifetime;
    private Integer reruns;
    private Integer priority;
    private Instant start;
    private boolean dryRun;
    private int fetched;
    private int sent;

    /** A program of the job. */
    public enum Program {
        PAYLOAD,
        BEFORE,
        AFTER
    }

    /** What is accepted, but not done. */
    public void warn(String attribute, String reason) {
        if (warnings.size() < EnvironmentRule.MAX_WARNINGS) {
            warnings.add(attribute + ": " + reason);
        }
    }

    /** @param arguments each passed on as it is */
    public void program(Program which, String attribute, String file, List<String> arguments)
            throws DescriptionException {
        StringBuilder words = new StringBuilder();
        for (String argument : arguments) {
            words.append(words.length() == 0 ? "'" : " '")
                    .append(text(attribute, argument).replace("'", "'\\''"))
                    .append('\'');
        }
        ShellWords.parse(attribute, words.toString());
        JobRequest.Executable program = new JobRequest.Executable(read(attribute, file), words.toString());
        switch (which) {
            case PAYLOAD -> executable = program;
            case BEFORE -> prologue = program;
            case AFTER -> epilogue = program;
        }
    }

    /** The file the job reads. */
    public void input(String attribute, String file) throws DescriptionException {
        input = read(attribute, file);
    }

    /** The file of standard output. */
    public void output(String attribute, String file) throws DescriptionException {
        output = written(attribute, file);
    }

    /** The file of standard error. */
    public void error(String attribute, String file) throws DescriptionException {
        error = written(attribute, file);
    }

    /** Standard error goes where standard output goes. */
    public void join(String attribute) throws DescriptionException {
        if (error != null && !error.equals(output)) {
            throw new DescriptionException(attribute, "standard error has a file of its own: leave out one of them");
        }
        if (output == null) {
            throw new DescriptionException(attribute, "standard output has no file");
        }
        error = output;
    }

    /** @param source a URL; null or empty, or a path on the client's side, when the client uploads the file */
    public void inputFile(String attribute, String file, String source) throws DescriptionException {
        String local = below(attribute, file);
        boolean remote = source != null && !SandboxItem.isLocal(source);
        String url = remote ? server(attribute, source, SOURCES, "gsiftp, http, https and a site's", ++fetched) : null;
        if (inputs.containsKey(local)) {
            throw new DescriptionException(attribute, "two input files have the name " + Excerpt.of(local));
        }
        inputs.put(local, url);
    }

    /** An input file is a program. */
    public void executable(String attribute, String file) throws DescriptionException {
        programs.add(below(attribute, file));
    }

    /** The same, sent after each end of the job. */
    public void outputFile(String attribute, String file, String target) throws DescriptionException {
        outputFile(attribute, file, target, JobRequest.Ends.ALL);
    }

    /**
     * @param target a URL; null or empty when the file is kept for the client
     * @param ends after which it goes there; after others it is kept for the client
     */
    public void outputFile(String attribute, String file, String target, JobRequest.Ends ends)
            throws DescriptionException {
        boolean remote = target != null && !target.isBlank();
        if (file.equals(ALL)) {
            if (remote) {
                throw new DescriptionException(attribute, "a directory has no target");
            }
            warn(attribute, "of / the files directly in the session directory are kept, not those of its directories");
            outputs.put("*", KEPT);
            return;
        }
        boolean directory = file.endsWith("/");
        boolean pattern = file.chars().anyMatch(c -> WILDCARDS.indexOf(c) >= 0);
        if (directory && pattern) {
            throw new DescriptionException(
                    attribute,
                    Excerpt.of(file) + " is a pattern for directories; name each, or use a pattern for files");
        }
        if (remote && pattern && file.indexOf('/') >= 0) {
            throw new DescriptionException(
                    attribute,
                    Excerpt.of(file)
                            + " is a pattern for files of several directories, which a target would hold once by each name;"
                            + " let each directory have a pattern and a target of its own");
        }
        if (remote && (directory || (pattern && !RemoteFile.of(target).url().endsWith("/")))) {
            throw new DescriptionException(
                    attribute,
                    directory
                            ? "a directory has no target"
                            : "the target of a pattern is a directory: let it end with a slash");
        }
        String local = named(attribute, directory ? file.substring(0, file.length() - 1) : file, pattern);
        if (directory) {
            local += "/";
        }
        String destination = remote ? server(attribute, target, TARGETS, "gsiftp, https and a site's", ++sent) : KEPT;
        if (remote) {
            sentAfter.put(local, ends);
        }
        String before = outputs.put(local, destination);
        // ARC's client names a file again for each stream that goes into it.
        if (before != null && !before.equals(destination)) {
            throw new DescriptionException(
                    attribute, "two output files have the name " + Excerpt.of(local) + ", with different targets");
        }
    }

    /** A path of output, which may be a pattern for such paths. */
    private static String named(String attribute, String file, boolean pattern) throws DescriptionException {
        if (!pattern) {
            return written(attribute, file);
        }
        String path = file.trim();
        path = path.startsWith("./") ? path.substring(2) : path;
        // What holds for names holds for patterns, but for the wildcards.
        written(attribute, path.replaceAll("[*?\\[\\]]", "x"));
        return path;
    }

    /** One variable; of one name given twice the last value counts. */
    public void variable(String attribute, String variable, String value) throws DescriptionException {
        EnvironmentRule.put(environment, attribute, variable, text(attribute, value), warnings);
    }

    /** Software to be set up. */
    public void runtimeEnvironment(String attribute, String software, List<String> options, boolean optional)
            throws DescriptionException {
        if (runtimeEnvironments.size() == MAX_RUNTIME_ENVIRONMENTS) {
            throw new DescriptionException(
                    attribute, "more than " + MAX_RUNTIME_ENVIRONMENTS + " runtime environments for one job");
        }
        for (String option : options) {
            text(attribute, option);
        }
        runtimeEnvironments.add(
                new JobRequest.RuntimeEnvironment(nonEmpty(attribute, software), List.copyOf(options), optional));
    }

    /** Sets the queue. */
    public void queue(String attribute, String value) throws DescriptionException {
        queue = nonEmpty(attribute, value);
    }

    /** Slots of the job. */
    public void slots(String attribute, String value) throws DescriptionException {
        cpus = positive(attribute, value);
    }

    /** Slots on each host. */
    public void slotsPerHost(String attribute, String value) throws DescriptionException {
        perHost = positive(attribute, value);
    }

    /** Whether the job wants its hosts for itself. */
    public void exclusive(String attribute, String value) throws DescriptionException {
        wholeNodes = flag(attribute, value);
    }

    /** Sets the longest time that the job may run. */
    public void wallTime(String attribute, Duration value) throws DescriptionException {
        wallTime = bounded(attribute, value);
    }

    /** CPU time of all slots together. */
    public void cpuTime(String attribute, Duration value) throws DescriptionException {
        cpuTime = bounded(attribute, value);
    }

    /** CPU time of one slot. */
    public void slotTime(String attribute, Duration value) throws DescriptionException {
        slotTime = bounded(attribute, value);
    }

    /** @param unit bytes of one */
    public void memory(String attribute, String value, long unit) throws DescriptionException {
        long number = number(attribute, value);
        if (number < 1 || number > (1L << 50) / unit) {
            throw new DescriptionException(attribute, "the memory must be at least 1 byte and at most 1 PiB");
        }
        memory = number * unit;
    }

    /** The job's name for people. */
    public void name(String attribute, String value) throws DescriptionException {
        name = text(attribute, value);
    }

    /** What its owner finds the job by; other annotations are somebody else's. */
    public void annotation(String attribute, String text) {
        if (JobLabels.read(text).isEmpty() || !labels.add(text)) {
            warn(attribute, "accepted, but nothing follows from it: only NAME=VALUE is a label");
        }
    }

    /** Where the CE's words on the job lie. */
    public void logDirectory(String attribute, String value) throws DescriptionException {
        String path = nonEmpty(attribute, value);
        logDirectory = written(attribute, path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    /** The delegation; a job uses one. */
    public void delegation(String attribute, String value) throws DescriptionException {
        String id = nonEmpty(attribute, value);
        if (delegationId != null && !delegationId.equals(id)) {
            throw new DescriptionException(attribute, "a job uses one delegation, and another is named already");
        }
        delegationId = id;
    }

    /** How long the session directory is kept. */
    public void lifetime(String attribute, Duration value) throws DescriptionException {
        lifetime = bounded(attribute, value);
    }

    /** How often the job may be started again. */
    public void reruns(String attribute, String value) throws DescriptionException {
        long number = number(attribute, value);
        if (number > 100) {
            throw new DescriptionException(attribute, "at most 100");
        }
        reruns = (int) number;
        if (number > 0) {
            warn(attribute, "a job that failed is not run again here: submit it again");
        }
    }

    /** From 0 to 100; what is above counts as 100. */
    public void priority(String attribute, String value) throws DescriptionException {
        priority = (int) Math.min(100, number(attribute, value));
    }

    /** Before this time the job does not start: as 20261201100000Z, 2026-12-01 10:00:00 or 2026-12-01T10:00:00Z, in UTC where no zone is given. */
    public void start(String attribute, String value) throws DescriptionException {
        try {
            TemporalAccessor read = START.parseBest(value.trim(), OffsetDateTime::from, LocalDateTime::from);
            start = read instanceof OffsetDateTime zoned
                    ? zoned.toInstant()
                    : ((LocalDateTime) read).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new DescriptionException(
                    attribute,
                    "\"" + Excerpt.of(value) + "\" is no time; accepted are 20261201100000Z and 2026-12-01T10:00:00Z");
        }
        warn(attribute, "the job does not start before " + start);
    }

    /** Whether the job is checked, and not run. */
    public void dryRun(String attribute, String value) throws DescriptionException {
        dryRun = flag(attribute, value);
    }

    /** @throws DescriptionException unless it says yes or no */
    public static boolean flag(String attribute, String value) throws DescriptionException {
        return switch (value.trim().toLowerCase(Locale.ROOT)) {
            case "true", "yes", "1" -> true;
            case "false", "no", "0" -> false;
            default -> throw new DescriptionException(attribute, Excerpt.of(value) + " is neither true nor false");
        };
    }

    /** A whole number, 0 or more. */
    public static long number(String attribute, String value) throws DescriptionException {
        String digits = value.trim();
        if (digits.isEmpty() || digits.length() > 18 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new DescriptionException(
                    attribute, "\"" + Excerpt.of(value) + "\" is no whole number of at most 18 digits");
        }
        return Long.parseLong(digits);
    }

    /**
     * The whole job.
     *
     * @param executableAttribute for errors of what is missing, as the two below
     */
    public JobRequest build(String executableAttribute, String inputAttribute, String outputAttribute)
            throws DescriptionException {
        if (executable == null) {
            throw new DescriptionException(executableAttribute, "missing; every job has one");
        }
        brought(inputAttribute, "executable", executable.file());
        brought(inputAttribute, "standard input", input);
        brought(inputAttribute, "program before the job", prologue == null ? null : prologue.file());
        for (String program : programs) {
            brought(inputAttribute, "program", program);
        }
        for (String stream : new String[] {output, error}) {
            if (stream != null) {
                outputs.putIfAbsent(stream, KEPT);
            }
        }
        if (logDirectory != null && !logDirectory.equals(output) && !logDirectory.equals(error)) {
            // Not the job's to write, though ARC's client names it among the output.
            outputs.remove(logDirectory, KEPT);
            outputs.remove(logDirectory + "/", KEPT);
        }
        Set<String> files = new HashSet<>(inputs.keySet());
        noFolderOfThatName(inputAttribute, files);
        files.addAll(outputs.keySet());
        noFolderOfThatName(outputAttribute, files);
        int slots = cpus == null ? 1 : cpus;
        Duration allSlots = cpuTime != null || slotTime == null ? cpuTime : slotTime.multipliedBy(slots);
        JobRequest.Limits limits = new JobRequest.Limits(wallTime, allSlots, memory);
        return new JobRequest(
                executable,
                new JobRequest.Streams(input, output, error),
                new JobRequest.Files(
                        inputs.entrySet().stream()
                                .map(file -> new JobRequest.InputFile(
                                        file.getKey(), file.getValue(), null, programs.contains(file.getKey())))
                                .toList(),
                        outputs.entrySet().stream()
                                .map(file -> new JobRequest.OutputFile(
                                        file.getKey(),
                                        file.getKey(),
                                        OutputDestination.file(file.getValue()),
                                        sentAfter.getOrDefault(file.getKey(), JobRequest.Ends.ALL)))
                                .toList(),
                        true),
                new JobRequest.Resources(
                        null,
                        queue,
                        new JobRequest.NodeRequest(
                                slots, perHost, null, wholeNodes, null, null, null, null, requirements(limits)),
                        limits,
                        JobRequest.FurtherRequirements.NONE,
                        priority),
                Collections.unmodifiableMap(environment),
                new JobRequest.Hooks(prologue, epilogue),
                JobRequest.Origin.NONE,
                Map.of(),
                List.copyOf(warnings),
                new JobRequest.Session(
                        name,
                        logDirectory,
                        delegationId,
                        lifetime,
                        reruns,
                        List.copyOf(runtimeEnvironments),
                        start,
                        dryRun),
                JobRequest.Monitoring.NONE,
                JobLabels.ofPeople(name, labels));
    }

    private static Set<String> with(Set<String> own) {
        Set<String> all = new HashSet<>(own);
        all.addAll(TransferPrograms.SCHEMES);
        return Set.copyOf(all);
    }

    /** What a site's submit script knows limits by; null for none. */
    private static String requirements(JobRequest.Limits limits) {
        List<String> terms = new ArrayList<>();
        if (limits.wallTime() != null) {
            terms.add("other.GlueCEPolicyMaxWallClockTime >= " + minutes(limits.wallTime()));
        }
        if (limits.cpuTime() != null) {
            terms.add("other.GlueCEPolicyMaxCPUTime >= " + minutes(limits.cpuTime()));
        }
        if (limits.memory() != null) {
            terms.add("other.GlueHostMainMemoryRAMSize >= " + ((limits.memory() + (1L << 20) - 1) >> 20));
        }
        return terms.isEmpty() ? null : String.join(" && ", terms);
    }

    private static long minutes(Duration time) {
        return (time.toSeconds() + 59) / 60;
    }

    private void brought(String attribute, String what, String file) throws DescriptionException {
        if (file != null && !file.startsWith("/") && !file.startsWith("$") && !inputs.containsKey(file)) {
            throw new DescriptionException(
                    attribute, "the " + what + " " + Excerpt.of(file) + " is not among the input files");
        }
    }

    private static void noFolderOfThatName(String attribute, Set<String> files) throws DescriptionException {
        for (String file : files) {
            if (file.chars().anyMatch(c -> WILDCARDS.indexOf(c) >= 0)) {
                continue; // it matches what is there
            }
            for (int slash = file.indexOf('/'); slash >= 0; slash = file.indexOf('/', slash + 1)) {
                if (files.contains(file.substring(0, slash))) {
                    throw new DescriptionException(
                            attribute,
                            Excerpt.of(file.substring(0, slash)) + " is a file, and the folder of " + Excerpt.of(file));
                }
            }
        }
    }

    /**
     * What a worker node transfers by itself. Its URL is shown to everybody who may read the description, and the job's
     * credentials are for its server.
     *
     * @param number of files of its kind, with this one
     * @return the URL as the worker node has it: WebDAV is HTTP, and ARC's options between host and port are left out
     */
    private String server(String attribute, String given, Set<String> schemes, String shown, int number)
            throws DescriptionException {
        if (given.length() > MAX_URL) {
            throw new DescriptionException(
                    attribute, "the URL has " + given.length() + " characters, at most " + MAX_URL);
        }
        String url = given;
        Matcher options = URL_OPTIONS.matcher(url);
        if (options.matches()) {
            warn(attribute, "the option " + Excerpt.of(options.group(2)) + " of a URL is left out");
            url = options.group(1) + (options.group(3) == null ? "" : options.group(3)) + options.group(4);
        }
        if (url.regionMatches(true, 0, "davs://", 0, 7)) {
            url = "https" + url.substring(4);
        } else if (url.regionMatches(true, 0, "dav://", 0, 6)) {
            url = "http" + url.substring(3);
        }
        if (UriRule.check(attribute, url, schemes, shown).getRawUserInfo() != null) {
            throw new DescriptionException(
                    attribute, "a name or password in a URL is not used: delegate a proxy or a token for its server");
        }
        if (number > MAX_TRANSFERS) {
            throw new DescriptionException(
                    attribute,
                    "more than " + MAX_TRANSFERS + " files that servers give, or get: put them into archives");
        }
        return url;
    }

    /** What the job reads: an absolute path, one from a variable on, or a file of the session directory. */
    private static String read(String attribute, String file) throws DescriptionException {
        String path = nonEmpty(attribute, file);
        return path.startsWith("/") || path.startsWith("$") ? FileRule.input(attribute, path) : below(attribute, path);
    }

    /** What the job writes. */
    private static String written(String attribute, String file) throws DescriptionException {
        return below(attribute, file);
    }

    /** A path below the session directory. */
    private static String below(String attribute, String file) throws DescriptionException {
        String given = nonEmpty(attribute, file);
        String path = given.startsWith("./") ? given.substring(2) : given;
        for (String part : path.split("/", -1)) {
            if (part.equals("..")) {
                throw new DescriptionException(attribute, Excerpt.of(file) + " leads out of the session directory");
            }
        }
        FileRule.output(attribute, path);
        String fault = FilePath.fault(path);
        if (fault != null) {
            throw new DescriptionException(attribute, Excerpt.of(path) + ": " + fault);
        }
        return path;
    }

    private static String nonEmpty(String attribute, String value) throws DescriptionException {
        if (value == null || value.isBlank()) {
            throw new DescriptionException(attribute, "the value is empty");
        }
        return text(attribute, value.trim());
    }

    /** Values end up in scripts and file names. */
    private static String text(String attribute, String value) throws DescriptionException {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isISOControl(c) && c != '\t' && c != '\n') {
                throw new DescriptionException(
                        attribute, String.format("control character U+%04X", (int) c) + " not allowed");
            }
        }
        return value;
    }

    private static int positive(String attribute, String value) throws DescriptionException {
        long number = number(attribute, value);
        if (number < 1 || number > 1_000_000) {
            throw new DescriptionException(attribute, "the number must be at least 1 and at most 1000000");
        }
        return (int) number;
    }

    private static Duration bounded(String attribute, Duration value) throws DescriptionException {
        if (value.isNegative() || value.isZero() || value.toSeconds() > MAX_SECONDS) {
            throw new DescriptionException(attribute, "the time must be at least 1 second and at most ten years");
        }
        return value;
    }
}
