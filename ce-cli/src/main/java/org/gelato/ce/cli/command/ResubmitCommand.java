package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
                    + " can be repeated when it was interrupted.",
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
        int left = 0;
        for (JobResponse<JobReport> response : ask(choice.ofQuestion(context.in(), named()), ComputingElement::info)) {
            JobUrl job = response.job();
            JobReport report = response.response().value();
            String trouble = report == null ? response.response().fault().advised() : trouble(report);
            if (trouble != null) {
                fail(job, trouble);
                continue;
            }
            ComputingElement ce = ces.computeIfAbsent(job.endpoint(), this::connect);
            List<String> before =
                    again ? List.of() : ce.messages().find(new JobNaming(null, List.of(LABEL + "=" + job.localId())));
            if (wereNeverStarted(ce, before)) {
                String ids = before.stream()
                        .map(id -> new JobUrl(ce.endpoint(), id).toString())
                        .collect(Collectors.joining(" "));
                fail(
                        job,
                        "was registered as " + ids + " and never started: where no other command is about to, ce purge "
                                + ids + ", and repeat");
                continue;
            }
            if (!before.isEmpty()) {
                summarize(job + " is left out: it was submitted again as " + String.join(", ", before)
                        + "; --again submits it once more");
                left++;
                continue;
            }
            wanted.computeIfAbsent(job.endpoint(), endpoint -> new LinkedHashMap<>())
                    .put(description(ce, job, report, changed), job);
        }
        changed.forEach(file -> summarize(file + " has changed since it was submitted: the jobs get it as it is now"));
        return submit(wanted, ces, left);
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
        return Language.of(report.jdl()) == Language.JDL
                ? null
                : "its description is in " + Language.of(report.jdl()) + ": submit its file again with ce submit";
    }

    private Submitter.Description description(ComputingElement ce, JobUrl job, JobReport report, Set<String> changed) {
        JdlText first = JdlText.of(report.jdl());
        List<String> labels = new ArrayList<>(first.strings("Labels"));
        labels.removeIf(label -> label.startsWith(LABEL + "="));
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

    private static boolean isNewer(Path file, Instant time) {
        try {
            return Files.getLastModifiedTime(file).toInstant().isAfter(time);
        } catch (IOException e) {
            // The upload reports it.
            return false;
        }
    }

    private int submit(
            Map<Endpoint, Map<Submitter.Description, JobUrl>> wanted, Map<Endpoint, ComputingElement> ces, int left) {
        ObjectNode root = options.json() ? JsonResult.object().put("leftOut", left) : null;
        ArrayNode submitted = root == null ? null : root.putArray("jobs");
        ArrayNode refused = root == null ? null : root.putArray("refused");
        try (SubmissionSignals signals = new SubmissionSignals(context, name(), false)) {
            wanted.forEach((endpoint, jobs) -> {
                ComputingElement ce = ces.get(endpoint);
                Submitter submitter = new Submitter(
                        ce,
                        ce.delegate().orElse(null),
                        this::fail,
                        this::started,
                        bar(),
                        new SubmissionLog(context.environment(), context.clock()),
                        signals);
                try {
                    submitter.submit(List.copyOf(jobs.keySet()));
                } catch (CliException e) {
                    fail(endpoint, e.advised());
                }
                if (root != null) {
                    submitter
                            .jobs()
                            .forEach((description, job) -> submitted
                                    .addObject()
                                    .put("id", job.toString())
                                    .put("resubmitOf", jobs.get(description).toString()));
                    submitter
                            .refusals()
                            .forEach((description, fault) -> JsonResult.fault(
                                    refused.addObject()
                                            .put("id", jobs.get(description).toString()),
                                    fault));
                }
            });
            if (root != null) {
                JsonResult.print(context.out(), root);
            }
            return signals.stopped().map(Signal::exitCode).orElse(failed() ? ExitCode.FAILED : ExitCode.OK);
        }
    }

    private void started(JobUrl job) {
        if (!options.json()) {
            context.out().println(job);
            context.out().flush();
        }
    }
}
