package org.gelato.ce.cli.display;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.Grouping;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.ServiceFault;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the commands about messages share. Used once, by the main thread. */
@Command(mixinStandardHelpOptions = true)
abstract class LiveAction implements Callable<Integer> {
    private static final Set<String> LEVELS = Set.of("debug", "info", "warning", "error", "d", "i", "w", "e");

    final CliContext context;
    final CommonOptions options;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "Only messages with this key; with * at its end, those whose keys begin so. May be repeated.")
    private List<String> keys = new ArrayList<>();

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description = "Only messages at least so important: debug, info, warning or error.")
    private String level;

    @Spec
    private CommandSpec spec;

    private int failures;

    LiveAction(CliContext context, CommonOptions options) {
        this.context = context;
        this.options = options;
    }

    final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** @param scope counts without jobs */
    final MessageCalls.Query query(List<String> jobs, String scope, boolean output) {
        if (level != null && !LEVELS.contains(level.toLowerCase(Locale.ROOT))) {
            throw usage("--level is debug, info, warning or error");
        }
        return new MessageCalls.Query(jobs, scope, keys, level, output);
    }

    final ComputingElement connect() {
        return connect(
                options.endpointOr(context.environment())
                        .orElseThrow(
                                () -> usage(
                                        "which CE? Name it with -e HOST[:PORT] or in CE_ENDPOINT, or for good: ce config set endpoint HOST[:PORT]")));
    }

    private ComputingElement connect(Endpoint endpoint) {
        return context.connector().connect(endpoint, options, context);
    }

    /** The CE of all these jobs. */
    final ComputingElement connect(List<JobUrl> jobs) {
        Map<Endpoint, List<JobUrl>> groups = Grouping.byEndpoint(jobs);
        if (groups.size() > 1) {
            throw usage("the jobs are on " + groups.size() + " CEs: give those of one");
        }
        if (jobs.size() > MessageCalls.MAX_JOBS) {
            throw usage("these are " + jobs.size() + " jobs: give at most " + MessageCalls.MAX_JOBS
                    + ", or read the messages of all your jobs with ce messages --all --follow");
        }
        return connect(groups.keySet().iterator().next());
    }

    /** The jobs that fulfil a condition; one that is unknown is reported, and the others remain. */
    final List<String> among(List<String> localIds, Predicate<String> condition) {
        List<String> found = new ArrayList<>();
        for (String id : localIds) {
            try {
                if (condition.test(id)) {
                    found.add(id);
                }
            } catch (ServiceFault e) {
                if (!e.fault().kind().equals(MessageCalls.UNKNOWN)) {
                    throw e;
                }
                fail(id, e);
            }
        }
        return found;
    }

    private void fail(String job, CliException e) {
        failures++;
        message(job + ": " + e.advised());
    }

    final boolean failed() {
        return failures > 0;
    }

    /** Whether lines are shown on a terminal, and go nowhere else. */
    final boolean onTerminal() {
        return context.interactive() && isTerminal(Path.of("/proc/self/fd/1"));
    }

    /** Not by the console: whether there is one means something else in each version of Java. */
    private static boolean isTerminal(Path stream) {
        try {
            Path device = stream.toRealPath();
            return device.startsWith("/dev/pts") || device.toString().startsWith("/dev/tty");
        } catch (IOException e) {
            // A pipe or socket has no path.
            return false;
        }
    }

    final void message(String text) {
        context.err().println(spec.qualifiedName() + ": " + Printable.line(text));
        context.err().flush();
    }

    final void print(JsonNode json) {
        context.out().println(json);
    }
}
