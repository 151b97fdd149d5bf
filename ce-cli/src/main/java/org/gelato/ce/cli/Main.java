package org.gelato.ce.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.gelato.ce.cli.admin.AuditCommand;
import org.gelato.ce.cli.admin.UsageCommand;
import org.gelato.ce.cli.command.CancelCommand;
import org.gelato.ce.cli.command.Ce;
import org.gelato.ce.cli.command.ConfigCommand;
import org.gelato.ce.cli.command.ControlCommand;
import org.gelato.ce.cli.command.DelegateCommand;
import org.gelato.ce.cli.command.ErrorLine;
import org.gelato.ce.cli.command.EventsCommand;
import org.gelato.ce.cli.command.ExplainCommand;
import org.gelato.ce.cli.command.Glue2Command;
import org.gelato.ce.cli.command.HistoryCommand;
import org.gelato.ce.cli.command.HoldCommand;
import org.gelato.ce.cli.command.InfoCommand;
import org.gelato.ce.cli.command.JobsCommand;
import org.gelato.ce.cli.command.LeaseCommands;
import org.gelato.ce.cli.command.ListCommand;
import org.gelato.ce.cli.command.OutputCommand;
import org.gelato.ce.cli.command.PurgeCommand;
import org.gelato.ce.cli.command.RenewCommand;
import org.gelato.ce.cli.command.ResubmitCommand;
import org.gelato.ce.cli.command.ServiceInfoCommand;
import org.gelato.ce.cli.command.StatusCommand;
import org.gelato.ce.cli.command.SubmissionCommand;
import org.gelato.ce.cli.command.SubmitCommand;
import org.gelato.ce.cli.command.WaitCommand;
import org.gelato.ce.cli.command.WhoisCommand;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.StandardStreams;
import org.gelato.ce.cli.display.FollowCommand;
import org.gelato.ce.cli.display.MessagesCommand;
import org.gelato.ce.cli.submission.RunCommand;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.GivenFile;
import org.gelato.ce.cli.terminal.OutputLost;
import org.gelato.ce.cli.terminal.ProcessSignals;
import org.gelato.ce.cli.terminal.ResultStream;
import picocli.CommandLine;

/** Entry point of the command line. Also usable inside another JVM through {@link #run}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        PrintStream out = utf8(new ResultStream(new FileOutputStream(FileDescriptor.out), ResultStream::isPipe));
        PrintStream err = utf8(new FileOutputStream(FileDescriptor.err));
        CliContext context = new CliContext(
                new StandardStreams(
                        out,
                        err,
                        System.in,
                        GivenFile.kind(Path.of("/proc/self/fd/0")),
                        Boolean.getBoolean("gelato.cli.terminal")),
                System.getenv(),
                Path.of("").toAbsolutePath(),
                Clock.systemUTC(),
                time -> Thread.sleep(time.toMillis()),
                new ProtocolConnector(),
                new ProcessSignals());
        int code = run(context, args);
        err.flush();
        String classes = System.getProperty("gelato.cli.classes");
        if (classes != null && code == ExitCode.OK) {
            keepClasses(Path.of(classes));
        }
        System.exit(code);
    }

    /** Java lists the classes of this command for the launcher, who has use for those of one that succeeded. */
    private static void keepClasses(Path list) {
        try {
            Files.move(Path.of(list + ".new"), list, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            // A home that is full, or another's, is no reason for a command to fail.
        }
    }

    /**
     * Runs one command.
     *
     * @return the exit code, see {@link ExitCode}
     */
    public static int run(CliContext context, String... args) {
        // The launcher sets the property for the call that lists classes for its archive, which is for all commands.
        boolean all = args.length == 0 || Boolean.getBoolean("gelato.cli.all");
        try {
            CommandLine ce = commandLine(context, all ? "" : args[0]);
            ce.getSubcommands().values().forEach(Main::ownOptionsAlone);
            int code = ce.execute(args);
            context.out().flush();
            return code;
        } catch (OutputLost e) {
            if (!e.isClosed()) {
                context.err().println("ce: " + e.getMessage());
            }
            return e.exitCode();
        }
    }

    /** All commands, ready to be run or documented. */
    public static CommandLine commandLine(CliContext context) {
        return commandLine(context, "");
    }

    /**
     * To make all commands costs as much processor time as a short one itself.
     *
     * @param only the command that is made; all where it is none
     */
    private static CommandLine commandLine(CliContext context, String only) {
        CommonOptions options = new CommonOptions();
        CommandLine ce = new CommandLine(new Ce(options));
        Map<String, Supplier<Object>> all = commands(context, options);
        if (all.containsKey(only) || only.equals("--version")) {
            all.keySet().retainAll(Set.of(only));
        }
        all.forEach((name, command) -> ce.addSubcommand(name, command.get()));
        if (all.containsKey("run")) {
            hide(ce.getSubcommands().get("run").getCommandSpec(), "--json");
        }
        ErrorLine errors = new ErrorLine(context, options);
        List<String> sections = purposeFirst(ce.getHelpSectionKeys());
        ce.setHelpSectionKeys(sections);
        // The launcher has the list of commands.
        ce.getCommandSpec()
                .usageMessage()
                .sectionKeys(sections.stream()
                        .filter(section -> !section.startsWith("commandList"))
                        .toList());
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

    /** An option that counts, and is not in the help: {@code --json} of a command whose standard output is another program's says so where it is given. */
    private static void hide(CommandLine.Model.CommandSpec spec, String name) {
        CommandLine.Model.OptionSpec option = spec.findOption(name);
        spec.remove(option);
        spec.addOption(CommandLine.Model.OptionSpec.builder(option)
                .hidden(true)
                .scopeType(CommandLine.ScopeType.LOCAL)
                .build());
    }

    /** What the help of a command shows; man pages and completion have all. */
    private static void ownOptionsAlone(CommandLine command) {
        CommandLine.Model.CommandSpec spec = command.getCommandSpec();
        spec.options().stream()
                .filter(option -> option.inherited() || option.usageHelp() || option.versionHelp())
                .map(CommandLine.Model.OptionSpec::longestName)
                .toList()
                .forEach(name -> hide(spec, name));
        List<String> footer = new ArrayList<>(List.of(spec.usageMessage().footer()));
        footer.addAll(List.of("", "Options of every command, such as --endpoint and --proxy: ce help options"));
        spec.usageMessage().footer(footer.toArray(new String[0]));
        command.getSubcommands().values().forEach(Main::ownOptionsAlone);
    }

    /** What a command is for stands before how it is written. */
    private static List<String> purposeFirst(List<String> sections) {
        List<String> order = new ArrayList<>(sections);
        order.removeAll(List.of(SECTION_KEY_DESCRIPTION_HEADING, SECTION_KEY_DESCRIPTION));
        order.addAll(0, List.of(SECTION_KEY_DESCRIPTION_HEADING, SECTION_KEY_DESCRIPTION));
        return order;
    }

    /** By their names, in the order of the help. */
    private static Map<String, Supplier<Object>> commands(CliContext context, CommonOptions options) {
        Map<String, Supplier<Object>> all = new LinkedHashMap<>();
        all.put("submit", () -> new SubmitCommand(context, options));
        // Options behind the program's name are the program's.
        all.put("run", () -> new CommandLine(new RunCommand(context, options)).setStopAtPositional(true));
        all.put("status", () -> new StatusCommand(context, options));
        all.put("info", () -> new InfoCommand(context, options));
        all.put("list", () -> new ListCommand(context, options));
        all.put("cancel", () -> new CancelCommand(context, options));
        all.put("purge", () -> new PurgeCommand(context, options));
        all.put("wait", () -> new WaitCommand(context, options));
        all.put("resubmit", () -> new ResubmitCommand(context, options));
        all.put("output", () -> new OutputCommand(context, options));
        all.put("delegate", () -> new DelegateCommand(context, options));
        all.put("service-info", () -> new ServiceInfoCommand(context, options));
        all.put("config", () -> ConfigCommand.all(context, options));
        all.put("explain", () -> new ExplainCommand(context, options));
        all.put("history", () -> new HistoryCommand(context, options));
        all.put("jobs", () -> new JobsCommand(context, options));
        all.put("whois", () -> new WhoisCommand(context, options));
        all.put("audit", () -> new AuditCommand(context, options));
        all.put("glue2", () -> new Glue2Command(context));
        all.put("suspend", () -> new HoldCommand.Suspend(context, options));
        all.put("resume", () -> new HoldCommand.Resume(context, options));
        all.put("renew", () -> new RenewCommand(context, options));
        all.put("lease", () -> LeaseCommands.all(context, options));
        all.put("follow", () -> new FollowCommand(context, options));
        all.put("messages", () -> new MessagesCommand(context, options));
        all.put("events", () -> new EventsCommand(context, options));
        all.put("enable", () -> new ControlCommand.Enable(context, options));
        all.put("disable", () -> new SubmissionCommand.Disable(context, options));
        all.put("drain", () -> new ControlCommand.Drain(context, options));
        all.put("ban", () -> new ControlCommand.Ban(context, options));
        all.put("unban", () -> new ControlCommand.Unban(context, options));
        all.put("usage", () -> UsageCommand.all(context, options));
        return all;
    }

    private static PrintStream utf8(OutputStream stream) {
        return new PrintStream(new BufferedOutputStream(stream), true, StandardCharsets.UTF_8);
    }
}
