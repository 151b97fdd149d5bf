package org.gelato.ce.cli.command;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.LeaseReport;
import org.gelato.ce.cli.wire.Response;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands below {@code ce lease}. */
public final class LeaseCommands {
    private LeaseCommands() {}

    /** The whole of {@code ce lease}. */
    public static CommandLine all(CliContext context, CommonOptions options) {
        return new CommandLine(new Lease())
                .addSubcommand(new Set(context, options))
                .addSubcommand(new Get(context, options))
                .addSubcommand(new ListAll(context, options))
                .addSubcommand(new Delete(context, options))
                .addSubcommand(new Attach(context, options))
                .addSubcommand(new Detach(context, options));
    }

    /** {@code ce lease}: carries the commands about leases. */
    @Command(
            name = "lease",
            mixinStandardHelpOptions = true,
            synopsisSubcommandLabel = "COMMAND",
            description = "Handles leases: jobs that refer to one are cancelled when it ends.")
    static final class Lease implements Runnable {
        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            throw new ParameterException(
                    spec.commandLine(),
                    "say what to do: one of "
                            + String.join(", ", spec.subcommands().keySet()));
        }
    }

    private abstract static class OneLease extends CeCommand {
        @Parameters(paramLabel = "ID", description = "Name of the lease, of your choice.")
        private String id;

        OneLease(CliContext context, CommonOptions options) {
            super(context, options);
        }

        final String id() {
            if (id.isBlank()) {
                throw usage("the lease id is empty");
            }
            return id;
        }

        final void print(LeaseReport lease) {
            if (options.json()) {
                JsonResult.print(context.out(), lease);
            } else {
                context.out().println(line(lease));
            }
        }
    }

    private static String line(LeaseReport lease) {
        return Printable.line(lease.id()) + (lease.end() == null ? "" : " " + lease.end());
    }

    /** {@code ce lease set}. */
    @Command(name = "set", description = "Makes a lease, or moves its end; prints the end the CE grants.")
    static final class Set extends OneLease {
        @Option(
                names = {"-T", "--leaseTime"},
                required = true,
                paramLabel = "SECONDS",
                description = "How long the lease is to last from now.")
        private long seconds;

        Set(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            if (seconds < 1 || seconds > Integer.MAX_VALUE) {
                throw usage("--leaseTime must be 1 to " + Integer.MAX_VALUE + " seconds, not " + seconds);
            }
            String name = id();
            Instant end = context.clock().instant().plusSeconds(seconds);
            print(connectToNamed().leases().set(name, end));
            return ExitCode.OK;
        }
    }

    /** {@code ce lease get}. */
    @Command(name = "get", description = "Shows when a lease ends.")
    static final class Get extends OneLease {
        Get(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            String name = id();
            print(connectToNamed().leases().get(name));
            return ExitCode.OK;
        }
    }

    /** {@code ce lease list}. */
    @Command(name = "list", description = "Lists your leases with their ends, one per line.")
    static final class ListAll extends CeCommand {
        ListAll(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            List<LeaseReport> leases = connectToNamed().leases().list();
            if (options.json()) {
                JsonResult.print(context.out(), Map.of("leases", leases));
            } else {
                leases.forEach(lease -> context.out().println(line(lease)));
            }
            return ExitCode.OK;
        }
    }

    /** {@code ce lease delete}. */
    @Command(name = "delete", description = "Removes a lease; its jobs go on without.")
    static final class Delete extends OneLease {
        Delete(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            String name = id();
            connectToNamed().leases().delete(name);
            if (options.json()) {
                JsonResult.print(context.out(), JsonResult.object().put("deleted", name));
            }
            return ExitCode.OK;
        }
    }

    /** {@code ce lease attach}. */
    @Command(name = "attach", description = "Makes jobs refer to a lease.")
    static final class Attach extends JobCommand {
        @Option(
                names = {"-L", "--leaseId"},
                required = true,
                paramLabel = "ID",
                description = "The lease to refer to from now on.")
        private String leaseId;

        Attach(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            if (leaseId.isBlank()) {
                throw usage("the lease id is empty");
            }
            return super.call();
        }

        @Override
        String done() {
            return "lease set";
        }

        @Override
        List<Response<Void>> apply(ComputingElement ce, JobSelector jobs) {
            return ce.leases().attach(leaseId, jobs);
        }
    }

    /** {@code ce lease detach}. */
    @Command(name = "detach", description = "Makes jobs refer to no lease any more.")
    static final class Detach extends JobCommand {
        Detach(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        String done() {
            return "lease removed";
        }

        @Override
        List<Response<Void>> apply(ComputingElement ce, JobSelector jobs) {
            return ce.leases().attach(null, jobs);
        }
    }
}
