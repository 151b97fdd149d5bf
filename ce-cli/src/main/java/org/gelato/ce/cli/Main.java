package org.gelato.ce.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import org.gelato.ce.cli.audit.AuditCommand;
import org.gelato.ce.cli.command.CancelCommand;
import org.gelato.ce.cli.command.Ce;
import org.gelato.ce.cli.command.ConfigCommand;
import org.gelato.ce.cli.command.ControlCommand;
import org.gelato.ce.cli.command.DelegateCommand;
import org.gelato.ce.cli.command.ErrorLine;
import org.gelato.ce.cli.command.EventsCommand;
import org.gelato.ce.cli.command.ExplainCommand;
import org.gelato.ce.cli.command.HistoryCommand;
import org.gelato.ce.cli.command.InfoCommand;
import org.gelato.ce.cli.command.JobsCommand;
import org.gelato.ce.cli.command.LeaseCommands;
import org.gelato.ce.cli.command.ListCommand;
import org.gelato.ce.cli.command.OutputCommand;
import org.gelato.ce.cli.command.PurgeCommand;
import org.gelato.ce.cli.command.RenewCommand;
import org.gelato.ce.cli.command.ResumeCommand;
import org.gelato.ce.cli.command.ServiceInfoCommand;
import org.gelato.ce.cli.command.StatusCommand;
import org.gelato.ce.cli.command.SubmissionCommand;
import org.gelato.ce.cli.command.SubmitCommand;
import org.gelato.ce.cli.command.SuspendCommand;
import org.gelato.ce.cli.command.WhoisCommand;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.StandardStreams;
import org.gelato.ce.cli.glue2.Glue2Command;
import org.gelato.ce.cli.live.FollowCommand;
import org.gelato.ce.cli.live.MessagesCommand;
import org.gelato.ce.cli.protocol.ProtocolConnector;
import org.gelato.ce.cli.run.RunCommand;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.ProcessSignals;
import org.gelato.ce.cli.usage.UsageCommand;
import picocli.CommandLine;

/** Entry point of the command line. Also usable inside another JVM through {@link #run}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        PrintStream out = utf8(FileDescriptor.out);
        PrintStream err = utf8(FileDescriptor.err);
        CliContext context = new CliContext(
                new StandardStreams(out, err, System.in, Boolean.getBoolean("gelato.cli.terminal")),
                System.getenv(),
                Path.of("").toAbsolutePath(),
                Clock.systemUTC(),
                time -> Thread.sleep(time.toMillis()),
                new ProtocolConnector(),
                new ProcessSignals());
        int code = run(context, args);
        out.flush();
        err.flush();
        // A full disk or a closed pipe must not look like success to a script.
        System.exit(code == ExitCode.OK && out.checkError() ? ExitCode.FAILED : code);
    }

    /**
     * Runs one command.
     *
     * @return the exit code, see {@link ExitCode}
     */
    public static int run(CliContext context, String... args) {
        return commandLine(context).execute(args);
    }

    /** All commands, ready to be run or documented. */
    public static CommandLine commandLine(CliContext context) {
        CommonOptions options = new CommonOptions();
        // Options behind the program's name are the program's.
        CommandLine run = new CommandLine(new RunCommand(context, options)).setStopAtPositional(true);
        CommandLine ce = new CommandLine(new Ce(options))
                .addSubcommand("submit", new SubmitCommand(context, options))
                .addSubcommand("run", run)
                .addSubcommand("status", new StatusCommand(context, options))
                .addSubcommand("info", new InfoCommand(context, options))
                .addSubcommand("list", new ListCommand(context, options))
                .addSubcommand("cancel", new CancelCommand(context, options))
                .addSubcommand("purge", new PurgeCommand(context, options))
                .addSubcommand("output", new OutputCommand(context, options))
                .addSubcommand("delegate", new DelegateCommand(context, options))
                .addSubcommand("service-info", new ServiceInfoCommand(context, options))
                .addSubcommand("config", ConfigCommand.all(context, options))
                .addSubcommand("explain", new ExplainCommand(context, options))
                .addSubcommand("history", new HistoryCommand(context, options))
                .addSubcommand("jobs", new JobsCommand(context, options))
                .addSubcommand("whois", new WhoisCommand(context, options))
                .addSubcommand("audit", new AuditCommand(context, options))
                .addSubcommand("glue2", new Glue2Command(context))
                .addSubcommand("suspend", new SuspendCommand(context, options))
                .addSubcommand("resume", new ResumeCommand(context, options))
                .addSubcommand("renew", new RenewCommand(context, options))
                .addSubcommand("lease", LeaseCommands.all(context, options))
                .addSubcommand("follow", new FollowCommand(context, options))
                .addSubcommand("messages", new MessagesCommand(context, options))
                .addSubcommand("events", new EventsCommand(context, options))
                .addSubcommand("enable", new ControlCommand.Enable(context, options))
                .addSubcommand("disable", new SubmissionCommand.Disable(context, options))
                .addSubcommand("drain", new ControlCommand.Drain(context, options))
                .addSubcommand("ban", new ControlCommand.Ban(context, options))
                .addSubcommand("unban", new ControlCommand.Unban(context, options))
                .addSubcommand("usage", UsageCommand.all(context, options));
        ErrorLine errors = new ErrorLine(context, options);
        return ce.setOut(new java.io.PrintWriter(context.out(), true, StandardCharsets.UTF_8))
                .setErr(new java.io.PrintWriter(context.err(), true, StandardCharsets.UTF_8))
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        Boolean.getBoolean("gelato.cli.color") ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
                .setUsageHelpAutoWidth(true)
                .setAbbreviatedOptionsAllowed(false)
                // An argument of a job may begin with @.
                .setExpandAtFiles(false)
                .setExecutionExceptionHandler(errors)
                .setParameterExceptionHandler(errors);
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(
                new java.io.BufferedOutputStream(new FileOutputStream(descriptor)), true, StandardCharsets.UTF_8);
    }
}
