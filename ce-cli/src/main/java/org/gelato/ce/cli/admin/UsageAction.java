package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the commands about usage share: a CE and an interval. Used once, by the main thread. */
@Command(mixinStandardHelpOptions = true)
abstract class UsageAction implements Callable<Integer> {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final CliContext context;
    final CommonOptions options;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = PointText.class,
            description = "Jobs that ended then or later: " + PointText.FORM + ". Default: begin of last month.")
    private Instant from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = PointText.class,
            description = "Jobs that ended before. Default: all.")
    private Instant to;

    @Spec
    private CommandSpec spec;

    UsageAction(CliContext context, CommonOptions options) {
        this.context = context;
        this.options = options;
    }

    final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    final ComputingElement connect() {
        return context.connector()
                .connect(
                        options.endpointOr(context.environment())
                                .orElseThrow(
                                        () -> usage(
                                                "which CE? Name it with -e HOST[:PORT] or in CE_ENDPOINT, or for good: ce config set endpoint HOST[:PORT]")),
                        options,
                        context);
    }

    final Instant from() {
        return from != null
                ? from
                : PointText.begin(YearMonth.from(context.clock().instant().atZone(ZoneOffset.UTC))
                        .minusMonths(1));
    }

    /** The end of the time that is read; null for no end. */
    final Instant to() {
        return to;
    }

    /** Whether both ends are given. */
    final boolean bounded() {
        return from != null && to != null;
    }

    final Map<String, String> interval() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("from", from().toString());
        parameters.put("to", to == null ? null : to.toString());
        return parameters;
    }

    final void print(JsonNode json) {
        try {
            context.out().println(MAPPER.writeValueAsString(json));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values has no JSON form", e);
        }
    }

    static ObjectMapper mapper() {
        return MAPPER;
    }

    final void message(String text) {
        context.err().println(spec.qualifiedName() + ": " + Printable.line(text));
    }
}
