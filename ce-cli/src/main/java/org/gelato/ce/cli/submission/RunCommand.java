package org.gelato.ce.cli.submission;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.gelato.ce.cli.context.AgeText;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.NamingOptions;
import org.gelato.ce.cli.context.StandardStreams;
import org.gelato.ce.cli.description.JdlFile;
import org.gelato.ce.cli.description.JdlText;
import org.gelato.ce.cli.description.NamedDescription;
import org.gelato.ce.cli.description.Point;
import org.gelato.ce.cli.description.Scan;
import org.gelato.ce.cli.display.ProgressBar;
import org.gelato.ce.cli.display.ProgressLine;
import org.gelato.ce.cli.http.CountedInput;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.GivenFile;
import org.gelato.ce.cli.terminal.OutputLost;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.terminal.Signals.Signal;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.InputFile;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobText;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.cli.wire.OutputFile;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ce run}: a command line as a job, as if it ran here. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a command as a job: prints what it prints as it comes, and ends with its exit code.",
            "A program with a path that is not absolute (./work.sh) is a file of yours that is brought along; a bare name is looked"
                    + " for on the worker node.",
            "Standard input, where it is a pipe or a file, is read to its end first, and is the command's."
        },
        footer = {
            "",
            "Ctrl-C asks whether to cancel the job; pressed again it leaves at once and the job goes on. Without a terminal"
                    + " SIGINT and SIGTERM cancel it.",
            "The job stays at the CE until it is purged; its id is printed on standard error.",
            "With --each or --each-line it submits the jobs, prints their ids on standard output, and ends: ce wait and ce output do the rest.",
            "Exit code: that of the command; " + ExitCode.NO_PROGRAM
                    + " when it did not run to its end, 130 or 143 when a signal"
                    + " cancelled it, 2 wrong command line."
        })
public final class RunCommand implements Callable<Integer> {
    private final CliContext context;
    private final CommonOptions options;

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The program and its arguments.")
    private List<String> command = new ArrayList<>();

    @Option(
            names = {"-r", "--resource"},
            paramLabel = Destination.FORM,
            description = "CE and queue, or the queue alone. Default: $CE_RESOURCE, else your configuration file's.")
    private String resource;

    @Option(names = "--cores", paramLabel = "N", description = "So many processors, on one node. Default: 1.")
    private Integer cores;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = SizeText.class,
            description = "So much memory: " + SizeText.FORM + ".")
    private Long memory;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            converter = AgeText.class,
            description = "So long at most: " + AgeText.FORM + ".")
    private Duration time;

    @Option(
            names = "--env",
            paramLabel = "NAME[=VALUE]",
            description = "A variable of the command's environment; without a value the one it has here.")
    private List<String> variables = new ArrayList<>();

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "A file to bring along, or an https address. May be repeated.")
    private List<String> input = new ArrayList<>();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description =
                    "A file that the command makes, or a pattern in quotes: fetched at its end into this directory.")
    private List<String> output = new ArrayList<>();

    @Option(
            names = {"-n", "--no-stdin"},
            description = "Do not read standard input, as in a loop that reads it; the command gets none.")
    private boolean noInput;

    @Mixin
    private Scan scan = new Scan();

    @Mixin
    private NamingOptions naming = new NamingOptions();

    @Option(names = "--purge", description = "Remove the job from the CE when all is fetched.")
    private boolean purge;

    @Spec
    private CommandSpec spec;

    private ComputingElement ce;
    private JobStreams streams;
    private ProgressLine line;
    private ProgressBar bar;
    private boolean failed;

    public RunCommand(CliContext context, CommonOptions options) {
        this.context = context;
        this.options = options;
    }

    @Override
    public Integer call() {
        if (options.json()) {
            throw usage("standard output is the command's: --json does not go with it; ce info --json shows the job");
        }
        if (cores != null && cores < 1) {
            throw usage("--cores must be 1 or more, not " + cores);
        }
        if (time != null && time.isZero()) {
            throw usage("--time must be more than nothing");
        }
        CommandDescription description =
                new CommandDescription(command, cores, memory, time, environment(), input, output);
        Destination destination = Destination.choose(resource, options, context)
                .filter(chosen -> chosen.queue() != null)
                .orElseThrow(() -> usage("where to? Name the queue with -r " + Destination.FORM
                        + " or in CE_RESOURCE, or for good: ce config set endpoint HOST[:PORT], ce config set queue"
                        + " cream-LRMS-QUEUE"));
        if (scan.isGiven() && purge) {
            throw usage("--purge is for one job, which is waited for: --each and --each-line do not go with it");
        }
        try (Copies copies = new Copies(context.environment())) {
            List<Point> points = scan.points(context.workingDirectory());
            if (!scan.isGiven()) {
                output.forEach(this::requireFree);
            }
            Local local = new Local(description, noInput ? Optional.empty() : standardInput(copies), copies);
            return scan.isGiven()
                    ? submit(destination, local, points)
                    : run(destination, job(destination, local, local.jdl(), Point.NONE));
        } catch (CliException e) {
            if (options.debug()) {
                e.printStackTrace(context.err());
            }
            fail(e.advised());
            return ExitCode.NO_PROGRAM;
        }
    }

    /** What is read here for the job or jobs. */
    private record Local(CommandDescription description, Optional<InputFile> standardInput, Copies copies) {
        private String jdl() {
            return description.jdl(standardInput.isPresent());
        }
    }

    private Submitter.Description job(Destination destination, Local local, String text, Point point) {
        JdlText jdl = JdlFile.of(
                "the command",
                NamedDescription.of("the command", Language.JDL, text, naming.read(), point),
                destination.queue(),
                false);
        List<String> items =
                local.description().localItems().stream().map(point::replaced).toList();
        List<InputFile> files = new ArrayList<>(LocalInput.find(
                "the command" + point.suffix() + ": ", items, context.workingDirectory(), local.copies()));
        local.standardInput().ifPresent(files::add);
        return new Submitter.Description(command.get(0) + point.suffix(), JobText.of(jdl.toString()), files);
    }

    /** Submits the jobs of a scan, which nobody follows. */
    private int submit(Destination destination, Local local, List<Point> points) {
        List<Submitter.Description> jobs = new ArrayList<>();
        Scan.expand("the command", local.jdl(), points)
                .forEach((point, text) -> jobs.add(job(destination, local, text, point)));
        try (SubmissionSignals signals = new SubmissionSignals(context, name(), false)) {
            connect(destination, jobs.get(0));
            Submitter submitter = submitter(signals, (subject, why) -> fail(subject + ": " + why), job -> {
                context.out().println(job);
                context.out().flush();
            });
            submit(submitter, jobs, signals);
            return signals.stopped().map(Signal::exitCode).orElse(failed ? ExitCode.FAILED : ExitCode.OK);
        }
    }

    private void connect(Destination destination, Submitter.Description description) {
        ce = context.connector().connect(destination.endpoint(), options, context);
        description.check(ce);
        line = new ProgressLine(context, name());
        bar = new ProgressBar(context, line);
    }

    private Submitter submitter(
            SubmissionSignals signals, BiConsumer<Object, String> failure, Consumer<JobUrl> started) {
        return new Submitter(
                ce,
                ce.delegate().orElse(null),
                failure,
                started,
                bar,
                new SubmissionLog(context.environment(), context.clock()),
                signals);
    }

    /** Standard input, read to its end where somebody gives it: a pipe or a file; empty where there is nothing in it. */
    private Optional<InputFile> standardInput(Copies copies) {
        StandardStreams streams = context.streams();
        if (streams.input() == GivenFile.Kind.OTHER) {
            return Optional.empty();
        }
        if (streams.input() == GivenFile.Kind.PIPE && isSlow(streams.in())) {
            message("waits for standard input, a pipe, and reads it to its end; with -n it does not");
        }
        Path copy = copies.of("standard input", streams.in());
        long size = Copies.size(copy);
        if (size == 0) {
            return Optional.empty();
        }
        message("standard input: " + Copies.size(size));
        return Optional.of(new InputFile(CommandDescription.STDIN, copy));
    }

    private static boolean isSlow(InputStream in) {
        try {
            return in.available() == 0;
        } catch (IOException e) {
            return true;
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : variables) {
            int equals = variable.indexOf('=');
            String name = equals < 0 ? variable : variable.substring(0, equals);
            String value = equals < 0 ? context.environment().get(name) : variable.substring(equals + 1);
            if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                throw usage("--env: '" + Printable.line(name) + "' is no name for a variable");
            }
            if (value == null) {
                throw usage("--env: " + name + " is not set here: write " + name + "=VALUE");
            }
            if (!value.equals(value.strip())) {
                throw usage("--env: the value of " + name + " has blanks at its ends, which would be lost");
            }
            environment.put(name, value);
        }
        return environment;
    }

    /** What would be found out when the job has ended is said before it begins. */
    private void requireFree(String name) {
        Path target = context.workingDirectory().resolve(CommandDescription.baseName(name));
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new CliException("--output: " + target + " is there already: remove it, or run in another directory");
        }
    }

    private int run(Destination destination, Submitter.Description description) {
        try (SubmissionSignals signals = new SubmissionSignals(context, name(), true)) {
            return run(destination, description, signals);
        }
    }

    private int run(Destination destination, Submitter.Description description, SubmissionSignals signals) {
        connect(destination, description);
        Submitter submitter = submitter(signals, (subject, why) -> message(why), job -> message("job " + job));
        submit(submitter, List.of(description), signals);
        JobUrl job = submitter.followed().get(description);
        if (job == null) {
            return signals.stopped().map(Signal::exitCode).orElse(ExitCode.NO_PROGRAM);
        }
        streams = new JobStreams(context.out(), context.err());
        Interruption interruption = new Interruption(context, name(), job);
        JobFollower follower = new JobFollower(interruption.noticedBy(context), ce, job, streams, line, this::message);
        signals.handOver(interruption::came);
        StatusReport end = follow(follower, interruption, job);
        return end(job, end, interruption);
    }

    private void submit(Submitter submitter, List<Submitter.Description> jobs, SubmissionSignals signals) {
        try {
            submitter.submit(jobs);
        } catch (CliException e) {
            if (signals.stopped().isEmpty()) {
                throw e;
            }
            fail(e.advised());
        }
    }

    private StatusReport follow(JobFollower follower, Interruption interruption, JobUrl job) {
        while (true) {
            try {
                return follower.toTheEnd();
            } catch (InterruptedException e) {
                interrupted(interruption, job);
            } catch (CliException e) {
                // A call that is interrupted ends so.
                if (!interruption.isPending()) {
                    throw new CliException(e.getMessage() + "; " + job + " may go on: ce follow " + job, e);
                }
                interrupted(interruption, job);
            } catch (OutputLost e) {
                if (!e.isClosed()) {
                    throw new CliException(e.getMessage() + "; " + job + " goes on: ce follow " + job, e);
                }
                // As SIGPIPE ends a program that runs here.
                cancel(job);
                throw e;
            }
        }
    }

    private void interrupted(Interruption interruption, JobUrl job) {
        if (interruption.wantsCancel()) {
            cancel(job);
        }
    }

    private void cancel(JobUrl job) {
        message("cancelling " + job);
        try {
            // A job that has ended meanwhile is none that can be cancelled.
            ce.cancel(JobSelector.of(List.of(job.localId())))
                    .forEach(refusal -> message(refusal.fault().message()));
        } catch (CliException e) {
            throw new CliException(
                    e.getMessage()
                            + (e.mayHaveBeenDone()
                                    ? "; it is not known whether " + job + " is being cancelled: ce status " + job
                                    : "; " + job + " goes on: ce cancel " + job),
                    e);
        }
    }

    private int end(JobUrl job, StatusReport end, Interruption interruption) {
        boolean fetched = false;
        try {
            fetch(job, end);
            fetched = true;
        } catch (CliException e) {
            fail(e.getMessage() + "; ce output " + job + " fetches it");
        }
        int code = end.forShell();
        if (!end.isDoneOk()) {
            fail(end.name() + (end.failureReason() == null ? "" : ": " + end.failureReason()));
            code = interruption.isCancelling() ? interruption.exitCode() : code == 0 ? ExitCode.FAILED : code;
        }
        if (purge && fetched) {
            remove(job);
        }
        return code == 0 && failed ? ExitCode.FAILED : code;
    }

    /** The exit code tells of the command, whatever becomes of this. */
    private void remove(JobUrl job) {
        try {
            ce.purge(JobSelector.of(List.of(job.localId())))
                    .forEach(refusal -> message(
                            "the job was not removed: " + refusal.fault().advised()));
        } catch (CliException e) {
            message(e.getMessage()
                    + (e.mayHaveBeenDone()
                            ? "; it is not known whether the job was removed: "
                            : "; the job was not removed: ")
                    + "ce purge " + job);
        }
    }

    private void fetch(JobUrl job, StatusReport end) {
        Set<String> missing = new LinkedHashSet<>();
        output.stream()
                .map(CommandDescription::baseName)
                .filter(name -> !name.matches(".*[*?\\[\\]].*"))
                .forEach(missing::add);
        OutputDirectory directory = null;
        for (OutputFile file : ce.outputFiles(job.localId(), false)) {
            missing.remove(file.name());
            if (JobStreams.isStream(file.name())) {
                streams.rest(ce, job.localId(), file);
            } else {
                directory = directory == null ? OutputDirectory.create(context.workingDirectory()) : directory;
                try {
                    directory.save(
                            file,
                            () -> new CountedInput(
                                    ce.output(job.localId(), file.name()), 0, bar.file(file.name(), file.size())));
                } finally {
                    bar.clear();
                }
            }
        }
        if (end.isDoneOk()) {
            missing.forEach(name -> fail("--output: the command made no " + Printable.line(name)));
        }
    }

    private String name() {
        return spec.qualifiedName();
    }

    private void message(String text) {
        context.err().println(name() + ": " + Printable.line(text));
        context.err().flush();
    }

    private void fail(String text) {
        failed = true;
        message(text);
    }
}
