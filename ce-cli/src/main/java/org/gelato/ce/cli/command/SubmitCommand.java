package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.NamingOptions;
import org.gelato.ce.cli.description.DescriptionFile;
import org.gelato.ce.cli.description.ForeignDescription;
import org.gelato.ce.cli.description.JdlFile;
import org.gelato.ce.cli.description.JdlMistakes;
import org.gelato.ce.cli.description.JdlText;
import org.gelato.ce.cli.description.LocalItem;
import org.gelato.ce.cli.description.NamedDescription;
import org.gelato.ce.cli.description.Point;
import org.gelato.ce.cli.description.Scan;
import org.gelato.ce.cli.description.SessionDescriptions;
import org.gelato.ce.cli.display.JobWatch;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.display.ProgressLine;
import org.gelato.ce.cli.submission.Copies;
import org.gelato.ce.cli.submission.Destination;
import org.gelato.ce.cli.submission.LocalInput;
import org.gelato.ce.cli.submission.SubmissionLog;
import org.gelato.ce.cli.submission.SubmissionSignals;
import org.gelato.ce.cli.submission.Submitter;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.OutputLost;
import org.gelato.ce.cli.terminal.Signals.Signal;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobText;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.cli.wire.ResourceName;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code ce submit}: delegates, registers, uploads, starts. Every file is read and checked before anything is sent. Standard output holds the ids of
 * started jobs and nothing else.
 */
@Command(name = "submit", description = "Submits jobs; prints their ids, one per line.")
public final class SubmitCommand extends CeCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "Job descriptions in JDL, over ARC REST also in ADL and xRSL; '-' reads one from standard input.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = {"-r", "--resource"},
            paramLabel = Destination.FORM,
            description = "CE and queue, or the queue alone, put into the JDL, or sent beside ADL and xRSL. Default:"
                    + " $CE_RESOURCE; with -e HOST the description itself must name the queue.")
    private String resource;

    @Option(
            names = {"-a", "--autm-delegation"},
            description =
                    "Delegate your proxy for this submission (the default; with a token alone there is none to delegate).")
    private boolean automatic;

    @Option(
            names = {"-D", "--delegationId"},
            paramLabel = "ID",
            description = "Use a proxy delegated before, see 'ce delegate'.")
    private String delegationId;

    @Option(names = "--wait", description = "Wait until the jobs end; exit 0 only if all are DONE-OK.")
    private boolean wait;

    @Option(
            names = "--exit-code",
            description = "With --wait and one job: exit with the exit code of the job's program, and with "
                    + NO_EXIT_CODE + " when there is none.")
    private boolean exitCode;

    /** For a job that was not run to an exit code. */
    static final int NO_EXIT_CODE = ExitCode.NO_PROGRAM;

    @Mixin
    private Scan scan = new Scan();

    @Mixin
    private NamingOptions naming = new NamingOptions();

    /** Whose ids standard output has taken. */
    private final Set<String> told = new HashSet<>();

    public SubmitCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() throws InterruptedException {
        try (SubmissionSignals signals = new SubmissionSignals(context, name(), false);
                Copies copies = new Copies(context.environment())) {
            int code = submit(signals, copies);
            return signals.stopped().map(Signal::exitCode).orElse(code);
        } catch (CliException e) {
            if (!exitCode) {
                throw e;
            }
            fail(files.get(0), e.advised());
            return NO_EXIT_CODE;
        }
    }

    private int submit(SubmissionSignals signals, Copies copies) throws InterruptedException {
        if (automatic && delegationId != null) {
            throw usage("-a and -D exclude each other");
        }
        if (delegationId != null && delegationId.isBlank()) {
            throw usage("the delegation id is empty");
        }
        if (exitCode && (!wait || files.size() != 1)) {
            throw usage("--exit-code needs --wait and one job description");
        }
        if (files.stream().filter("-"::equals).count() > 1) {
            throw usage("standard input holds one job description only");
        }
        Destination destination = destination();
        List<Submitter.Description> descriptions = descriptions(destination, copies);
        if (exitCode && descriptions.size() > 1) {
            throw usage("--exit-code needs one job, and this is a scan of " + jobs(descriptions.size()));
        }

        ComputingElement ce = connect(destination.endpoint());
        descriptions.forEach(description -> description.check(ce));
        String delegation = delegationId != null ? delegationId : ce.delegate().orElse(null);
        Submitter submission = new Submitter(
                ce,
                delegation,
                this::fail,
                this::started,
                bar(),
                new SubmissionLog(context.environment(), context.clock()),
                signals);
        if (options.json()) {
            // They run, and nothing else names them to a user who interrupts the command.
            signals.onLeaving(() -> JsonResult.print(context.out(), json(submission, delegation, List.of(), null)));
        }
        List<Submitter.Description> left = List.of();
        String why = null;
        try {
            submission.submit(descriptions);
        } catch (OutputLost e) {
            tellUntold(submission.jobs().values());
            throw e;
        } catch (CliException e) {
            Set<Submitter.Description> known = new HashSet<>(submission.jobs().keySet());
            known.addAll(submission.refusals().keySet());
            left = descriptions.stream().filter(d -> !known.contains(d)).toList();
            if (left.size() == descriptions.size() && signals.stopped().isEmpty()) {
                throw e;
            }
            why = e.getMessage();
            fail(left.get(0).file() + (left.size() == 1 ? "" : " and " + (left.size() - 1) + " more"), e.advised());
        }
        ObjectNode json = options.json() ? json(submission, delegation, left, why) : null;

        Map<JobUrl, StatusReport> ends = Map.of();
        Collection<JobUrl> followed = submission.followed().values();
        if (wait && !followed.isEmpty() && signals.stopped().isEmpty()) {
            ends = waitFor(ce, followed);
        }
        if (json != null) {
            signals.onLeaving(() -> {});
            try {
                JsonResult.print(context.out(), withEnds(json, submission, ends));
            } catch (OutputLost e) {
                tellUntold(submission.jobs().values());
                throw e;
            }
        }
        if (exitCode) {
            return ends.values().stream()
                    .findFirst()
                    .map(StatusReport::forShell)
                    .orElse(NO_EXIT_CODE);
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    /** An explicit -e means that the description names its queue, whatever the environment proposes. */
    private Destination destination() {
        return Destination.choose(resource, options, context)
                .orElseThrow(() -> usage("where to? Name the queue with -r " + Destination.FORM
                        + " or in CE_RESOURCE, or for good: ce config set endpoint HOST[:PORT], ce config set queue"
                        + " cream-LRMS-QUEUE"));
    }

    private List<Submitter.Description> descriptions(Destination destination, Copies copies) {
        List<Point> points = scan.points(context.workingDirectory());
        List<Submitter.Description> descriptions = new ArrayList<>();
        for (String file : files) {
            Path directory = DescriptionFile.directory(file, context.workingDirectory());
            String label = DescriptionFile.label(file);
            boolean[] first = {true};
            Scan.expand(label, read(label, file), points).forEach((point, text) -> {
                Submitter.Description one = description(
                        label + point.suffix(), text, point, destination, new Local(directory, copies), first[0]);
                descriptions.add(one);
                first[0] = false;
            });
        }
        return descriptions;
    }

    /** Where input files are, and what is made of those that can be read once. */
    private record Local(Path directory, Copies copies) {}

    /** @param first of a file, for which what holds for all of its jobs is reported */
    private Submitter.Description description(
            String label, String plain, Point point, Destination destination, Local local, boolean first) {
        ResourceName queue = destination.queue();
        Language language = Language.of(plain);
        String text = NamedDescription.of(label, language, plain, naming.read(), point);
        if (language != Language.JDL) {
            List<LocalItem> items = SessionDescriptions.localInput(label, language, text);
            boolean named = destination.byDefault() && SessionDescriptions.namesQueue(label, language, text);
            return new Submitter.Description(
                    label,
                    new JobText(
                            SessionDescriptions.toSend(label, language, text),
                            queue == null || named ? null : queue.queue()),
                    LocalInput.named(label, items, local.directory(), local.copies()));
        }
        JdlText jdl = JdlFile.of(label, text, queue, destination.byDefault());
        if (first) {
            JdlMistakes.of(label, jdl).forEach(this::summarize);
        }
        return new Submitter.Description(
                label,
                JobText.of(jdl.toString()),
                LocalInput.find(
                        label + ": " + jdl.place("InputSandbox"),
                        jdl.localInputFiles(),
                        local.directory(),
                        local.copies()),
                jdl::placed);
    }

    private String read(String label, String file) {
        String text = DescriptionFile.read(file, context.workingDirectory(), context.in());
        ForeignDescription.advice(label, file, text).ifPresent(advice -> {
            throw new CliException(advice);
        });
        return text;
    }

    private void started(JobUrl job) {
        if (!options.json()) {
            context.out().println(job);
            // A reader at the other end of a pipe, and a user who interrupts --wait, must have the id now.
            context.out().flush();
            told.add(job.toString());
        }
    }

    /** Names the jobs that run and whose ids standard output has not taken. */
    private void tellUntold(Collection<JobUrl> jobs) {
        List<JobUrl> untold =
                jobs.stream().filter(job -> !told.contains(job.toString())).toList();
        if (!untold.isEmpty()) {
            summarize(jobs(untold.size())
                    + " at the CE that standard output has not named; ce status - shows, and ce cancel -"
                    + " cancels, those that standard input names:");
            untold.forEach(context.err()::println);
        }
    }

    private Map<JobUrl, StatusReport> waitFor(ComputingElement ce, Collection<JobUrl> all) throws InterruptedException {
        JobWatch watch = new JobWatch(context, ce, new ProgressLine(context, name()));
        try {
            watch.follow(all);
        } catch (CliException e) {
            fail(jobs(all.size()), e.advised());
        }
        watch.refusals().forEach((job, fault) -> fail(job, fault.advised()));
        watch.ends().forEach((job, status) -> {
            if (!status.isDoneOk()) {
                fail(job, Lines.status(status));
            }
        });
        summarizeEnds(all.size(), watch.ends());
        return watch.ends();
    }

    private static ObjectNode json(
            Submitter submission, String delegation, List<Submitter.Description> left, String why) {
        ObjectNode root = JsonResult.object();
        JsonResult.put(root, "delegationId", delegation);
        ArrayNode jobs = root.putArray("jobs");
        submission
                .jobs()
                .forEach(
                        (file, job) -> jobs.addObject().put("file", file.file()).put("id", job.toString()));
        ArrayNode refused = root.putArray("refused");
        submission
                .refusals()
                .forEach((file, fault) -> JsonResult.fault(refused.addObject().put("file", file.file()), fault));
        if (!left.isEmpty()) {
            ArrayNode files = root.putObject("notSubmitted").put("reason", why).putArray("files");
            left.forEach(description -> files.add(description.file()));
        }
        return root;
    }

    private static ObjectNode withEnds(ObjectNode root, Submitter submission, Map<JobUrl, StatusReport> ends) {
        int position = 0;
        for (JobUrl job : submission.jobs().values()) {
            StatusReport end = ends.get(job);
            if (end != null) {
                JsonResult.add((ObjectNode) root.path("jobs").get(position), end);
            }
            position++;
        }
        return root;
    }
}
