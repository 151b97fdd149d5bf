package org.gelato.ce.lrms.torque;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.description.JobRequest;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitAttributes;

/**
 * Makes the one qsub call of a submission. The wrapper with its directives is sent in the same message, in a file whose
 * name is the tag; qsub makes it the job's name. The directives end at the first command, before anything of the user's.
 * Pure.
 */
final class SubmitFile {
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}");
    /** Slurm's qsub passes its arguments to a shell. */
    private static final Pattern PLAIN_PATH = Pattern.compile("/[A-Za-z0-9/_.,:=@%+-]{0,4000}");

    private static final Pattern SET_QUEUE = Pattern.compile("#PBS\\s(.*\\s)?-q\\s*\\S.*");

    private static final int MAX_OUTPUT = 64 * 1024;
    private static final int FILE_MODE = 0700;
    /** The wrapper replaces a missing home with the job's working directory. */
    private static final String NO_HOME = "/nonexistent";

    private SubmitFile() {}

    /** @throws IllegalArgumentException with a message for the user when the batch system can never take such a job */
    static Run of(Submission submission, SubmitAttributes attributes, TorqueCommands commands) {
        if (!QUEUE.matcher(submission.queue()).matches()) {
            throw new IllegalArgumentException("no such queue: '" + submission.queue() + "'");
        }
        TorqueConfig config = commands.config();
        Path file = submission.sandbox().resolve(submission.id().tag());
        List<String> argv = new ArrayList<>();
        argv.add(commands.program("qsub"));
        if (config.slurm()) {
            if (!PLAIN_PATH.matcher(file.toString()).matches()) {
                throw new IllegalArgumentException("Slurm's qsub cannot take a script from " + file);
            }
            argv.addAll(slurmOptions(submission, attributes, config));
        }
        argv.add(file.toString());
        return new Run(
                argv,
                submission.sandbox(),
                commands.environment(submission.account(), submission.sandbox().toString()),
                new byte[0],
                List.of(new FileContent(
                        file, FILE_MODE, text(submission, attributes, config).getBytes(StandardCharsets.UTF_8))),
                commands.timeout(),
                MAX_OUTPUT);
    }

    /** Slurm's qsub reads no directives, and sets sbatch's outputs itself unless they are options; sbatch reads directives. */
    private static List<String> slurmOptions(Submission submission, SubmitAttributes attributes, TorqueConfig config) {
        return List.of(
                "-N",
                submission.id().tag(),
                "-q",
                submission.queue(),
                "-o",
                "/dev/null",
                "-e",
                "/dev/null",
                "-m",
                "n",
                "-r",
                "n",
                "-l",
                resources(submission, attributes, config));
    }

    private static String resources(Submission submission, SubmitAttributes attributes, TorqueConfig config) {
        JobRequest.Resources resources = submission.request().resources();
        List<String> items = new ArrayList<>();
        items.add(SlurmNodeOptions.resources(resources.nodes(), config.hostSmpSize()));
        LimitResources.of(resources, attributes, true).forEach((name, value) -> items.add(name + "=" + value));
        return String.join(",", items);
    }

    private static String text(Submission submission, SubmitAttributes attributes, TorqueConfig config) {
        StringBuilder text = new StringBuilder();
        String wrapper = submission.wrapper();
        // kept as the first line: the node runs the script by it
        int end = wrapper.startsWith("#!") ? wrapper.indexOf('\n') : -1;
        line(text, end < 0 ? "#!/bin/bash" : wrapper.substring(0, end));
        if (config.slurm()) {
            attributes.directives().forEach(directive -> line(text, directive));
            SlurmNodeOptions.directives(submission.request().resources().nodes())
                    .forEach(directive -> line(text, directive));
        } else {
            directives(submission, attributes, config).forEach(directive -> line(text, directive));
        }
        line(text, ":");
        attributes.commands().forEach(command -> line(text, command));
        if (config.nodesSeeSandboxes()) {
            String sandbox = quoted(submission.sandbox().toString());
            line(text, "export HOME=" + sandbox);
            line(
                    text,
                    "cd " + sandbox + " && exec >" + quoted(submission.stdout().toString()) + " 2>"
                            + quoted(submission.stderr().toString()));
        } else {
            line(text, "export HOME=" + NO_HOME);
            line(text, "cd /");
        }
        return text.append(wrapper, end + 1, wrapper.length()).toString();
    }

    private static List<String> directives(Submission submission, SubmitAttributes attributes, TorqueConfig config) {
        List<String> lines = new ArrayList<>(List.of("#PBS -S /bin/bash", "#PBS -o /dev/null", "#PBS -e /dev/null"));
        lines.addAll(attributes.directives());
        if (!attributes.hasDirective(SET_QUEUE)) {
            lines.add("#PBS -q " + submission.queue() + config.atServer());
        }
        lines.add("#PBS -m n");
        // a job that Torque starts again by itself would find its claim taken
        lines.add("#PBS -r n");
        NodeDirectives.of(submission.request().resources().nodes(), config)
                .forEach(option -> lines.add("#PBS " + option));
        LimitResources.of(submission.request().resources(), attributes, false)
                .forEach((name, value) -> lines.add("#PBS -l " + name + "=" + value));
        return lines;
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }

    /** A shell word that stands for this text. */
    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
