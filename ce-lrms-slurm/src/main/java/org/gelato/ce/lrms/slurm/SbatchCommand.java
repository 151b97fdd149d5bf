package org.gelato.ce.lrms.slurm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.lrms.JobScript;
import org.gelato.ce.core.lrms.QueueName;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.core.lrms.Submission;

/** Makes the one sbatch call of a submission; its wrapper and its sandbox travel in the same message. Pure. */
final class SbatchCommand {
    private static final Pattern MEMORY = SiteScriptLines.choice("p?mem=", "--mem(-per-[cg]pu)?[=\\s]");

    /** Where jobs begin whose nodes do not see the sandboxes. */
    static final String OUTSIDE = "/";

    /** Limits of processes on this host are not the job's; those of its node hold, as for a job by slurmrestd. */
    private static final String NO_LIMITS = "--propagate=NONE";

    private SbatchCommand() {}

    /**
     * @param attributes what the site's script says of the job
     * @throws IllegalArgumentException with a message for the user when Slurm can never take such a job
     */
    static Run of(Submission submission, SiteScriptLines attributes, SlurmConfig config) {
        Map<SlurmOption, Object> options = options(submission, config.wrapperOutput());
        List<String> argv = new ArrayList<>(List.of(config.site().program("sbatch"), "--parsable"));
        List<String> directives = new ArrayList<>(List.of("#SBATCH " + NO_LIMITS));
        String wrapper = submission.wrapper();
        if (attributes.isEmpty()) {
            options.forEach((option, value) -> option.options(value).forEach(argv::add));
            argv.add(NO_LIMITS);
        } else {
            if (attributes.hasDirective(MEMORY)) {
                // these exclude each other
                options.keySet().removeAll(List.of(SlurmOption.MEM, SlurmOption.MEM_PER_CPU));
            }
            // as options, requests would count more than the site's directives; of two directives the later one counts
            options.forEach((option, value) -> {
                if (option.isRequest()) {
                    option.options(value).forEach(text -> directives.add("#SBATCH " + text));
                } else {
                    option.options(value).forEach(argv::add);
                }
            });
            directives.addAll(attributes.directives());
            wrapper = JobScript.of(wrapper, directives, attributes.commands());
        }
        // the whole of the small environment below; NONE or a list would make every node run "su - account" first
        argv.add("--export=ALL");
        argv.add(submission.wrapperFile().toString());
        return config.site().handOver(submission, argv, home(submission, config), submission.wrapperFile(), wrapper);
    }

    /**
     * What the job is and requests, in the order of the options.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    static Map<SlurmOption, Object> options(Submission submission, String nodeOutput) {
        QueueName.check(submission, "partition");
        Map<SlurmOption, Object> options = new EnumMap<>(SlurmOption.class);
        options.put(SlurmOption.JOB_NAME, submission.id().tag());
        // where the wrapper begins and prints, both on the worker node
        if (nodeOutput == null) {
            options.put(SlurmOption.CHDIR, submission.sandbox().toString());
            options.put(SlurmOption.OUTPUT, fileName(submission.stdout()));
            options.put(SlurmOption.ERROR, fileName(submission.stderr()));
        } else {
            options.put(SlurmOption.CHDIR, OUTSIDE);
            options.put(SlurmOption.OUTPUT, nodeOutput);
        }
        // a job that Slurm starts again by itself would find its claim taken
        options.put(SlurmOption.NO_REQUEUE, true);
        // by this it is known where its name was changed; the site's own comment counts more
        options.put(SlurmOption.COMMENT, submission.id().tag());
        options.put(SlurmOption.PARTITION, submission.queue());
        return SlurmOption.RENDERERS.render(submission.request().resources(), submission.settings(), options);
    }

    /** The job's home; null where its node does not see the sandbox. */
    static Path home(Submission submission, SlurmConfig config) {
        return config.wrapperOutput() == null ? submission.sandbox() : null;
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
