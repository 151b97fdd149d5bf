package org.gelato.ce.description;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes the request of a job with a session directory, as ADL and xRSL describe it; methods check a value, and take the attribute
 * that their errors show. Not thread-safe.
 */
public final class SessionJobBuilder {
    private static final int MAX_RUNTIME_ENVIRONMENTS = 16;
    /** What a stream that nobody wants is written to. */
    static final String NOWHERE = "/dev/null";

    private final List<String> warnings = new ArrayList<>();
    private final DescribedFiles files = new DescribedFiles(this::warn);
    private final Map<Program, JobRequest.Executable> programs = new EnumMap<>(Program.class);
    private final Map<Stream, String> streams = new EnumMap<>(Stream.class);
    private final Map<Time, Duration> times = new EnumMap<>(Time.class);
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<JobRequest.RuntimeEnvironment> runtimeEnvironments = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();
    private String name;
    private String queue;
    private int slots = 1;
    private Integer slotsPerHost;
    private boolean exclusive;
    private Long memory;
    private String logDirectory;
    private String delegationId;
    private Integer reruns;
    private Integer priority;
    private Instant start;
    private boolean dryRun;

    /** A program of the job. */
    public enum Program {
        PAYLOAD,
        BEFORE,
        AFTER
    }

    /** A standard stream of the payload. */
    public enum Stream {
        INPUT,
        OUTPUT,
        ERROR
    }

    /** A time that the job is given. */
    public enum Time {
        /** The longest time that it may run. */
        WALL,
        /** CPU time of all slots together. */
        CPU,
        /** CPU time of one slot. */
        SLOT_CPU,
        /** How long the session directory is kept. */
        LIFETIME
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
                    .append(AttributeValue.text(attribute, argument).replace("'", "'\\''"))
                    .append('\'');
        }
        ShellWords.parse(attribute, words.toString());
        programs.put(which, new JobRequest.Executable(DescribedFiles.read(attribute, file), words.toString()));
    }

    /** The file that a stream is read from or written to; {@code /dev/null} is none. */
    public void stream(Stream which, String attribute, String file) throws DescriptionException {
        boolean anywhere = which == Stream.INPUT || file.trim().equals(NOWHERE);
        streams.put(which, anywhere ? DescribedFiles.read(attribute, file) : DescribedFiles.below(attribute, file));
    }

    /** Standard error goes where standard output goes. */
    public void join(String attribute) throws DescriptionException {
        String output = streams.get(Stream.OUTPUT);
        String error = streams.get(Stream.ERROR);
        if (error != null && !error.equals(output)) {
            throw new DescriptionException(attribute, "standard error has a file of its own: leave out one of them");
        }
        if (output == null) {
            throw new DescriptionException(attribute, "standard output has no file");
        }
        streams.put(Stream.ERROR, output);
    }

    /** @param source a URL; null or empty, or a path on the client's side, when the client uploads the file */
    public void inputFile(String attribute, String file, String source) throws DescriptionException {
        files.input(attribute, file, source);
    }

    /** An input file is a program. */
    public void executable(String attribute, String file) throws DescriptionException {
        files.program(attribute, file);
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
        files.output(attribute, file, target, ends);
    }

    /** One variable; of one name given twice the last value counts. */
    public void variable(String attribute, String variable, String value) throws DescriptionException {
        EnvironmentRule.put(environment, attribute, variable, AttributeValue.text(attribute, value), warnings);
    }

    /** Software to be set up. */
    public void runtimeEnvironment(String attribute, String software, List<String> options, boolean optional)
            throws DescriptionException {
        if (runtimeEnvironments.size() == MAX_RUNTIME_ENVIRONMENTS) {
            throw new DescriptionException(
                    attribute, "more than " + MAX_RUNTIME_ENVIRONMENTS + " runtime environments for one job");
        }
        for (String option : options) {
            AttributeValue.text(attribute, option);
        }
        runtimeEnvironments.add(new JobRequest.RuntimeEnvironment(
                AttributeValue.nonEmpty(attribute, software), List.copyOf(options), optional));
    }

    /** Sets the queue. */
    public void queue(String attribute, String value) throws DescriptionException {
        queue = AttributeValue.nonEmpty(attribute, value);
    }

    /** Slots of the job. */
    public void slots(String attribute, String value) throws DescriptionException {
        slots = AttributeValue.positive(attribute, value);
    }

    /** Slots on each host. */
    public void slotsPerHost(String attribute, String value) throws DescriptionException {
        slotsPerHost = AttributeValue.positive(attribute, value);
    }

    /** Whether the job wants its hosts for itself. */
    public void exclusive(String attribute, String value) throws DescriptionException {
        exclusive = AttributeValue.flag(attribute, value);
    }

    /** From a second to ten years. */
    public void time(Time which, String attribute, Duration value) throws DescriptionException {
        times.put(which, AttributeValue.bounded(attribute, value));
    }

    /** @param unit bytes of one */
    public void memory(String attribute, String value, long unit) throws DescriptionException {
        memory = AttributeValue.memory(attribute, value, unit);
    }

    /** The job's name for people. */
    public void name(String attribute, String value) throws DescriptionException {
        name = AttributeValue.text(attribute, value);
    }

    /** What its owner finds the job by; other annotations are somebody else's. */
    public void annotation(String attribute, String text) {
        if (JobLabels.read(text).isEmpty() || !labels.add(text)) {
            warn(attribute, "accepted, but nothing follows from it: only NAME=VALUE is a label");
        }
    }

    /** Where the CE's log of the job lies. */
    public void logDirectory(String attribute, String value) throws DescriptionException {
        String path = AttributeValue.nonEmpty(attribute, value);
        logDirectory =
                DescribedFiles.below(attribute, path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    /** The delegation; a job uses one. */
    public void delegation(String attribute, String value) throws DescriptionException {
        String id = AttributeValue.nonEmpty(attribute, value);
        if (delegationId != null && !delegationId.equals(id)) {
            throw new DescriptionException(attribute, "a job uses one delegation, and another is named already");
        }
        delegationId = id;
    }

    /** How often the job may be started again. */
    public void reruns(String attribute, String value) throws DescriptionException {
        long number = AttributeValue.number(attribute, value);
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
        priority = (int) Math.min(100, AttributeValue.number(attribute, value));
    }

    /** Before this time the job does not start. */
    public void start(String attribute, String value) throws DescriptionException {
        start = AttributeValue.time(attribute, value);
        warn(attribute, "the job does not start before " + start);
    }

    /** Whether the job is checked, and not run. */
    public void dryRun(String attribute, String value) throws DescriptionException {
        dryRun = AttributeValue.flag(attribute, value);
    }

    /**
     * The whole job.
     *
     * @param executableAttribute for errors of what is missing, as the two below
     */
    public JobRequest build(String executableAttribute, String inputAttribute, String outputAttribute)
            throws DescriptionException {
        JobRequest.Executable executable = programs.get(Program.PAYLOAD);
        if (executable == null) {
            throw new DescriptionException(executableAttribute, "missing; every job has one");
        }
        streams.values().removeIf(NOWHERE::equals);
        JobRequest.Hooks hooks = new JobRequest.Hooks(programs.get(Program.BEFORE), programs.get(Program.AFTER));
        JobRequest.Limits limits = limits();
        return new JobRequest(
                executable,
                new JobRequest.Streams(
                        streams.get(Stream.INPUT), streams.get(Stream.OUTPUT), streams.get(Stream.ERROR)),
                files(executable, hooks.prologue(), inputAttribute, outputAttribute),
                new JobRequest.Resources(
                        null,
                        queue,
                        new JobRequest.NodeRequest(
                                slots, slotsPerHost, null, exclusive, null, null, null, null, requirements(limits)),
                        limits,
                        JobRequest.FurtherRequirements.NONE,
                        priority),
                Collections.unmodifiableMap(environment),
                hooks,
                JobRequest.Origin.NONE,
                Map.of(),
                List.copyOf(warnings),
                new JobRequest.Session(
                        name,
                        logDirectory,
                        delegationId,
                        times.get(Time.LIFETIME),
                        reruns,
                        List.copyOf(runtimeEnvironments),
                        start,
                        dryRun),
                JobRequest.Monitoring.NONE,
                JobLabels.ofPeople(name, labels));
    }

    private JobRequest.Files files(
            JobRequest.Executable executable,
            JobRequest.Executable prologue,
            String inputAttribute,
            String outputAttribute)
            throws DescriptionException {
        files.requireInput(inputAttribute, "executable", executable.file());
        files.requireInput(inputAttribute, "standard input", streams.get(Stream.INPUT));
        files.requireInput(inputAttribute, "program before the job", prologue == null ? null : prologue.file());
        Set<String> written = new LinkedHashSet<>();
        streams.forEach((stream, file) -> {
            if (stream != Stream.INPUT) {
                written.add(file);
            }
        });
        written.forEach(files::keep);
        if (logDirectory != null && !written.contains(logDirectory)) {
            files.removeLogDirectory(logDirectory);
        }
        return files.build(inputAttribute, outputAttribute);
    }

    private JobRequest.Limits limits() {
        Duration slotTime = times.get(Time.SLOT_CPU);
        Duration allSlots = slotTime == null ? null : slotTime.multipliedBy(slots);
        return new JobRequest.Limits(times.get(Time.WALL), times.getOrDefault(Time.CPU, allSlots), memory);
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
}
