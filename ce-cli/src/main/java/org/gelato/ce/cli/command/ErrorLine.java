package org.gelato.ce.cli.command;

import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints every error as one line on standard error; the stack trace follows only on request. */
public final class ErrorLine implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private final CliContext context;
    private final CommonOptions options;

    public ErrorLine(CliContext context, CommonOptions options) {
        this.context = context;
        this.options = options;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        context.err().println(command + ": " + mistake(e) + " (see " + command + " --help)");
        return ExitCode.USAGE;
    }

    private static String mistake(ParameterException e) {
        boolean commandWanted = !e.getCommandLine().getSubcommands().isEmpty();
        if (commandWanted && e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            return "there is no command " + oneLine(unmatched.getUnmatched().get(0));
        }
        return oneLine(e.getMessage());
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine commandLine, ParseResult result) {
        String command = commandLine.getCommandSpec().qualifiedName();
        context.err().println(command + ": " + describe(e));
        if (options.debug()) {
            e.printStackTrace(context.err());
        }
        return e instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.FAILED;
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
