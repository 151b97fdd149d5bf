package org.gelato.ce.core.lrms;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.SafeText;
import org.gelato.ce.description.jdl.CeRequirements;

/**
 * Lines of a site's {@code pbs_local_submit_attributes.sh} or {@code slurm_local_submit_attributes.sh} for one job. A shell of
 * the job's account sets the variables its CERequirements make and sources the script, with an empty input and what
 * {@link SiteScriptVariables} says of the job in its environment. Its exit status is ignored: scripts that end in a false test have always been valid.
 *
 * @param directives lines for the batch system's command
 * @param commands other lines, which the job runs before its wrapper
 */
public record SiteScriptLines(List<String> directives, List<String> commands) {
    public static final SiteScriptLines NONE = new SiteScriptLines(List.of(), List.of());

    /** The program that must be allowed for accounts. */
    public static final String SHELL = "/bin/bash";

    /** Exit status for a missing script. */
    private static final int UNREADABLE = 97;

    private static final int MAX_OUTPUT = 64 * 1024;
    private static final int MAX_LINES = 200;
    private static final Pattern LINE = Pattern.compile("[^\\p{Cntrl}]{0,2000}");

    /** The script printed nothing that can be used; nothing was submitted. */
    private static final class UnusableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super("the site's submit attributes " + message);
        }
    }

    /**
     * Runs the script for a job, then submits the job.
     *
     * @param script null where the site has none: then no process is run
     * @param environment of the script, beside what it is of the job
     * @param commands runs a program as an account; the future fails as {@code AccountCommands.run} says
     * @param submit hands the job over with what the script printed; only called where that can be used
     * @return never fails but for what {@code submit} returns
     */
    public static CompletableFuture<SubmitResult> before(
            Submission submission,
            Path script,
            Map<String, String> environment,
            Duration timeout,
            BiFunction<String, Run, CompletableFuture<Completed>> commands,
            Function<SiteScriptLines, CompletableFuture<SubmitResult>> submit) {
        if (script == null) {
            return submit.apply(NONE);
        }
        String text;
        try {
            text = text(submission.request().resources().nodes(), script);
        } catch (DescriptionException e) {
            return CompletableFuture.completedFuture(new SubmitResult.Refused(e.getMessage()));
        }
        Map<String, String> variables = new LinkedHashMap<>(environment);
        variables.putAll(SiteScriptVariables.of(submission));
        Run run = new Run(
                List.of(SHELL, "-s"),
                null,
                variables,
                text.getBytes(StandardCharsets.UTF_8),
                List.of(),
                timeout,
                MAX_OUTPUT);
        return commands.apply(submission.account(), run)
                .thenApply(SiteScriptLines::of)
                .handle((attributes, failure) -> failure == null
                        ? submit.apply(attributes)
                        : CompletableFuture.completedFuture(without(failure)))
                .thenCompose(Function.identity());
    }

    private static String text(NodeRequest nodes, Path script) throws DescriptionException {
        StringBuilder text = new StringBuilder();
        for (String assignment : CeRequirements.of(nodes.ceRequirements(), ReadingBudget.UNBOUNDED)
                .assignments()) {
            text.append(assignment).append('\n');
        }
        text.append("blah_opt_mpinodes='").append(nodes.cpus()).append("'\n");
        String quoted = "'" + script.toString().replace("'", "'\\''") + "'";
        text.append("[ -r ")
                .append(quoted)
                .append(" ] || exit ")
                .append(UNREADABLE)
                .append('\n');
        return text.append(". ").append(quoted).append(" </dev/null\n").toString();
    }

    /** The batch system's command was not run: there is certainly no job. */
    private static SubmitResult without(Throwable failure) {
        Throwable cause = Causes.of(failure);
        return cause instanceof AccountCommandException refused
                        && refused.code() == AccountCommandException.Code.REFUSED
                ? new SubmitResult.Refused(cause.getMessage())
                : new SubmitResult.Unavailable(String.valueOf(cause.getMessage()), SubmitResult.Scope.ofFailure(cause));
    }

    /** @throws UnusableException when the script printed nothing that can be used */
    private static SiteScriptLines of(Completed completed) {
        if (completed.timedOut()) {
            throw new UnusableException("did not end in time: " + SafeText.of(completed.stderr()));
        }
        if (completed.dropped() > 0) {
            throw new UnusableException("printed more than " + MAX_OUTPUT + " bytes");
        }
        if (completed.exit() == UNREADABLE || completed.exit() == 126 || completed.exit() == 127) {
            throw new UnusableException("cannot be run by this account: " + SafeText.of(completed.stderr()));
        }
        List<String> directives = new ArrayList<>();
        List<String> commands = new ArrayList<>();
        for (String line : completed.stdout().split("\r?\n", -1)) {
            if (!LINE.matcher(line).matches()) {
                throw new UnusableException("printed a line that is not valid in a script: " + SafeText.of(line));
            }
            if (line.startsWith("#PBS") || line.startsWith("#SBATCH")) {
                directives.add(line);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                commands.add(line);
            }
        }
        if (directives.size() + commands.size() > MAX_LINES) {
            throw new UnusableException("printed more than " + MAX_LINES + " lines");
        }
        return new SiteScriptLines(List.copyOf(directives), List.copyOf(commands));
    }

    /** Whether the script printed nothing for this job. */
    public boolean isEmpty() {
        return directives.isEmpty() && commands.isEmpty();
    }

    /**
     * Directives by which a site chooses something itself.
     *
     * @param resource pattern of Torque's resource with what follows its name: {@code walltime=}
     * @param option pattern of Slurm's option likewise: {@code --time[=\\s]}
     */
    public static Pattern choice(String resource, String option) {
        return Pattern.compile("#PBS\\s(.*[\\s,])?" + resource + ".*|#SBATCH\\s(.*\\s)?(" + option + ").*");
    }

    /** Whether the site has chosen something itself. */
    public boolean hasDirective(Pattern pattern) {
        return directives.stream().anyMatch(line -> pattern.matcher(line).matches());
    }
}
