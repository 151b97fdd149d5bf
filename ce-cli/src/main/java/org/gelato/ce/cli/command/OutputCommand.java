package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.choice.Grouping;
import org.gelato.ce.cli.choice.JobIds;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.output.OutputDirectory;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.OutputFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ce output}: fetches what jobs left behind and prints the path of each file written. */
@Command(name = "output", description = "Fetches the output files of jobs and prints where they are.")
public final class OutputCommand extends CeCommand {
    @Mixin
    private JobIds ids = new JobIds();

    @Option(
            names = {"-d", "--dir"},
            paramLabel = "DIR",
            description = "Where to save; with several jobs each gets its own directory in it. Default: ./<CREAM id>.")
    private Path directory;

    @Option(
            names = "--all",
            description =
                    "Over ARC REST, where all files of a job lie in one directory: fetch also those that were brought.")
    private boolean all;

    public OutputCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        List<JobUrl> jobs = ids.read(context.in(), options.endpointOr(context.environment()));
        Map<Endpoint, List<JobUrl>> groups = Grouping.byEndpoint(jobs);
        boolean severalJobs =
                groups.size() > 1 || groups.values().iterator().next().size() > 1;
        ObjectNode root = options.json() ? Json.object() : null;
        ArrayNode fetched = root == null ? null : root.putArray("jobs");
        for (Map.Entry<Endpoint, List<JobUrl>> group : groups.entrySet()) {
            ComputingElement ce = connect(group.getKey());
            for (JobUrl job : group.getValue()) {
                try {
                    fetch(ce, job, target(job, severalJobs, groups.size() > 1), fetched);
                } catch (CliException e) {
                    if (options.debug()) {
                        e.printStackTrace(context.err());
                    }
                    fail(job, e.getMessage());
                }
            }
        }
        if (root != null) {
            Json.print(context.out(), root);
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    private Path target(JobUrl job, boolean severalJobs, boolean severalCes) {
        // Job numbers are unique within one CE only.
        String own =
                severalCes ? job.endpoint().host() + "_" + job.endpoint().port() + "_" + job.localId() : job.localId();
        if (directory == null) {
            return context.workingDirectory().resolve(own);
        }
        Path base = context.workingDirectory().resolve(directory);
        return severalJobs ? base.resolve(own) : base;
    }

    private void fetch(ComputingElement ce, JobUrl job, Path target, ArrayNode fetched) {
        List<OutputFile> files = ce.outputFiles(job.localId(), all);
        OutputDirectory output = OutputDirectory.create(target);
        ObjectNode node = fetched == null ? null : fetched.addObject().put("id", job.toString());
        ArrayNode list =
                node == null ? null : node.put("directory", target.toString()).putArray("files");
        for (OutputFile file : files) {
            Path saved = output.save(file, () -> ce.output(job.localId(), file.name()));
            if (list != null) {
                list.addObject()
                        .put("name", file.name())
                        .put("size", file.size())
                        .put("path", saved.toString());
            } else {
                context.out().println(saved);
            }
        }
        if (files.isEmpty() && !options.json()) {
            context.err().println(job + " has no output files");
        }
    }
}
