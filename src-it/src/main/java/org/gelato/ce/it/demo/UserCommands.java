package org.gelato.ce.it.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import org.gelato.ce.cli.Main;
import org.gelato.ce.cli.ProtocolConnector;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;

/** The commands a user types, run in this process: same options, same wire, no second JVM. */
final class UserCommands {
    private final DemoHome home;
    private final DemoGrid grid;
    private final Clock clock;

    UserCommands(DemoHome home, DemoGrid grid, Clock clock) {
        this.home = home;
        this.grid = grid;
        this.clock = clock;
    }

    /**
     * What a command did.
     *
     * @param errors its messages, on one line
     */
    record Outcome(int exitCode, String output, String errors) {
        /** The output as JSON. */
        JsonNode json() {
            try {
                return new ObjectMapper().readTree(output);
            } catch (JsonProcessingException e) {
                throw new DemoException("a command printed no JSON: " + e.getOriginalMessage(), e);
            }
        }
    }

    /** Runs a command that must succeed. */
    Outcome must(String input, String... args) {
        Outcome outcome = run(input, args);
        if (outcome.exitCode() != 0) {
            throw new DemoException(
                    outcome.errors().isEmpty()
                            ? "ce " + String.join(" ", args) + " failed without a message"
                            : outcome.errors());
        }
        return outcome;
    }

    Outcome run(String input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        CliContext context = new CliContext(
                new StandardStreams(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        false),
                grid.environment(),
                home.directory(),
                clock,
                time -> Thread.sleep(time.toMillis()),
                new ProtocolConnector());
        int code = Main.run(context, args);
        List<String> errors = err.toString(StandardCharsets.UTF_8).lines().toList();
        return new Outcome(code, out.toString(StandardCharsets.UTF_8), String.join("; ", errors));
    }
}
