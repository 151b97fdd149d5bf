package org.gelato.ce.lrms.slurm;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitAttributes;

/** Makes the one sbatch call of a submission; its wrapper and its sandbox travel in the same message. Pure. */
final class SbatchCommand {
    private static final Pattern PARTITION = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}");
    private static final Pattern MEMORY =
            Pattern.compile("#SBATCH\\s(.*\\s)?--mem(-per-[cg]pu)?[=\\s].*|#PBS\\s(.*[\\s,])?p?mem=.*");
    private static final int MAX_OUTPUT = 64 * 1024;
    private static final int WRAPPER_MODE = 0700;
    /** The wrapper replaces a missing home with the job's working directory. */
    private static final String NO_HOME = "/nonexistent";

    private SbatchCommand() {}

    /**
     * @param attributes what the site's script says of the job
     * @throws IllegalArgumentException with a message for the user when Slurm can never take such a job
     */
    static Run of(Submission submission, SubmitAttributes attributes, SlurmCommands commands) {
        List<String> argv = new ArrayList<>();
        argv.add(commands.program("sbatch"));
        argv.add("--parsable");
        argv.addAll(identity(submission, commands.nodeOutput()));
        String wrapper = submission.wrapper();
        if (attributes.isEmpty()) {
            argv.addAll(requests(submission));
        } else {
            // options would count more than the site's directives
            wrapper = withDirectives(submission, attributes);
        }
        // the whole of the small environment below; NONE or a list would make every node run "su - account" first
        argv.add("--export=ALL");
        argv.add(submission.wrapperFile().toString());
        return new Run(
                argv,
                submission.sandbox(),
                environment(submission, commands),
                new byte[0],
                List.of(new FileContent(
                        submission.wrapperFile(), WRAPPER_MODE, wrapper.getBytes(StandardCharsets.UTF_8))),
                commands.timeout(),
                MAX_OUTPUT);
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
        if (!PARTITION.matcher(submission.queue()).matches()) {
            throw new IllegalArgumentException("no such partition: '" + submission.queue() + "'");
        }
        List<String> options = new ArrayList<>();
        options.add("--partition=" + submission.queue());
        options.addAll(NodeOptions.of(submission.request().resources()));
        return options;
    }

    /** The wrapper with directives behind its first line; of two that say the same the later one counts, which is the site's. */
    private static String withDirectives(Submission submission, SubmitAttributes attributes) {
        String wrapper = submission.wrapper();
        int end = wrapper.indexOf('\n') + 1;
        StringBuilder text = new StringBuilder(wrapper.substring(0, end));
        boolean memory = attributes.hasDirective(MEMORY);
        for (String option : requests(submission)) {
            // these exclude each other
            if (!memory || !option.startsWith("--mem")) {
                text.append("#SBATCH ").append(option).append('\n');
            }
        }
        attributes.directives().forEach(directive -> text.append(directive).append('\n'));
        // directives end here, before anything of the user's
        text.append(":\n");
        attributes.commands().forEach(command -> text.append(command).append('\n'));
        return text.append(wrapper, end, wrapper.length()).toString();
    }

    /** The job's environment, as far as it is not Slurm's. */
    static Map<String, String> environment(Submission submission, SlurmCommands commands) {
        return commands.environment(
                submission.account(),
                commands.nodeOutput() == null ? submission.sandbox().toString() : NO_HOME);
    }

    /** Where the wrapper begins and prints, both on the worker node. */
    private static List<String> places(Submission submission, String nodeOutput) {
        if (nodeOutput != null) {
            return List.of("--chdir=/", "--output=" + nodeOutput);
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
