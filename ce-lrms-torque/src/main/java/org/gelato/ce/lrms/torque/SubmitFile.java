package org.gelato.ce.lrms.torque;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.lrms.JobScript;
import org.gelato.ce.core.lrms.QueueName;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.command.CommandSite;
import org.gelato.ce.core.wrapper.BashQuote;

/**
 * Makes the one qsub call of a submission. The wrapper with its directives is sent in the same message, in a file whose
 * name is the tag; qsub makes it the job's name. The directives end at the first command, before anything of the user's.
 * Pure.
 */
final class SubmitFile {
    /** Slurm's qsub passes its arguments to a shell. */
    private static final Pattern PLAIN_PATH = Pattern.compile("/[A-Za-z0-9/_.,:=@%+-]{0,4000}");

    private static final Pattern SET_QUEUE = Pattern.compile("#PBS\\s(.*\\s)?-q\\s*\\S.*");

    private SubmitFile() {}

    /** @throws IllegalArgumentException with a message for the user when the batch system can never take such a job */
    static Run of(Submission submission, SiteScriptLines attributes, TorqueConfig config) {
        QueueName.check(submission, "queue");
        Path file = submission.sandbox().resolve(submission.id().tag());
        Map<String, Object> options =
                QsubOptions.of(submission.request().resources(), submission.settings(), attributes, config);
        List<String> argv = new ArrayList<>();
        argv.add(config.site().program("qsub"));
        if (config.slurm()) {
            if (!PLAIN_PATH.matcher(file.toString()).matches()) {
                throw new IllegalArgumentException("Slurm's qsub cannot take a script from " + file);
            }
            argv.addAll(slurmOptions(submission, options));
        }
        argv.add(file.toString());
        return config.site()
                .handOver(submission, argv, submission.sandbox(), file, text(submission, attributes, options, config));
    }

    /** Slurm's qsub reads no directives, and sets sbatch's outputs itself unless they are options; sbatch reads directives. */
    private static List<String> slurmOptions(Submission submission, Map<String, Object> options) {
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
                options.entrySet().stream()
                        .filter(option -> option.getKey().startsWith(QsubOptions.RESOURCE))
                        .map(option -> option.getKey().substring(QsubOptions.RESOURCE.length()) + option.getValue())
                        .collect(Collectors.joining(",")));
    }

    private static String text(
            Submission submission, SiteScriptLines attributes, Map<String, Object> options, TorqueConfig config) {
        List<String> commands = new ArrayList<>(attributes.commands());
        if (config.commands().nodesSeeSandboxes()) {
            String sandbox = BashQuote.quote(submission.sandbox().toString());
            commands.add("export HOME=" + sandbox);
            commands.add("cd " + sandbox + " && exec >"
                    + BashQuote.quote(submission.stdout().toString()) + " 2>"
                    + BashQuote.quote(submission.stderr().toString()));
        } else {
            commands.add("export HOME=" + CommandSite.NO_HOME);
            commands.add("cd /");
        }
        return JobScript.of(submission.wrapper(), directives(submission, attributes, options, config), commands);
    }

    private static List<String> directives(
            Submission submission, SiteScriptLines attributes, Map<String, Object> options, TorqueConfig config) {
        if (config.slurm()) {
            List<String> lines = new ArrayList<>(attributes.directives());
            options.forEach((name, value) -> {
                if (!name.startsWith(QsubOptions.RESOURCE)) {
                    lines.add("#SBATCH " + name + value);
                }
            });
            return lines;
        }
        List<String> lines = new ArrayList<>(List.of("#PBS -S /bin/bash", "#PBS -o /dev/null", "#PBS -e /dev/null"));
        lines.addAll(attributes.directives());
        if (!attributes.hasDirective(SET_QUEUE)) {
            lines.add("#PBS -q " + submission.queue() + config.atServer());
        }
        lines.add("#PBS -m n");
        // a job that Torque starts again by itself would find its claim taken
        lines.add("#PBS -r n");
        options.forEach((name, value) -> lines.add("#PBS " + name + value));
        return lines;
    }
}
