package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.description.JdlText;
import org.gelato.ce.cli.description.NamedDescription;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.submission.Copies;
import org.gelato.ce.cli.submission.LocalInput;
import org.gelato.ce.cli.submission.SubmissionLog;
import org.gelato.ce.cli.submission.SubmissionSignals;
import org.gelato.ce.cli.submission.Submitter;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.terminal.Signals.Signal;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.InputFile;
import org.gelato.ce.cli.wire.JobNaming;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobText;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.cli.wire.WireFault;
import org.gelato.ce.description.JobLabels;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ce resubmit}: jobs once more, by the description that the CE has of them. A label of the new one names the first, and is there from its
 * registration on: a command that was killed is repeated without making a job twice.
 */
@Command(
        name = "resubmit",
        description = "Submits ended jobs once more, with their description, files and labels; prints the new ids.",
        footer = {
            "",
            "A new job has the label " + ResubmitCommand.LABEL
                    + "=ID. A job that has one already is left out, so that the command"
                    + " can be repeated when it was interrupted; not when the new job was purged, and not while another such"
                    + " command is at work: both make a second one.",
            "Exit code: 0 submitted or left out, 1 failed (also for one job of many), 2 wrong command line."
        })
public final class ResubmitCommand extends CeCommand {
    /** Whose value is the id of the first job, without its CE. */
    static final String LABEL = "resubmit-of";

    @Mixin
    private ChosenJobs choice = new ChosenJobs();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "Where the input files are whose paths are relative: the directory of the description. Default: this one.")
    private Path directory = Path.of("");

    @Option(names = "--again", description = "Also jobs that were submitted once more before.")
    private boolean again;

    private Copies copies;

    private int leftOut;
    /** Of jobs that the CE does not show. */
    private final Map<JobUrl, WireFault> faults = new LinkedHashMap<>();
    /** Why other jobs are not submitted again. */
    private final Map<JobUrl, String> troubles = new LinkedHashMap<>();

    public ResubmitCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        try (Copies opened = new Copies(context.environment())) {
            copies = opened;
            return resubmit();
        }
    }

    private int resubmit() {
        Map<Endpoint, Map<Submitter.Description, JobUrl>> wanted = new LinkedHashMap<>();
        Map<Endpoint, ComputingElement> ces = new LinkedHashMap<>();
        Set<String> changed = new TreeSet<>();
        Set<String> seen = new HashSet<>();
        for (JobResponse<JobReport> response : ask(choice.ofQuestion(context.in(), named()), ComputingElement::info)) {
            JobUrl job = response.job();
            JobReport report = response.response().value();
            if (report == null) {
                faults.put(job, response.response().fault());
                fail(job, response.response().fault().advised());
                continue;
            }
            String trouble = trouble(report);
            if (trouble != null) {
                leave(job, trouble);
                continue;
            }
            // Two endpoints may differ in the protocol alone.
            if (!seen.add(job.toString())) {
                continue;
            }
            ComputingElement ce = ces.computeIfAbsent(job.endpoint(), this::connect);
            List<String> before =
                    again ? List.of() : ce.messages().find(new JobNaming(null, List.of(LABEL + "=" + job.localId())));
            if (wereNeverStarted(ce, before)) {
                String ids = before.stream()
                        .map(id -> new JobUrl(ce.endpoint(), id).toString())
                        .collect(Collectors.joining(" "));
                leave(
                        job,
                        "was registered as " + ids + " and never started: where no other command is about to, ce purge "
                                + ids + ", and repeat");
                continue;
            }
            if (!before.isEmpty()) {
                summarize(job + " is left out: it was submitted again as " + String.join(", ", before)
                        + "; --again submits it once more");
                leftOut++;
                continue;
            }
            wanted.computeIfAbsent(job.endpoint(), endpoint -> new LinkedHashMap<>())
                    .put(description(ce, job, report, changed), job);
        }
        changed.forEach(file -> summarize(file + " has changed since it was submitted: the jobs get it as it is now"));
        return submit(wanted, ces);
    }

    private void leave(JobUrl job, String trouble) {
        troubles.put(job, trouble);
        fail(job, trouble);
    }

    /** What a command leaves that was killed between registration and start, where these are two calls. */
    private static boolean wereNeverStarted(ComputingElement ce, List<String> jobs) {
        return !jobs.isEmpty()
                && !ce.startsWithRegistration()
                && ce.status(JobSelector.of(jobs)).stream()
                        .allMatch(response ->
                                response.value() != null && response.value().isRegistered());
    }

    /** Why a job is not submitted again; null for nothing. */
    private static String trouble(JobReport report) {
        if (!report.status().isFinal()) {
            return "has not ended (" + report.status().name() + "): only a job that has ended is submitted again";
        }
        if (!Lines.known(report.jdl())) {
            return "the CE does not return its description over this protocol: add --protocol cream2";
        }
        if (Language.of(report.jdl()) != Language.JDL) {
            return "its description is in " + Language.of(report.jdl()) + ": submit its file again with ce submit";
        }
        return labels(report.jdl()).size() < JobLabels.MAX_LABELS
                ? null
                : "has " + JobLabels.MAX_LABELS + " labels, the most a job can have, and " + LABEL
                        + " would be one more: submit its file again with ce submit";
    }

    private Submitter.Description description(ComputingElement ce, JobUrl job, JobReport report, Set<String> changed) {
        List<String> labels = labels(report.jdl());
        labels.add(LABEL + "=" + job.localId());
        JdlText jdl = JdlText.of(
                NamedDescription.of(job.toString(), Language.JDL, report.jdl(), new JobNaming(null, labels)));
        List<InputFile> input = LocalInput.find(
                job + ": ", jdl.localInputFiles(), context.workingDirectory().resolve(directory), copies);
        Instant then = report.history().get(0).time();
        input.stream()
                .filter(file -> then != null && isNewer(file.path(), then))
                .forEach(file -> changed.add(Printable.line(file.path().toString())));
        Submitter.Description description =
                new Submitter.Description(job.toString(), JobText.of(jdl.toString()), input, jdl::placed);
        description.check(ce);
        return description;
    }

    /** Those that the new job has, too. */
    private static List<String> labels(String jdl) {
        List<String> labels = new ArrayList<>(JdlText.strings(jdl, "Labels"));
        labels.removeIf(label -> label.startsWith(LABEL + "="));
        return labels;
    }

    private static boolean isNewer(Path file, Instant time) {
        try {
            return Files.getLastModifiedTime(file).toInstant().isAfter(time);
        } catch (IOException e) {
            // The upload reports it.
            return false;
        }
    }

    /** What is done at one CE. */
    private record Part(Submitter submitter, Map<Submitter.Description, JobUrl> jobs) {}

    private int submit(Map<Endpoint, Map<Submitter.Description, JobUrl>> wanted, Map<Endpoint, ComputingElement> ces) {
        List<Part> parts = new CopyOnWriteArrayList<>();
        Map<JobUrl, String> left = new LinkedHashMap<>();
        try (SubmissionSignals signals = new SubmissionSignals(context, name(), false)) {
            if (options.json()) {
                // They run, and nothing else names them to a user who interrupts the command.
                signals.onLeaving(() -> JsonResult.print(context.out(), json(parts, Map.of())));
            }
            wanted.forEach((endpoint, jobs) -> left.putAll(submit(ces.get(endpoint), jobs, parts, signals)));
            if (options.json()) {
                signals.onLeaving(() -> {});
                JsonResult.print(context.out(), json(parts, left));
            }
            return signals.stopped().map(Signal::exitCode).orElse(failed() ? ExitCode.FAILED : ExitCode.OK);
        }
    }

    /** Submits at one CE. @return what was neither submitted nor refused there, and why */
    private Map<JobUrl, String> submit(
            ComputingElement ce, Map<Submitter.Description, JobUrl> jobs, List<Part> parts, SubmissionSignals signals) {
        Map<String, String> reasons = new HashMap<>();
        Set<Submitter.Description> known = new HashSet<>();
        String why = "interrupted";
        if (signals.stopped().isPresent()) {
            fail(ce.endpoint(), "interrupted (" + jobs.size() + " not sent)");
        } else {
            try {
                Submitter submitter = new Submitter(
                        ce,
                        ce.delegate().orElse(null),
                        (subject, reason) -> {
                            fail(subject, reason);
                            reasons.put(subject.toString(), reason);
                        },
                        this::started,
                        bar(),
                        new SubmissionLog(context.environment(), context.clock()),
                        signals);
                Part part = new Part(submitter, jobs);
                parts.add(part);
                try {
                    submitter.submit(List.copyOf(jobs.keySet()));
                } finally {
                    known.addAll(submitter.jobs().keySet());
                    known.addAll(submitter.refusals().keySet());
                }
            } catch (CliException e) {
                why = e.advised();
                fail(ce.endpoint(), why);
            }
        }
        Map<JobUrl, String> left = new LinkedHashMap<>();
        for (Map.Entry<Submitter.Description, JobUrl> job : jobs.entrySet()) {
            if (!known.contains(job.getKey())) {
                left.put(job.getValue(), reasons.getOrDefault(job.getValue().toString(), why));
            }
        }
        return left;
    }

    private ObjectNode json(List<Part> parts, Map<JobUrl, String> left) {
        ObjectNode root = JsonResult.object().put("leftOut", leftOut);
        ArrayNode submitted = root.putArray("jobs");
        ArrayNode refused = root.putArray("refused");
        faults.forEach((job, fault) -> JsonResult.fault(refused.addObject().put("id", job.toString()), fault));
        for (Part part : parts) {
            part.submitter()
                    .jobs()
                    .forEach((description, job) -> submitted
                            .addObject()
                            .put("id", job.toString())
                            .put("resubmitOf", part.jobs().get(description).toString()));
            part.submitter()
                    .refusals()
                    .forEach((description, fault) -> JsonResult.fault(
                            refused.addObject()
                                    .put("id", part.jobs().get(description).toString()),
                            fault));
        }
        Map<JobUrl, String> all = new LinkedHashMap<>(troubles);
        all.putAll(left);
        if (!all.isEmpty()) {
            ArrayNode notSubmitted = root.putArray("notSubmitted");
            all.forEach((job, reason) ->
                    notSubmitted.addObject().put("id", job.toString()).put("reason", reason));
        }
        return root;
    }

    private void started(JobUrl job) {
        if (!options.json()) {
            context.out().println(job);
            context.out().flush();
        }
    }
}
