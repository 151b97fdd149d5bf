package org.gelato.ce.lrms.slurm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitAttributes;
import org.gelato.ce.core.lrms.option.JobScript;
import org.gelato.ce.core.lrms.option.QueueName;

/** Makes the one sbatch call of a submission; its wrapper and its sandbox travel in the same message. Pure. */
final class SbatchCommand {
    private static final Pattern MEMORY = SubmitAttributes.choice("p?mem=", "--mem(-per-[cg]pu)?[=\\s]");

    /** Where jobs begin whose nodes do not see the sandboxes. */
    static final String OUTSIDE = "/";

    /** Limits of processes on this host are not the job's; those of its node hold, as for a job by slurmrestd. */
    private static final String NO_LIMITS = "--propagate=NONE";

    private SbatchCommand() {}

    /**
     * @param attributes what the site's script says of the job
     * @throws IllegalArgumentException with a message for the user when Slurm can never take such a job
     */
    static Run of(Submission submission, SubmitAttributes attributes, SlurmConfig config) {
        List<String> argv = new ArrayList<>();
        argv.add(config.site().program("sbatch"));
        argv.add("--parsable");
        argv.addAll(identity(submission, config.nodeOutput()));
        String wrapper = submission.wrapper();
        if (attributes.isEmpty()) {
            argv.addAll(requests(submission));
            argv.add(NO_LIMITS);
        } else {
            // options would count more than the site's directives
            wrapper = withDirectives(submission, attributes);
        }
        // the whole of the small environment below; NONE or a list would make every node run "su - account" first
        argv.add("--export=ALL");
        argv.add(submission.wrapperFile().toString());
        return config.site().handOver(submission, argv, home(submission, config), submission.wrapperFile(), wrapper);
    }

    /**
     * What the job is and requests, in sbatch's options.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    static List<String> options(Submission submission, String nodeOutput) {
        List<String> options = identity(submission, nodeOutput);
        options.addAll(requests(submission));
        return options;
    }

    private static List<String> identity(Submission submission, String nodeOutput) {
        List<String> options = new ArrayList<>();
        options.add("--job-name=" + submission.id().tag());
        options.addAll(places(submission, nodeOutput));
        // a job that Slurm starts again by itself would find its claim taken
        options.add("--no-requeue");
        return options;
    }

    private static List<String> requests(Submission submission) {
        QueueName.check(submission, "partition");
        List<String> options = new ArrayList<>();
        // by this it is known where its name was changed; the site's own comment counts more
        options.add("--comment=" + submission.id().tag());
        options.add("--partition=" + submission.queue());
        options.addAll(NodeOptions.of(submission.request().resources()));
        return options;
    }

    /** Of two directives that say the same the later one counts, which is the site's. */
    private static String withDirectives(Submission submission, SubmitAttributes attributes) {
        List<String> directives = new ArrayList<>();
        directives.add("#SBATCH " + NO_LIMITS);
        boolean memory = attributes.hasDirective(MEMORY);
        for (String option : requests(submission)) {
            // these exclude each other
            if (!memory || !option.startsWith("--mem")) {
                directives.add("#SBATCH " + option);
            }
        }
        directives.addAll(attributes.directives());
        return JobScript.of(submission.wrapper(), directives, attributes.commands());
    }

    /** The job's home; null where its node does not see the sandbox. */
    static Path home(Submission submission, SlurmConfig config) {
        return config.nodeOutput() == null ? submission.sandbox() : null;
    }

    /** Where the wrapper begins and prints, both on the worker node. */
    private static List<String> places(Submission submission, String nodeOutput) {
        if (nodeOutput != null) {
            return List.of("--chdir=" + OUTSIDE, "--output=" + nodeOutput);
        }
        return List.of(
                "--chdir=" + submission.sandbox(),
                "--output=" + fileName(submission.stdout()),
                "--error=" + fileName(submission.stderr()));
    }

    /** Slurm replaces % patterns in the names of output files, and none at all in one with a backslash. */
    private static String fileName(Path path) {
        String name = path.toString();
        if (name.indexOf('\\') >= 0) {
            throw new IllegalArgumentException("Slurm cannot write to a path with a backslash: " + name);
        }
        return name.replace("%", "%%");
    }
}
