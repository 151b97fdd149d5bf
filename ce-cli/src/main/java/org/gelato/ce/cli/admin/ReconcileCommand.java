package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.cli.context.AgeText;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** {@code ce usage reconcile}: the CE's records against the batch system's own log. */
@Command(
        name = "reconcile",
        description =
                "Compares a CE's usage records with the batch system's log, and lists what differs; for administrators.")
final class ReconcileCommand extends UsageAction {
    private static final String EXIT_CODES =
            "Exit code: 0 nothing differs, 1 something does (or no response), 2 wrong command line.";

    private static final int MAX_JOBS = 5_000_000;
    private static final Duration AROUND = Duration.ofDays(1);

    @Option(
            names = "--tolerance",
            paramLabel = "AGE",
            converter = AgeText.class,
            description = "How far times may be apart: " + AgeText.FORM + ". Default: 1m.")
    private Duration tolerance = Duration.ofMinutes(1);

    @Option(
            names = "--cpu-tolerance",
            paramLabel = "SECONDS",
            description = "How much CPU time may differ. Default: ${DEFAULT-VALUE}.")
    private double cpuTolerance = 2;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "Time zone of a log whose times have none, such as Europe/Rome. Default: this host's.")
    private String zone;

    private final Map<LogFormat, OptionSpec> logs = new LinkedHashMap<>();

    private ReconcileCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    /** With an option for each kind of log. */
    static CommandLine with(CliContext context, CommonOptions options) {
        ReconcileCommand command = new ReconcileCommand(context, options);
        CommandLine line = new CommandLine(command);
        List<String> footer = new ArrayList<>(List.of(""));
        for (LogFormat format : LogFormat.all()) {
            OptionSpec option = OptionSpec.builder(format.option())
                    .paramLabel("FILE")
                    .description(format.description())
                    .arity("1..*")
                    .type(List.class)
                    .auxiliaryTypes(String.class)
                    .build();
            command.logs.put(format, option);
            line.getCommandSpec().addOption(option);
            footer.addAll(format.example());
        }
        footer.add(EXIT_CODES);
        line.getCommandSpec().usageMessage().footer(footer.toArray(String[]::new));
        return line;
    }

    @Override
    public Integer call() {
        List<LogFormat> named = logs.keySet().stream()
                .filter(format -> !files(format).isEmpty())
                .toList();
        if (named.size() != 1) {
            throw usage("name the batch system's log by one of "
                    + logs.keySet().stream().map(LogFormat::option).collect(Collectors.joining(", ")));
        }
        if (cpuTolerance < 0) {
            throw usage("--cpu-tolerance is negative");
        }
        List<UsedJob> batch = batch(named.get(0), zone());
        Reconciliation result = new Reconciliation(tolerance, cpuTolerance, from(), to());
        result.compare(records(connect()), batch);
        if (options.json()) {
            printJson(result);
        } else {
            print(result);
        }
        return result.differences().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private ZoneId zone() {
        try {
            return zone == null ? ZoneId.systemDefault() : ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw usage("--zone " + zone + " is no time zone");
        }
    }

    private List<String> files(LogFormat format) {
        List<String> files = logs.get(format).getValue();
        return files == null ? List.of() : files;
    }

    private List<UsedJob> batch(LogFormat format, ZoneId local) {
        List<UsedJob> jobs = new ArrayList<>();
        for (String file : files(format)) {
            try (InputStream in = file.equals("-")
                            ? context.in()
                            : Files.newInputStream(context.workingDirectory().resolve(file));
                    BufferedReader text = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                format.read(text, local, job -> add(jobs, job));
            } catch (IOException e) {
                throw new CliException(file + " cannot be read: " + e, e);
            }
        }
        return jobs;
    }

    private static void add(List<UsedJob> jobs, UsedJob job) {
        if (jobs.size() == MAX_JOBS) {
            throw new CliException("more than " + MAX_JOBS + " jobs: compare a shorter interval");
        }
        jobs.add(job);
    }

    private List<UsedJob> records(ComputingElement ce) {
        List<UsedJob> jobs = new ArrayList<>();
        Map<String, String> parameters = new LinkedHashMap<>();
        Instant first = from().isBefore(Instant.EPOCH.plus(AROUND)) ? Instant.EPOCH : from().minus(AROUND);
        parameters.put("from", first.toString());
        parameters.put("to", to() == null ? null : to().plus(AROUND).toString());
        parameters.put("jobs", "true");
        long after = 0;
        while (true) {
            parameters.put("after", Long.toString(after));
            JsonNode page = ce.control("GET", "usage", parameters);
            if (!page.path("jobs").isArray()) {
                throw new CliException("the CE's response has no list of jobs");
            }
            page.path("jobs").forEach(job -> {
                if (job.has("batchId")) {
                    add(jobs, record(job));
                }
            });
            JsonNode next = page.path("next");
            if (next.isMissingNode()) {
                return jobs;
            }
            if (next.asLong() <= after) {
                throw new CliException("the CE's list of jobs does not end");
            }
            after = next.asLong();
        }
    }

    private static UsedJob record(JsonNode job) {
        try {
            return new UsedJob(
                    job.path("batchId").asText(),
                    job.path("id").asText(),
                    job.has("running") ? Instant.parse(job.path("running").asText()) : null,
                    Instant.parse(job.path("ended").asText()),
                    number(job.path("cpuSeconds")),
                    number(job.path("wallSeconds")),
                    job.has("cores") ? (Integer) job.path("cores").asInt() : null);
        } catch (DateTimeException e) {
            throw new CliException("the CE's list of jobs has an invalid time: " + e.getMessage(), e);
        }
    }

    private static Double number(JsonNode value) {
        return value.isNumber() ? (Double) value.asDouble() : null;
    }

    private void print(Reconciliation result) {
        for (Reconciliation.Difference d : result.differences()) {
            String job = Printable.line(d.id()) + " " + Printable.line(d.name());
            context.out()
                    .println(
                            switch (d.what()) {
                                case "ce" -> job + ": not at the CE; the batch system has " + d.batch();
                                case "batch" -> job + ": not in the batch system's log; the CE has " + d.ce();
                                default ->
                                    job + ": " + d.what() + " is "
                                            + (d.ce() == null ? "unknown" : d.ce()) + " at the CE and " + d.batch()
                                            + " in the batch system";
                            });
        }
        message(result.compared() + " jobs compared, " + result.differences().size() + " differences");
    }

    private void printJson(Reconciliation result) {
        ObjectNode root = mapper().createObjectNode();
        root.put("compared", result.compared());
        ArrayNode all = root.putArray("differences");
        for (Reconciliation.Difference d : result.differences()) {
            ObjectNode one =
                    all.addObject().put("batchId", d.id()).put("name", d.name()).put("what", d.what());
            if (d.ce() != null) {
                one.put("ce", d.ce());
            }
            if (d.batch() != null) {
                one.put("batch", d.batch());
            }
        }
        print(root);
    }
}
