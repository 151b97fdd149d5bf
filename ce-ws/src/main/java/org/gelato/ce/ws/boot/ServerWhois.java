package org.gelato.ce.ws.boot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.check.OwnPages;
import org.gelato.ce.ws.config.CeConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Whose a job is, for root and the CE's account on this host: the CE that runs here is asked, and no certificate is needed. */
@Command(
        name = "whois",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionLine.class,
        description = {
            "Show who ran a job, on the CE's host and without a proxy.",
            "Asks the CE that runs here, as root or as the CE's account. Jobs that were purged are in its audit log alone (ce audit)."
        },
        footer = {"", "Exit code: 0 found, 1 none found (or no response), 2 wrong command line."})
final class ServerWhois implements Callable<Integer> {
    private static final String PAGE = "/ce-cream/admin/jobs?";
    private static final int MAX = 8 * 1024 * 1024;
    private static final Pattern JOB = Pattern.compile("(?:https://[^/]+/)?(CREAM\\d{9})");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Field of the CE's response, and how it is shown. */
    private static final String[][] ROWS = {
        {"dn", "user"},
        {"fqan", "attribute"},
        {"vo", "VO"},
        {"account", "account"},
        {"lrmsJobId", "batch job"},
        {"queue", "queue"},
        {"workerNode", "node"},
        {"registered", "registered"},
        {"running", "running"},
        {"ended", "ended"}
    };

    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = Main.CONFIGURATION,
            description = Main.CONFIGURATION_TEXT)
    private Path config;

    @Option(names = "--json", description = "Print the CE's JSON, a line for each page of jobs.")
    private boolean json;

    @Parameters(
            paramLabel = "BATCHID|JOBID|ACCOUNT@TIME",
            hideParamSyntax = true,
            description =
                    "Id in the batch system, id or URL of the job, or a local account and a time as 2026-01-31T12:00:00Z.")
    private String wanted;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        String query = query(wanted.strip());
        CeConfig read = CeConfig.load(config);
        PrintWriter out = spec.commandLine().getOut();
        int found = 0;
        JsonNode page;
        String after = "";
        do {
            page = page(read, query + after);
            if (json) {
                out.println(page);
            } else {
                page.path("jobs").forEach(job -> print(out, job));
            }
            found += page.path("jobs").size();
            after = "&after=" + page.path("next").asText();
        } while (page.has("next"));
        if (found == 0) {
            spec.commandLine()
                    .getErr()
                    .println("no job '" + Messages.line(wanted)
                            + "' in the CE's database; what was purged is in the CE's audit log:" + " ce audit");
            return 1;
        }
        return 0;
    }

    private static JsonNode page(CeConfig config, String query) {
        try {
            String text = OwnPages.get(config, PAGE + query, MAX);
            if (!text.startsWith("{")) {
                throw new IllegalStateException(
                        "the CE refuses: " + Messages.line(text) + "; run this as root or as the CE's account");
            }
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the CE of " + config.baseUrl() + " does not respond on this host: " + Messages.of(e)
                            + "; start it, or search its audit log (ce audit)",
                    e);
        }
    }

    private String query(String text) {
        if (text.isEmpty()) {
            throw usage("name a job, or an account and a time");
        }
        Matcher job = JOB.matcher(text);
        if (job.matches()) {
            return "job=" + job.group(1);
        }
        int at = text.indexOf('@');
        if (at < 0) {
            return "batch=" + encoded(text);
        }
        if (at == 0) {
            throw usage("no account before the @ of " + text);
        }
        try {
            Instant time = OffsetDateTime.parse(text.substring(at + 1)).toInstant();
            return "account=" + encoded(text.substring(0, at)) + "&at=" + time;
        } catch (DateTimeException e) {
            throw new ParameterException(
                    spec.commandLine(), text.substring(at + 1) + " is no time such as 2026-01-31T12:00:00Z", e);
        }
    }

    private ParameterException usage(String text) {
        return new ParameterException(spec.commandLine(), text);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void print(PrintWriter out, JsonNode job) {
        out.println(
                Messages.line(job.path("id").asText() + " " + job.path("state").asText()
                        + (job.has("exitCode") ? " exit=" + job.path("exitCode").asText() : "")));
        for (String[] row : ROWS) {
            if (job.has(row[0])) {
                out.printf(
                        "  %-10s %s%n", row[1], Messages.line(job.path(row[0]).asText()));
            }
        }
    }
}
