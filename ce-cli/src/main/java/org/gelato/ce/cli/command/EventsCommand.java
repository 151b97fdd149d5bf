package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.States;
import org.gelato.ce.cli.context.TimeText;
import org.gelato.ce.cli.display.EventStream;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.EventReport;
import org.gelato.ce.cli.wire.EventSelector;
import org.gelato.ce.cli.wire.JobUrl;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ce events}: the state changes of the user's jobs in their order, up to now or from now on. */
@Command(
        name = "events",
        description = {
            "Lists state changes of your jobs, one line each: number, time, job, state.",
            "With --follow it continues until you interrupt it; --json then prints one object per line."
        })
public final class EventsCommand extends CeCommand {
    @Option(
            names = "--from-id",
            paramLabel = "N",
            defaultValue = "0",
            description = "First event. Default: the oldest.")
    private long fromId;

    @Option(names = "--to-id", paramLabel = "N", description = "Last event.")
    private Long toId;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "Only changes then or later: " + TimeText.FORM + ".")
    private Instant from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "Only changes then or earlier.")
    private Instant to;

    @Option(
            names = {"-s", "--status"},
            paramLabel = "STATE[:STATE...]",
            hideParamSyntax = true,
            split = "[:,]",
            description = "Only changes to this state; several with ':' or ',' between.")
    private List<String> states = new ArrayList<>();

    @Option(
            names = {"-N", "--max"},
            paramLabel = "N",
            description = "End after so many events.")
    private Integer max;

    @Option(names = "--follow", description = "Wait for more events at the end.")
    private boolean follow;

    private ComputingElement ce;

    public EventsCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() throws InterruptedException {
        EventSelector wanted = wanted();
        ce = connectToNamed();
        EventStream stream = new EventStream(
                context, ce, wanted, text -> context.err().println("ce events: " + Printable.line(text)));
        if (follow) {
            stream.follow(max, event -> print(event));
        } else if (options.json()) {
            ArrayNode events = JsonResult.object().putArray("events");
            stream.read(max, event -> json(events.addObject(), event));
            ObjectNode root = JsonResult.object().put("dbId", stream.dbId());
            root.set("events", events);
            JsonResult.print(context.out(), root);
        } else {
            stream.read(max, event -> print(event));
        }
        return ExitCode.OK;
    }

    private EventSelector wanted() {
        if (fromId < 0 || (toId != null && toId < fromId)) {
            throw usage("--from-id and --to-id want a range such as 10 and 20");
        }
        if (from != null && to != null && from.isAfter(to)) {
            throw usage("--from is later than --to");
        }
        if (follow && to != null) {
            throw usage("--to and --follow exclude each other: no later event would be shown");
        }
        if (max != null && max < 1) {
            throw usage("--max must be 1 or more");
        }
        return new EventSelector(fromId, toId, from, to, States.of(states), EventStream.PAGE);
    }

    private void print(EventReport event) {
        if (options.json()) {
            ObjectNode node = JsonResult.object();
            json(node, event);
            JsonResult.print(context.out(), node);
            return;
        }
        String node = Lines.known(event.workerNode()) ? " node=" + Printable.line(event.workerNode()) : "";
        context.out().println(event.id() + " " + job(event) + " " + Lines.status(event.status()) + node);
    }

    private void json(ObjectNode target, EventReport event) {
        JsonResult.add(target.put("id", job(event).toString()), event);
    }

    private JobUrl job(EventReport event) {
        return new JobUrl(ce.endpoint(), event.localId());
    }
}
