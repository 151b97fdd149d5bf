package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.Grouping;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.display.ProgressBar;
import org.gelato.ce.cli.http.CountedInput;
import org.gelato.ce.cli.submission.OutputDirectory;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.OutputFile;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ce output}: fetches what jobs left behind and prints the path of each file written. */
@Command(
        name = "output",
        description = {
            "Fetches the output files of jobs and prints where they are.",
            "Of a job that has not ended it says so, and fetches what there is."
        },
        footer = {
            "",
            "Exit code: 0 fetched, 1 failed, or a job that failed or was cancelled left no file (also for one job of many),"
                    + " 2 wrong command line, 3 a job has not ended."
        })
public final class OutputCommand extends CeCommand {
    /** In characters: a file system takes 255 bytes. */
    private static final int MAX_FOLDER = 200;

    private static final Set<String> BEFORE_THE_RUN = Set.of("REGISTERED", "PENDING", "IDLE");

    @Mixin
    private ChosenJobs choice = new ChosenJobs();

    @Option(
            names = {"-d", "--dir"},
            paramLabel = "DIR",
            description =
                    "Where to save; with several jobs, --all or criteria each gets its own directory in it. Default: ./<CREAM id>.")
    private Path directory;

    @Option(
            names = "--by",
            paramLabel = "LABEL",
            description =
                    "With --name or --label: name each job's directory by this label, as mass=100, and by several when it is"
                            + " repeated. Jobs that share one have their ids behind it.")
    private List<String> by = new ArrayList<>();

    /** Names of directories by job, where labels name them. */
    private Map<String, String> folders = Map.of();

    @Option(
            names = "--with-input",
            description =
                    "Over ARC REST, where all files of a job lie in one directory: fetch also those that were brought, which are there until the job has ended.")
    private boolean withInput;

    public OutputCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        ChosenJobs.Chosen chosen = choice.ofQuestion(context.in(), named());
        Map<Endpoint, List<JobUrl>> groups = Grouping.byEndpoint(chosen.jobs());
        if (!by.isEmpty() && !chosen.criteria().naming().isGiven()) {
            throw usage("--by wants --name or --label, which find the jobs");
        }
        // However many jobs meet criteria, each gets its own directory.
        boolean severalJobs = chosen.jobs().isEmpty()
                || groups.size() > 1
                || groups.values().iterator().next().size() > 1;
        ObjectNode root = options.json() ? JsonResult.object() : null;
        ArrayNode fetched = root == null ? null : root.putArray("jobs");
        Map<Endpoint, ComputingElement> ces = new HashMap<>();
        // The state first: whatever is listed afterwards is all that a job in that state had.
        List<JobResponse<StatusReport>> states = ask(chosen, (ce, selector) -> {
            ces.put(ce.endpoint(), ce);
            return ce.status(selector);
        });
        if (!by.isEmpty() && !states.isEmpty()) {
            folders = folders(
                    states.stream().map(state -> state.job().localId()).toList(),
                    ces.values()
                            .iterator()
                            .next()
                            .messages()
                            .labels(chosen.criteria().naming()));
        }
        boolean ended = true;
        for (JobResponse<StatusReport> state : states) {
            JobUrl job = state.job();
            StatusReport status = state.response().value();
            if (status == null) {
                fail(job, state.response().fault().advised());
                continue;
            }
            ended &= status.isFinal();
            try {
                ComputingElement ce = ces.get(job.endpoint());
                boolean any = fetch(ce, job, status, target(job, severalJobs, groups.size() > 1), fetched);
                report(ce, job, status, any);
            } catch (CliException e) {
                if (options.debug()) {
                    e.printStackTrace(context.err());
                }
                fail(job, e.advised());
            }
        }
        if (root != null) {
            JsonResult.print(context.out(), root);
        }
        if (failed()) {
            return ExitCode.FAILED;
        }
        return ended ? ExitCode.OK : ExitCode.NOT_ENDED;
    }

    /** Says why there is no output, or less than there will be. */
    private void report(ComputingElement ce, JobUrl job, StatusReport status, boolean any) {
        if (status.isDoneOk()) {
            if (!any) {
                context.err().println(job + " has no output files");
            }
        } else if (status.isFinal()) {
            if (!any) {
                fail(job, "it left no output files: " + Lines.status(status));
            }
        } else {
            context.err()
                    .println(job + " has not ended: " + Lines.status(status) + "; "
                            + (any ? "these are its files so far" : "it has no output files yet")
                            + live(ce, job, status.name()));
        }
    }

    /**
     * Saves a file.
     *
     * @param saves how many of the job were saved before
     */
    private static Path save(
            OutputDirectory output, OutputFile file, OutputDirectory.Content content, int saves, int all, Path target) {
        try {
            return output.save(file, content);
        } catch (ConnectionFailure e) {
            throw new ConnectionFailure(
                    file.name() + ": " + e.getMessage() + "; " + saves + " of " + all + " files are in " + target
                            + ", and all are still on the CE: fetch them again with -d and another directory",
                    e);
        }
    }

    /** What a job that has not ended has sent of its output. */
    private static String live(ComputingElement ce, JobUrl job, String state) {
        if (BEFORE_THE_RUN.contains(state)) {
            return "";
        }
        boolean[] sent = {false};
        try {
            ce.messages()
                    .page(
                            new MessageCalls.Query(List.of(job.localId()), "own", List.of(), null, true),
                            "0",
                            1,
                            message -> sent[0] = true);
        } catch (CliException e) {
            // A CE without live output, or one that does not say: the state alone is reported.
            return "";
        }
        return sent[0]
                ? "; it has sent output or messages, which ce follow shows"
                : "; it has sent nothing so far, ce follow shows what it prints";
    }

    private static InputStream counted(ComputingElement ce, JobUrl job, OutputFile file, ProgressBar bar) {
        return new CountedInput(ce.output(job.localId(), file.name()), 0, bar.file(file.name(), file.size()));
    }

    /** What a label has is any text: of it, no more becomes a name than a file system and a shell take as it is. */
    private Map<String, String> folders(List<String> ids, Map<String, Map<String, String>> labels) {
        Map<String, String> names = new HashMap<>();
        Map<String, Integer> jobs = new HashMap<>();
        for (String id : ids) {
            Map<String, String> own = labels.getOrDefault(id, Map.of());
            String name = by.stream()
                    .filter(own::containsKey)
                    .map(label -> label + "=" + own.get(label))
                    .collect(Collectors.joining(","))
                    .replaceAll("[^A-Za-z0-9=,._+-]", "_");
            if (!name.isEmpty()) {
                names.put(id, name.substring(0, Math.min(name.length(), MAX_FOLDER)));
                // Some file systems ignore case.
                jobs.merge(names.get(id).toLowerCase(Locale.ROOT), 1, Integer::sum);
            }
        }
        names.replaceAll((id, name) -> jobs.get(name.toLowerCase(Locale.ROOT)) > 1 ? name + "_" + id : name);
        return names;
    }

    private Path target(JobUrl job, boolean severalJobs, boolean severalCes) {
        // Job numbers are unique within one CE only.
        String own =
                severalCes ? job.endpoint().host() + "_" + job.endpoint().port() + "_" + job.localId() : job.localId();
        own = folders.getOrDefault(job.localId(), own);
        if (directory == null) {
            return context.workingDirectory().resolve(own);
        }
        Path base = context.workingDirectory().resolve(directory);
        return severalJobs ? base.resolve(own) : base;
    }

    /** @return whether there was any file */
    private boolean fetch(ComputingElement ce, JobUrl job, StatusReport status, Path target, ArrayNode fetched) {
        List<OutputFile> files = ce.outputFiles(job.localId(), withInput);
        ObjectNode node = fetched == null ? null : fetched.addObject().put("id", job.toString());
        ArrayNode list = null;
        if (node != null) {
            node.put("status", status.name()).put("ended", status.isFinal());
            list = node.put("directory", target.toString()).putArray("files");
        }
        if (files.isEmpty()) {
            return false;
        }
        OutputDirectory output = OutputDirectory.create(target);
        int saves = 0;
        ProgressBar bar = bar();
        for (OutputFile file : files) {
            Path saved;
            try {
                saved = save(output, file, () -> counted(ce, job, file, bar), saves++, files.size(), target);
            } finally {
                bar.clear();
            }
            if (list != null) {
                list.addObject()
                        .put("name", file.name())
                        .put("size", file.size())
                        .put("path", saved.toString());
            } else {
                context.out().println(saved);
            }
        }
        return true;
    }
}
