package org.gelato.ce.ws.boot;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.config.CeConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Whose a job is, for root and the CE's account on this host: the CE that runs here is asked, and no certificate is needed. */
@Command(
        name = "whois",
        description = {
            "Show who ran a job, on the CE's host and without a proxy.",
            "Asks the CE that runs here, as root or as the CE's account. Jobs that were purged are in its audit log alone (ce audit)."
        },
        footer = {"", "Exit code: 0 found, 1 none found (or no response), 2 wrong command line."})
final class ServerWhois extends ServerCommand.Configured {
    private static final String PAGE = "/ce-cream/admin/jobs?";
    private static final Pattern JOB = Pattern.compile("(?:https://[^/]+/)?(CREAM\\d{9})");

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

    @Option(names = "--json", description = "Print the CE's JSON, a line for each page of jobs.")
    private boolean json;

    @Parameters(
            paramLabel = "BATCHID|JOBID|ACCOUNT@TIME",
            hideParamSyntax = true,
            description =
                    "Id in the batch system, id or URL of the job, or a local account and a time as 2026-01-31T12:00:00Z.")
    private String wanted;

    @Override
    public Integer call() {
        String query = query(wanted.strip());
        CeConfig read = running();
        PrintWriter out = out();
        int found = 0;
        JsonNode page;
        String after = "";
        do {
            page = page(read, PAGE + query + after, "start it, or search its audit log (ce audit)");
            if (json) {
                out.println(page);
            } else {
                page.path("jobs").forEach(job -> print(out, job));
            }
            found += page.path("jobs").size();
            after = "&after=" + page.path("next").asText();
        } while (page.has("next"));
        if (found == 0) {
            err().println("no job '" + Messages.line(wanted)
                    + "' in the CE's database; what was purged is in the CE's audit log:" + " ce audit");
            return 1;
        }
        return 0;
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
                    line(), text.substring(at + 1) + " is no time such as 2026-01-31T12:00:00Z", e);
        }
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
