package org.gelato.ce.lrms.condor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.core.lrms.JobScript;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.command.CommandSite;
import org.gelato.ce.core.wrapper.BashQuote;

/**
 * Makes the submit description of jobs that differ in nothing but who they are: lines that count for all, and a row for each. Pure.
 *
 * @param lines of the requests and of the site
 * @param environment of the jobs; their home is set by their scripts, as starters of HTCondor 25 put one of their own in its place
 */
record SubmitDescription(List<SubmitLine> lines, Map<String, String> environment) {
    /** Attributes of each job of ours: its name, and which hand-over it came by. */
    static final String TAG = "GelatoTag";

    static final String ROUND = "GelatoRound";

    /** How long the queue shows ended jobs that nobody takes out. */
    private static final Duration KEEP_ENDED = Duration.ofDays(10);

    /** A job that ran is never started again: after an eviction, or with its node lost, it waits in vain, which {@link CondorState} takes as its end. */
    private static final String NEVER_AGAIN = "((MY.NumJobStarts ?: 0) == 0)";

    private static final String REQUIREMENTS = "requirements";

    /**
     * What waits or is held though it can never run, or never again, is removed after a minute, also after a CE that is gone. It reads as
     * the same end then.
     */
    private static final String OVER = "(((JobStatus == " + CondorState.IDLE + " || JobStatus == " + CondorState.HELD
            + ") && (MY.NumJobStarts ?: 0) > 0) || (JobStatus == " + CondorState.HELD + " && member(HoldReasonCode, {"
            + CondorState.ENDS.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "))
            + "}))) && (time() - EnteredCurrentStatus) > 60";

    private static final String REMOVE = "periodic_remove";

    /**
     * @param site lines of the job's queue and of the site's script; they count more than what the job requests
     * @throws IllegalArgumentException with a message for the user when HTCondor can never take such a job
     */
    static SubmitDescription of(Submission submission, List<SubmitLine> site, CondorConfig config) {
        List<SubmitLine> lines = new ArrayList<>(List.of(new SubmitLine("universe", "vanilla")));
        lines.addAll(RequestLines.of(submission.request().resources(), submission.settings()));
        lines.addAll(site);
        join(lines, REQUIREMENTS, NEVER_AGAIN, " && ");
        join(lines, REMOVE, "(" + OVER + ")", " || ");
        lines.addAll(places(submission, config));
        lines.add(new SubmitLine("notification", "never"));
        lines.add(new SubmitLine("on_exit_remove", "true"));
        lines.add(new SubmitLine(
                "leave_in_queue",
                "(JobStatus == 4 || JobStatus == 3) && (time() - EnteredCurrentStatus) < " + KEEP_ENDED.toSeconds()));
        Map<String, String> environment = config.site().jobEnvironment(submission, null);
        environment.keySet().removeAll(config.site().variables().keySet());
        environment.remove("HOME");
        return new SubmitDescription(List.copyOf(lines), environment);
    }

    /** One line of ours and of the others with its name. */
    private static void join(List<SubmitLine> lines, String name, String ours, String by) {
        String joined = lines.stream()
                .filter(line -> line.is(name) && !line.value().isEmpty())
                .map(line -> by + "(" + line.value() + ")")
                .collect(Collectors.joining("", ours, ""));
        lines.removeIf(line -> line.is(name));
        lines.add(new SubmitLine(name, joined));
    }

    private static List<SubmitLine> places(Submission submission, CondorConfig config) {
        return config.commands().nodesSeeSandboxes()
                ? List.of(
                        new SubmitLine("should_transfer_files", "no"),
                        new SubmitLine("transfer_executable", "false"),
                        new SubmitLine(
                                "output", "$(GelatoDir)/" + submission.stdout().getFileName()),
                        new SubmitLine(
                                "error", "$(GelatoDir)/" + submission.stderr().getFileName()))
                : List.of(
                        new SubmitLine("should_transfer_files", "yes"),
                        new SubmitLine("when_to_transfer_output", "on_exit"),
                        new SubmitLine("transfer_executable", "true"),
                        // without it all that is new comes back, without quotes too
                        new SubmitLine("transfer_output_files", "\"\""),
                        new SubmitLine("output", "/dev/null"),
                        new SubmitLine("error", "/dev/null"));
    }

    /**
     * The text for condor_submit.
     *
     * @param round of this hand-over alone: plain characters
     * @param jobs in the order of their numbers
     */
    String text(String round, List<Submission> jobs) {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line).append('\n'));
        List<SubmitLine> own = List.of(
                new SubmitLine("executable", "$(GelatoDir)/$(GelatoFile)"),
                new SubmitLine("initialdir", "$(GelatoDir)"),
                new SubmitLine("environment", environment(round)),
                new SubmitLine("+" + TAG, "\"$(GelatoName)\""),
                SubmitLine.attribute(ROUND, round));
        own.forEach(line -> text.append(line).append('\n'));
        text.append("queue GelatoName,GelatoFile,GelatoDir from (\n");
        for (Submission job : jobs) {
            text.append(job.id().tag())
                    .append(' ')
                    .append(job.wrapperFile().getFileName())
                    .append(' ')
                    .append(SubmitLine.verbatim(job.sandbox().toString()))
                    .append('\n');
        }
        return text.append(")\n").toString();
    }

    private String environment(String round) {
        StringBuilder text = new StringBuilder("\"");
        environment.forEach((name, value) ->
                text.append(name).append("='").append(quoted(value)).append("' "));
        return text.append("GELATO_LRMS_ID='$(ClusterId).$(ProcId)")
                .append(CondorId.MARK)
                .append(round)
                .append("'\"")
                .toString();
    }

    private static String quoted(String value) {
        return SubmitLine.verbatim(value.replace("'", "''").replace("\"", "\"\""));
    }

    /** What HTCondor runs: the job's wrapper, whose home no starter replaces. */
    static String script(Submission job, boolean shared) {
        String home = shared ? job.sandbox().toString() : CommandSite.NO_HOME;
        return JobScript.of(job.wrapper(), List.of(), List.of("export HOME=" + BashQuote.quote(home)));
    }

    /**
     * Checks where the files of a job are, which stands in the row of its name and within lines.
     *
     * @throws IllegalArgumentException with a message for the administrator
     */
    static void check(Submission submission) {
        Path sandbox = submission.sandbox();
        String path = sandbox.toString();
        if (!path.equals(path.strip())
                // which HTCondor would expand at a match
                || path.contains("$$")
                || path.chars().anyMatch(c -> c == '\'' || c == '"' || c == '\\' || Character.isISOControl(c))
                || path.indexOf('\u2028') >= 0
                || path.indexOf('\u2029') >= 0) {
            throw new IllegalArgumentException(
                    "HTCondor cannot be given a path with quotes, backslashes, control characters or $$: " + sandbox);
        }
    }
}
