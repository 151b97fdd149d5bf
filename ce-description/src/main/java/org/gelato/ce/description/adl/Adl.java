package org.gelato.ce.description.adl;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.description.AttributeValue;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.DescriptionLanguage;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.Outline;
import org.gelato.ce.description.Place;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.SafeText;
import org.gelato.ce.description.SessionJobBuilder;
import org.gelato.ce.description.SessionJobBuilder.Program;
import org.gelato.ce.description.SessionJobBuilder.Stream;
import org.gelato.ce.description.SessionJobBuilder.Time;

/**
 * Reads job descriptions in ADL (docs/user/descriptions.md). Errors name the element by its path, and its place in the
 * description. Stateless and thread-safe; bounded in size, depth and time for hostile input.
 */
public final class Adl implements DescriptionLanguage {
    /** The one instance. */
    public static final Adl LANGUAGE = new Adl();

    private Adl() {}

    @Override
    public int code() {
        return 1;
    }

    @Override
    public String beginnings() {
        return "<";
    }

    @Override
    public List<String> split(String body, ReadingBudget budget) throws DescriptionException {
        return AdlReader.split(body, budget);
    }

    @Override
    public JobRequest read(String text, ReadingBudget budget) throws DescriptionException {
        AdlElement root = AdlReader.read(text, budget);
        if (!root.name().equals("ActivityDescription")) {
            throw Place.in(
                    new DescriptionException(root.name(), "an ActivityDescription is expected here"),
                    root.line(),
                    root.column());
        }
        Job job = new Job();
        try {
            job.section(root, "");
            return job.built();
        } catch (DescriptionException e) {
            throw Place.in(e, root.line(), root.column());
        }
    }

    /**
     * What a client must know of a description, also of the only one in ActivityDescriptions.
     *
     * @throws DescriptionException for several, and for one that cannot be read
     */
    public static Outline outline(String text) throws DescriptionException {
        AdlElement root = AdlReader.read(text, ReadingBudget.UNBOUNDED);
        boolean inside =
                root.name().equals("ActivityDescriptions") && !root.children().isEmpty();
        if (inside && root.children().size() > 1) {
            throw Outline.several("ADL");
        }
        List<Outline.Input> inputs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        outline(inside ? root.children().get(0) : root, "", inputs, names);
        return AdlReader.begin(text, inputs, names);
    }

    private static void outline(AdlElement parent, String path, List<Outline.Input> inputs, Set<String> names) {
        for (AdlElement child : parent.children()) {
            String childPath = path.isEmpty() ? child.name() : path + "/" + child.name();
            names.add(childPath);
            if (childPath.equals("DataStaging/InputFile")) {
                String name =
                        child.last("Name").map(AdlElement::text).orElse("").strip();
                if (!name.isEmpty()) {
                    Optional<AdlElement> source = child.last("Source").flatMap(from -> from.last("URI"));
                    inputs.add(new Outline.Input(
                            name, source.map(uri -> uri.text().strip()).orElse(null)));
                }
            }
            outline(child, childPath, inputs, names);
        }
    }

    /** One description while its elements are visited. */
    private static final class Job {
        private final SessionJobBuilder job = new SessionJobBuilder();
        /** Texts of the elements in the open group (a program, a file, a variable, an environment), by path. */
        private Map<String, String> group = new HashMap<>();

        private List<String> list = new ArrayList<>();

        JobRequest built() throws DescriptionException {
            return job.build("Application/Executable", "DataStaging/InputFile", "DataStaging/OutputFile");
        }

        void section(AdlElement parent, String path) throws DescriptionException {
            Set<String> seen = new HashSet<>();
            for (AdlElement child : parent.children()) {
                String childPath = path.isEmpty() ? child.name() : path + "/" + child.name();
                try {
                    child(child, childPath, seen);
                } catch (DescriptionException e) {
                    throw Place.in(e, child.line(), child.column());
                }
            }
        }

        private void child(AdlElement child, String path, Set<String> seen) throws DescriptionException {
            AdlElements.Use use = AdlElements.TABLE.get(path);
            if (use == null || use == AdlElements.Use.REFUSED) {
                if (!child.optional()) {
                    throw new DescriptionException(
                            path,
                            use == null
                                    ? "unknown element; only one that is optional can be passed over"
                                    : "not supported here; only where it is optional it can be passed over");
                }
                job.warn(path, "optional, and not supported here");
            } else if (use == AdlElements.Use.IGNORED) {
                job.warn(path, "accepted, but nothing follows from it");
            } else {
                if (use == AdlElements.Use.ONCE && !seen.add(path)) {
                    throw new DescriptionException(path, "given twice");
                }
                take(child, path);
            }
        }

        private void take(AdlElement e, String path) throws DescriptionException {
            switch (path) {
                case "ActivityIdentification",
                        "Application",
                        "Resources",
                        "Resources/SlotRequirement",
                        "DataStaging",
                        "DataStaging/InputFile/Source",
                        "DataStaging/OutputFile/Target" -> section(e, path);
                case "Application/Executable" -> program(e, path, Program.PAYLOAD);
                case "Application/PreExecutable" -> program(e, path, Program.BEFORE);
                case "Application/PostExecutable" -> program(e, path, Program.AFTER);
                case "Application/Environment" -> {
                    group(e, path);
                    job.variable(path, needed(path, "Name"), group.getOrDefault(path + "/Value", ""));
                }
                case "Resources/RuntimeEnvironment" -> {
                    group(e, path);
                    // ARC's client writes an empty Version where its user gave none.
                    String version = trimmed(path + "/Version");
                    job.runtimeEnvironment(
                            path,
                            needed(path, "Name").trim() + (version == null || version.isEmpty() ? "" : "-" + version),
                            list,
                            e.optional());
                }
                case "DataStaging/InputFile" -> {
                    group(e, path);
                    job.inputFile(path, needed(path, "Name"), trimmed(path + "/Source/URI"));
                    if (AttributeValue.flag(path, group.getOrDefault(path + "/IsExecutable", "false"))) {
                        job.executable(path, needed(path, "Name"));
                    }
                }
                case "DataStaging/OutputFile" -> {
                    group(e, path);
                    job.outputFile(path, needed(path, "Name"), trimmed(path + "/Target/URI"), ends(path + "/Target/"));
                }
                case "ActivityIdentification/Name" -> job.name(path, e.leaf(path));
                case "ActivityIdentification/Annotation" -> job.annotation(path, e.leaf(path));
                case "ActivityIdentification/Type" -> {
                    if (!e.leaf(path).trim().equalsIgnoreCase("single")) {
                        job.warn(path, "accepted, but nothing follows from it: the job runs by itself");
                    }
                }
                case "Application/Input" -> job.stream(Stream.INPUT, path, e.leaf(path));
                case "Application/Output" -> job.stream(Stream.OUTPUT, path, e.leaf(path));
                case "Application/Error" -> job.stream(Stream.ERROR, path, e.leaf(path));
                case "Application/WipeTime" ->
                    job.time(Time.LIFETIME, path, period(path, e.leaf(path).trim()));
                case "Application/Rerun" -> job.reruns(path, e.leaf(path));
                case "Application/Priority" -> job.priority(path, e.leaf(path));
                case "Application/StartTime", "Application/ProcessingStartTime" -> job.start(path, e.leaf(path));
                case "Application/DryRun" -> job.dryRun(path, e.leaf(path));
                case "Application/LoggingDirectory" -> job.logDirectory(path, e.leaf(path));
                case "Resources/QueueName" -> job.queue(path, e.leaf(path));
                case "Resources/WallTime" -> job.time(Time.WALL, path, seconds(path, e.leaf(path)));
                case "Resources/TotalCPUTime" -> job.time(Time.CPU, path, seconds(path, e.leaf(path)));
                case "Resources/IndividualCPUTime" -> job.time(Time.SLOT_CPU, path, seconds(path, e.leaf(path)));
                case "Resources/IndividualPhysicalMemory" -> job.memory(path, e.leaf(path), 1);
                case "Resources/SlotRequirement/NumberOfSlots" -> job.slots(path, e.leaf(path));
                case "Resources/SlotRequirement/SlotsPerHost" -> job.slotsPerHost(path, e.leaf(path));
                case "Resources/SlotRequirement/ExclusiveExecution" -> job.exclusive(path, e.leaf(path));
                case "DataStaging/DelegationID",
                        "DataStaging/InputFile/Source/DelegationID",
                        "DataStaging/OutputFile/Target/DelegationID" -> job.delegation(path, e.leaf(path));
                case "Application/Executable/Argument",
                        "Application/PreExecutable/Argument",
                        "Application/PostExecutable/Argument",
                        "Resources/RuntimeEnvironment/Option" -> list.add(e.leaf(path));
                default -> group.put(path, e.leaf(path));
            }
        }

        private void program(AdlElement e, String path, Program which) throws DescriptionException {
            group(e, path);
            job.program(which, path, needed(path, "Path"), list);
        }

        private void group(AdlElement e, String path) throws DescriptionException {
            group = new HashMap<>();
            list = new ArrayList<>();
            section(e, path);
        }

        /** Where one is named, the others are those of ADL: after success alone. */
        private JobRequest.Ends ends(String path) throws DescriptionException {
            String success = group.get(path + "UseIfSuccess");
            String failure = group.get(path + "UseIfFailure");
            String cancel = group.get(path + "UseIfCancel");
            return success == null && failure == null && cancel == null
                    ? JobRequest.Ends.ALL
                    : new JobRequest.Ends(
                            success == null || AttributeValue.flag(path + "UseIfSuccess", success),
                            failure != null && AttributeValue.flag(path + "UseIfFailure", failure),
                            cancel != null && AttributeValue.flag(path + "UseIfCancel", cancel));
        }

        private String needed(String path, String name) throws DescriptionException {
            String value = group.get(path + "/" + name);
            if (value == null) {
                throw new DescriptionException(path, name + " is missing");
            }
            return value;
        }

        private String trimmed(String path) {
            String value = group.get(path);
            return value == null ? null : value.trim();
        }

        private static Duration seconds(String path, String text) throws DescriptionException {
            return Duration.ofSeconds(Math.min(AttributeValue.number(path, text), Integer.MAX_VALUE));
        }

        private static Duration period(String path, String text) throws DescriptionException {
            if (!text.startsWith("P")) {
                return seconds(path, text);
            }
            try {
                return Duration.parse(text);
            } catch (DateTimeParseException e) {
                throw new DescriptionException(
                        path,
                        "\"" + SafeText.of(text) + "\" is no period of days, hours, minutes and seconds (P1DT12H)");
            }
        }
    }
}
