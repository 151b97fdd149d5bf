package org.gelato.ce.cli.display;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.JobIdArguments;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.json.ExitCodeNumber;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ce messages}: the messages of jobs that are stored, and those that come. */
@Command(
        name = "messages",
        description = {
            "Lists the messages of jobs, in the order the CE stored them: a line TIME LEVEL [KEY] TEXT each. What the CE says begins"
                    + " with [CE].",
            "Names jobs, or takes those of all your jobs, or of a VO you administer."
        },
        footer = {
            "",
            "--json prints one object with messages and next, the cursor to go on after; with --follow, one object per line, each with"
                    + " its cursor.",
            "--follow ends when the named jobs have ended; of all jobs it does not end."
        })
public final class MessagesCommand extends LiveAction {
    private static final Pattern CURSOR = Pattern.compile("(?:[0-9]{1,15}-)?[0-9]{1,18}");

    @Mixin
    private JobIdArguments ids = new JobIdArguments();

    @Option(
            names = {"-a", "--all"},
            description = "Those of all your jobs on the CE.")
    private boolean all;

    @Option(names = "--vo", paramLabel = "NAME", description = "Those of all jobs of a VO; for its administrators.")
    private String vo;

    @Option(names = "--everybody", description = "Those of all jobs; for administrators of the CE.")
    private boolean everybody;

    @Option(
            names = "--after",
            paramLabel = "CURSOR",
            defaultValue = "0",
            description = "Only what was stored after the message with this cursor. Default: all that is stored.")
    private String after;

    @Option(
            names = {"-N", "--max"},
            paramLabel = "N",
            description = "End after so many messages.")
    private Integer max;

    @Option(names = "--latest", description = "Only the last message of each key of a job.")
    private boolean latest;

    @Option(names = "--output", description = "Pieces of live output, too.")
    private boolean output;

    @Option(names = "--follow", description = "Wait for more messages at the end.")
    private boolean follow;

    private JobPrinter printer;

    public MessagesCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() throws InterruptedException {
        List<JobUrl> jobs = jobs();
        check(jobs);
        List<String> localIds = jobs.stream().map(JobUrl::localId).distinct().toList();
        String scope = vo != null ? "vo:" + vo : everybody ? "all" : "own";
        MessageCalls.Query query = query(localIds, scope, output);
        ComputingElement ce = jobs.isEmpty() ? connect() : connect(jobs);
        MessageCalls messages = ce.messages();
        printer = new JobPrinter(context.out(), context.err(), localIds.size() != 1, false, onTerminal());
        MessageStream stream = new MessageStream(context, messages, after, this::message);
        if (follow) {
            stream.follow(query, this::show);
            return ExitCode.OK;
        }
        if (options.json()) {
            object(stream, messages, query);
        } else if (latest) {
            messages.latest(query, printer::print);
        } else {
            stream.read(query, max, printer::print);
        }
        printer.endLines();
        return ExitCode.OK;
    }

    private List<JobUrl> jobs() {
        boolean wide = all || everybody || vo != null;
        if ((all ? 1 : 0) + (everybody ? 1 : 0) + (vo == null ? 0 : 1) > 1) {
            throw usage("--all, --vo and --everybody exclude each other");
        }
        if (wide && ids.isGiven()) {
            throw usage("names of jobs and --all, --vo or --everybody exclude each other");
        }
        if (!wide && !ids.isGiven()) {
            throw usage("whose messages? Name jobs, or give --all");
        }
        return wide ? List.of() : ids.read(context.in(), options.endpointOr(context.environment()));
    }

    private void check(List<JobUrl> jobs) {
        if (!CURSOR.matcher(after).matches()) {
            throw usage("--after is the cursor of a message, as --json prints it, or 0");
        }
        if (max != null && max < 1) {
            throw usage("--max must be 1 or more");
        }
        if (latest && (follow || max != null || !after.equals("0") || jobs.size() != 1)) {
            throw usage("--latest is for one job, and excludes --follow, --after and --max");
        }
        if (follow && max != null) {
            throw usage("--max and --follow exclude each other");
        }
    }

    private void show(MessageCalls.Item item) {
        if (options.json()) {
            print(item instanceof MessageCalls.End ? ended((ObjectNode) item.json()) : item.json());
        } else if (item instanceof MessageCalls.Report report) {
            printer.print(report);
        } else if (item instanceof MessageCalls.End end) {
            printer.end(end.localId());
        }
    }

    static ObjectNode ended(ObjectNode end) {
        ExitCodeNumber.put(end, end.path("exitCode").asText());
        return end.put("kind", "end");
    }

    private void object(MessageStream stream, MessageCalls messages, MessageCalls.Query query) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        ArrayNode array = root.putArray("messages");
        List<MessageCalls.Report> read = new ArrayList<>();
        if (latest) {
            messages.latest(query, read::add);
        } else {
            boolean more = stream.read(query, max, read::add);
            root.put("next", stream.cursor()).put("more", more);
        }
        read.forEach(report -> array.add(report.json()));
        print(root);
    }
}
