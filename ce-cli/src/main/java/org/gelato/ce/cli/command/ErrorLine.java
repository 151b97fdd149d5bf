package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Nearest;
import org.gelato.ce.cli.terminal.Printable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints every error as one line on standard error; the stack trace follows only on request. */
public final class ErrorLine implements IExecutionExceptionHandler, IParameterExceptionHandler {
    /** By names that other systems and shells have for them: commands of {@code ce}. */
    private static final Map<String, String> ELSEWHERE = Nearest.synonyms(
            "stat qstat condor_q arcstat state=status",
            "ls ps queue squeue=list",
            "log logs tail arccat=follow",
            "get fetch download results arcget=output",
            "kill stop abort del qdel scancel condor_rm arckill=cancel",
            "rm delete remove clean arcclean=purge",
            "sub qsub sbatch condor_submit arcsub=submit",
            "exec srun=run",
            "hold pause=suspend",
            "release continue unhold=resume",
            "show describe=info",
            "queues sinfo=service-info");

    private final CliContext context;
    private final CommonOptions options;

    public ErrorLine(CliContext context, CommonOptions options) {
        this.context = context;
        this.options = options;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        String mistake = mistake(e);
        context.err().println(command + ": " + mistake + " (see " + command + " --help)");
        if (options.json() || List.of(args).contains("--json")) {
            json(command, mistake, command + " --help", ExitCode.USAGE);
        }
        return ExitCode.USAGE;
    }

    private static String mistake(ParameterException e) {
        boolean commandWanted = !e.getCommandLine().getSubcommands().isEmpty();
        if (commandWanted && e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            String word = unmatched.getUnmatched().get(0);
            return "there is no command " + oneLine(word)
                    + meantCommand(word, e.getCommandLine().getSubcommands().keySet());
        }
        if (e instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()) {
            String word = unmatched.getUnmatched().get(0);
            return "there is no option " + oneLine(word)
                    + meant(
                            word,
                            e.getCommandLine().getCommandSpec().optionsMap().keySet().stream()
                                    .filter(name -> name.startsWith("--"))
                                    .toList());
        }
        return oneLine(e.getMessage());
    }

    private static String meantCommand(String word, Set<String> known) {
        String here = ELSEWHERE.get(word);
        return here != null && known.contains(here) ? "; did you mean " + here + "?" : meant(word, known);
    }

    private static String meant(String word, Collection<String> known) {
        return Nearest.of(word, known)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
    }

    /** A script that reads results as JSON reads errors in the same way. */
    private void json(String command, String message, String hint, int code) {
        ObjectNode root = JsonResult.object();
        ObjectNode error = root.putObject("error").put("command", command).put("message", message);
        if (hint != null) {
            error.put("hint", hint);
        }
        error.put("exitCode", code);
        JsonResult.print(context.out(), root);
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine commandLine, ParseResult result) {
        String command = commandLine.getCommandSpec().qualifiedName();
        String message = describe(e);
        String hint = e instanceof CliException known ? known.advice().orElse(null) : null;
        int code = e instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.FAILED;
        context.err().println(command + ": " + message + (hint == null ? "" : " (" + hint + ")"));
        if (options.json()) {
            json(command, message, hint, code);
        }
        if (options.debug()) {
            e.printStackTrace(context.err());
        }
        return code;
    }

    private static String describe(Exception e) {
        if (e instanceof CliException || e instanceof IllegalArgumentException) {
            return oneLine(e.getMessage());
        }
        return "unexpected error, please report it with --debug: "
                + e.getClass().getSimpleName() + ": " + oneLine(e.getMessage());
    }

    /** A server's text may hold line ends or control characters that would spoil the terminal. */
    static String oneLine(String text) {
        return Printable.line(text == null ? "no further message" : text);
    }
}
