package org.gelato.ce.lrms.torque;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.description.DescriptionException;
import org.gelato.ce.core.description.JobRequest.NodeRequest;
import org.gelato.ce.core.description.WordBudget;
import org.gelato.ce.core.description.jdl.CeRequirements;
import org.gelato.ce.core.lrms.Submission;

/**
 * Lines of the site's {@code pbs_local_submit_attributes.sh} for one job. A shell of the job's account sets the variables
 * its CERequirements make and sources the script, with an empty input. Its exit status is ignored: scripts that end in a
 * false test have always been valid.
 *
 * @param directives lines for qsub
 * @param commands other lines, which the job runs before its wrapper
 */
record SubmitAttributes(List<String> directives, List<String> commands) {
    static final SubmitAttributes NONE = new SubmitAttributes(List.of(), List.of());
    static final String SHELL = "/bin/bash";

    /** Exit status for a missing script. */
    static final int UNREADABLE = 97;

    static final int MAX_OUTPUT = 64 * 1024;
    private static final int MOST_LINES = 200;
    private static final Pattern LINE = Pattern.compile("[^\\p{Cntrl}]{0,2000}");
    private static final Pattern QUEUE = Pattern.compile("#PBS\\s(.*\\s)?-q\\s*\\S.*");

    /** @throws IllegalArgumentException with a message for the user when the CERequirements cannot be passed on */
    static Run run(Submission submission, Path script, TorqueCommands commands) {
        NodeRequest nodes = submission.request().resources().nodes();
        StringBuilder text = new StringBuilder();
        try {
            for (String assignment : CeRequirements.of(nodes.ceRequirements(), new WordBudget()).assignments()) {
                text.append(assignment).append('\n');
            }
        } catch (DescriptionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        text.append("blah_opt_mpinodes='").append(nodes.cpus()).append("'\n");
        String quoted = SubmitFile.quoted(script.toString());
        text.append("[ -r ")
                .append(quoted)
                .append(" ] || exit ")
                .append(UNREADABLE)
                .append('\n');
        text.append(". ").append(quoted).append(" </dev/null\n");
        return new Run(
                List.of(SHELL, "-s"),
                null,
                commands.environment(submission.account(), "/"),
                text.toString().getBytes(StandardCharsets.UTF_8),
                List.of(),
                commands.timeout(),
                MAX_OUTPUT);
    }

    /**
     * Reads what the script printed.
     *
     * @throws TorqueException when it printed nothing that can be used; nothing was submitted
     */
    static SubmitAttributes of(Completed completed) {
        String out = TorqueCommands.wholeOutput("the site's submit attributes", completed);
        if (completed.exit() == UNREADABLE || completed.exit() == 126 || completed.exit() == 127) {
            throw new TorqueException("the site's submit attributes cannot be run by this account "
                    + TorqueMessages.brief(completed.stderr()));
        }
        List<String> directives = new ArrayList<>();
        List<String> commands = new ArrayList<>();
        for (String line : out.split("\r?\n", -1)) {
            if (!LINE.matcher(line).matches()) {
                throw new TorqueException("the site's submit attributes printed a line that is not valid in a script: "
                        + TorqueMessages.brief(line));
            }
            if (line.startsWith("#PBS") || line.startsWith("#SBATCH")) {
                directives.add(line);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                commands.add(line);
            }
        }
        if (directives.size() + commands.size() > MOST_LINES) {
            throw new TorqueException("the site's submit attributes printed more than " + MOST_LINES + " lines");
        }
        return new SubmitAttributes(List.copyOf(directives), List.copyOf(commands));
    }

    /** Whether the site chose the queue. */
    boolean setsQueue() {
        return directives.stream().anyMatch(line -> QUEUE.matcher(line).matches());
    }
}
