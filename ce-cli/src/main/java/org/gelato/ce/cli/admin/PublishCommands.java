package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The commands below {@code ce usage} about publishing; for administrators of a CE. */
final class PublishCommands {
    private PublishCommands() {}

    private static void standings(UsageAction action, JsonNode result) {
        String row = "%-8s %-24s %9s %9s %9s %10s %13s %9s %10s %9s%n";
        action.context
                .out()
                .printf(
                        Locale.ROOT,
                        row,
                        "MONTH",
                        "VO",
                        "JOBS",
                        "PUBLISHED",
                        "UNSENT",
                        "UNWRITABLE",
                        "NO BENCHMARK",
                        "NO ID",
                        "UNMEASURED",
                        "NEVER RAN");
        for (JsonNode s : result.path("standings")) {
            String vo = s.path("vo").asText();
            action.context
                    .out()
                    .printf(
                            Locale.ROOT,
                            row,
                            Printable.line(s.path("month").asText()),
                            vo.isEmpty() ? "(unmapped)" : Printable.line(vo),
                            s.path("jobs").asLong(),
                            s.path("published").asLong(),
                            s.path("unsent").asLong(),
                            s.path("unwritable").asLong(),
                            s.path("unbenchmarked").asLong(),
                            s.path("withoutBatchId").asLong(),
                            s.path("unmeasured").asLong(),
                            s.path("neverRan").asLong());
        }
        if (result.has("failure")) {
            action.message("the last attempt to publish failed: "
                    + result.path("failure").asText());
        }
        if (result.path("publish").asText().equals("off")) {
            action.message("this CE publishes nothing: gelato.accounting.publish is off");
        }
    }

    private static Map<String, String> preview(Map<String, String> parameters) {
        Map<String, String> all = new LinkedHashMap<>(parameters);
        all.put("preview", "true");
        return all;
    }

    private static void done(UsageAction action, JsonNode result) {
        if (action.options.json()) {
            action.print(result);
            return;
        }
        if (result.has("again")) {
            action.message(result.path("again").asLong() + " records are published once more");
        }
        if (result.path("elsewhere").asBoolean()) {
            throw new CliException("another node of this CE publishes just now, or died within the last minute: it"
                    + " continues by itself, or try again then");
        }
        action.message(result.path("records").asLong() + " records in "
                + result.path("messages").asLong() + " messages");
    }

    /** {@code ce usage status}: where records stand. */
    @Command(
            name = "status",
            description =
                    "Shows by month and VO how many records are published, and which are not; for administrators.",
            footer = {
                "",
                "UNSENT: not in a message as they stand; they wait for the batch system's report or the next turn, or lack",
                "what the next columns count: a benchmark of their queue, an id of the batch system. (unmapped): no VO."
            })
    static final class Status extends UsageAction {
        Status(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            JsonNode result = connect().control("GET", "accounting", interval());
            if (options.json()) {
                print(result);
            } else {
                standings(this, result);
            }
            return ExitCode.OK;
        }
    }

    /** {@code ce usage publish}: what is due, at once. */
    @Command(
            name = "publish",
            description = "Has a CE publish the usage records that are due, and totals, at once; for administrators.",
            footer = {"", "Without it the CE does so by itself (gelato.accounting.interval)."})
    static final class Publish extends UsageAction {
        @Option(names = "--dry-run", description = "Shows counts and the first message, and publishes nothing.")
        private boolean dryRun;

        Publish(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            if (!dryRun) {
                done(this, connect().control("PUT", "accounting", Map.of()));
                return ExitCode.OK;
            }
            JsonNode result = connect().control("GET", "accounting", preview(interval()));
            if (options.json()) {
                print(result);
                return ExitCode.OK;
            }
            standings(this, result);
            context.out().println();
            for (String line : result.path("preview").path("message").asText().split("\n", -1)) {
                context.out().println(Printable.line(line));
            }
            return ExitCode.OK;
        }
    }

    /** {@code ce usage republish}: an interval once more. */
    @Command(
            name = "republish",
            description = "Has a CE publish records of an interval once more; for administrators.",
            footer = {"", "The receiver replaces what it has: a month published twice is the same month."})
    static final class Republish extends UsageAction {
        Republish(CliContext context, CommonOptions options) {
            super(context, options);
        }

        @Override
        public Integer call() {
            if (!bounded()) {
                throw usage("republish needs --from and --to");
            }
            Map<String, String> parameters = interval();
            parameters.put("again", "true");
            done(this, connect().control("PUT", "accounting", parameters));
            return ExitCode.OK;
        }
    }
}
