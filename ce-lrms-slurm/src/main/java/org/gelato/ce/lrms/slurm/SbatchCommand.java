package org.gelato.ce.lrms.slurm;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.lrms.Submission;

/** Makes the one sbatch call of a submission; its wrapper and its sandbox travel in the same message. Pure. */
final class SbatchCommand {
    private static final Pattern PARTITION = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}");
    private static final int MAX_OUTPUT = 64 * 1024;
    private static final int WRAPPER_MODE = 0700;
    /** The wrapper replaces a missing home with the job's working directory. */
    private static final String NO_HOME = "/nonexistent";

    private SbatchCommand() {}

    /** @throws IllegalArgumentException with a message for the user when Slurm can never take such a job */
    static Run of(Submission submission, SlurmCommands commands) {
        List<String> argv = new ArrayList<>();
        argv.add(commands.program("sbatch"));
        argv.add("--parsable");
        argv.addAll(options(submission, commands.nodeOutput()));
        // the whole of the small environment below; NONE or a list would make every node run "su - account" first
        argv.add("--export=ALL");
        argv.add(submission.wrapperFile().toString());
        return new Run(
                argv,
                submission.sandbox(),
                environment(submission, commands),
                new byte[0],
                List.of(new FileContent(
                        submission.wrapperFile(),
                        WRAPPER_MODE,
                        submission.wrapper().getBytes(StandardCharsets.UTF_8))),
                commands.timeout(),
                MAX_OUTPUT);
    }

    /**
     * What the job is and requests, in sbatch's options.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    static List<String> options(Submission submission, String nodeOutput) {
        if (!PARTITION.matcher(submission.queue()).matches()) {
            throw new IllegalArgumentException("no such partition: '" + submission.queue() + "'");
        }
        List<String> options = new ArrayList<>();
        options.add("--job-name=" + submission.id().tag());
        options.add("--partition=" + submission.queue());
        options.addAll(places(submission, nodeOutput));
        // a job that Slurm starts again by itself would find its claim taken
        options.add("--no-requeue");
        options.addAll(NodeOptions.of(submission.request().resources().nodes()));
        options.addAll(NodeOptions.limits(submission.request().resources().limits()));
        return options;
    }

    /** The job's environment, as far as it is not Slurm's. */
    static Map<String, String> environment(Submission submission, SlurmCommands commands) {
        Map<String, String> environment = new LinkedHashMap<>(commands.environment());
        environment.put(
                "HOME", commands.nodeOutput() == null ? submission.sandbox().toString() : NO_HOME);
        environment.put("USER", submission.account());
        environment.put("LOGNAME", submission.account());
        return environment;
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
