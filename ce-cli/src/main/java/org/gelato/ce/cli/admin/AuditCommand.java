package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.TimeText;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ce audit}: the audit log of the CE on this host, filtered. Reads files alone, and connects to nothing. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = "Shows events of the audit log of the CE on this host, by time; for root and the CE's group.",
        footer = {
            "",
            "Files that the CE or logrotate moved away are read too: FILE.1, FILE-20260131, compressed ones.",
            "Lines that a kill or a full disk cut are left out and counted. --json prints one object per line.",
            "Exit code: 0 found, 1 none found or a file that cannot be read, 2 wrong command line."
        })
public final class AuditCommand implements Callable<Integer> {
    private static final String FILE = "/var/log/gelato/audit.log";

    private final CliContext context;
    private final CommonOptions options;
    private long found;

    @Option(names = "--file", paramLabel = "FILE", description = "gelato.audit.file of the CE. Default: " + FILE + ".")
    private Path file;

    @Option(names = "--job", paramLabel = "JOBID", description = "Only of this job, by its id or URL.")
    private String job;

    @Option(names = "--batch", paramLabel = "BATCHID", description = "Only of this job of the batch system.")
    private String batch;

    @Option(
            names = "--user",
            paramLabel = "DN|TEXT",
            description =
                    "Only of this user: /DC=org/CN=Some Body, CN=Some Body,DC=org, or a part of the DN without =.")
    private String user;

    @Option(names = "--account", paramLabel = "NAME", description = "Only of this local account.")
    private String account;

    @Option(
            names = "--event",
            paramLabel = "EVENT",
            split = ",",
            description = "Only such events, as register, refused or end; repeat it or separate by commas.")
    private List<String> events = new ArrayList<>();

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "Only then or later: " + TimeText.FORM + ".")
    private Instant from;

    @Option(names = "--to", paramLabel = "TIME", converter = TimeText.class, description = "Only then or earlier.")
    private Instant to;

    private final JsonMapper json =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    public AuditCommand(CliContext context, CommonOptions options) {
        this.context = context;
        this.options = options;
    }

    @Override
    public Integer call() {
        AuditFilter filter = filter();
        AuditFiles files = new AuditFiles();
        files.read(context.workingDirectory().resolve(file == null ? Path.of(FILE) : file), r -> {
            if (filter.test(r)) {
                found++;
                context.out().println(options.json() ? object(r) : line(r));
            }
        });
        if (files.damaged() > 0) {
            context.err().println("ce audit: " + files.damaged() + " lines were cut or damaged, and are left out");
        }
        files.unreadable().forEach(why -> context.err().println("ce audit: " + Printable.line(why)));
        if (found == 0) {
            context.err()
                    .println("ce audit: no line of "
                            + Printable.line(String.valueOf(file == null ? FILE : file))
                            + " and its older files meets the criteria; ce audit without any shows all, --file names another"
                            + " audit log");
        }
        return found == 0 || !files.unreadable().isEmpty() ? ExitCode.FAILED : ExitCode.OK;
    }

    private AuditFilter filter() {
        if (from != null && to != null && from.isAfter(to)) {
            throw new IllegalArgumentException("--from is later than --to");
        }
        AuditFilter filter = new AuditFilter();
        if (job != null) {
            filter.job(job);
        }
        if (batch != null) {
            filter.batch(given("--batch", batch));
        }
        if (user != null) {
            filter.user(given("--user", user));
        }
        if (account != null) {
            filter.account(given("--account", account));
        }
        if (!events.isEmpty()) {
            filter.events(events);
        }
        if (from != null) {
            filter.from(from);
        }
        if (to != null) {
            filter.to(to);
        }
        return filter;
    }

    private static String given(String option, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(option + " is empty");
        }
        return value.strip();
    }

    private String object(AuditRecord r) {
        try {
            return json.writeValueAsString(r.fields());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what was read as JSON cannot be written as such", e);
        }
    }

    /** Time and event, then the other fields as in the file; values with blanks in quotes. */
    private static String line(AuditRecord r) {
        StringBuilder line = new StringBuilder(r.value("time") + " " + Printable.line(r.value("event")));
        r.fields().properties().forEach(field -> {
            if (!field.getKey().equals("time") && !field.getKey().equals("event")) {
                String value = Printable.line(field.getValue().asText());
                boolean quoted = value.isEmpty() || value.matches(".*[ \"].*");
                line.append(' ').append(Printable.line(field.getKey())).append('=');
                line.append(quoted ? '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"' : value);
            }
        });
        return line.toString();
    }
}
