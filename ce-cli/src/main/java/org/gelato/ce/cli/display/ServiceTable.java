package org.gelato.ce.cli.display;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.context.AgeText;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.ServiceReport;

/** A CE at one look: whether it takes jobs, its batch system, and its queues as a table. What it reports beyond that is kept as it is. */
public final class ServiceTable {
    private static final String QUEUE = "QUEUE_";
    private static final String WAITING = "WAITING_";
    private static final String LIMITS = "SUBMISSION_THRESHOLD_MESSAGE";
    private static final List<String> COLUMNS =
            List.of("accepts", "starts", "slots", "free", "maxWallTime", "maxRunning");
    private static final List<String> HEADING =
            List.of("QUEUE", "ACCEPTS", "STARTS", "SLOTS", "FREE", "MAX TIME", "MAX RUNNING");

    private final PrintStream out;

    public ServiceTable(PrintStream out) {
        this.out = out;
    }

    /** @param limits whether those are wanted by which it refuses jobs */
    public void print(Endpoint ce, ServiceReport service, boolean limits, Instant now) {
        row("CE", ce + ", " + service.description() + ", version " + service.serviceVersion());
        row("New jobs", (service.acceptsJobs() ? "accepted" : "refused") + because(service));
        row(
                "Started",
                service.startedAt() == null
                        ? null
                        : AgeText.of(Duration.between(service.startedAt(), now)) + " ago, " + service.startedAt());
        Map<String, String> rest = new LinkedHashMap<>(service.properties());
        String lrms = rest.remove("LRMS");
        String slots = rest.remove("LRMS_SLOTS");
        if (lrms != null) {
            row(
                    "Batch system",
                    lrms
                            + (slots == null
                                    ? ""
                                    : ", slots: " + slots.replace(" ", ", ").replace('=', ' ')));
        }
        String limitsText = rest.remove(LIMITS);
        Map<String, String> queues = taken(QUEUE, rest);
        Map<String, String> waiting = taken(WAITING, rest);
        rest.forEach((name, value) -> row(name.equals("DRAINED") ? "Drained" : name, value));
        String prefix = lrms == null ? "" : "cream-" + lrms.split(" ", 2)[0] + "-";
        waiting.forEach((queue, why) -> row("Waiting", prefix + queue + ", " + why));
        queues(prefix, queues);
        if (limits && Lines.known(limitsText)) {
            out.println();
            out.println("Limits");
            Printable.block(limitsText).lines().forEach(line -> out.println("  " + line.strip()));
        }
    }

    /** Those that begin so, by the rest of their names. */
    private static Map<String, String> taken(String begin, Map<String, String> properties) {
        Map<String, String> taken = new LinkedHashMap<>();
        properties.keySet().stream()
                .filter(name -> name.startsWith(begin))
                .toList()
                .forEach(name -> taken.put(name.substring(begin.length()), properties.remove(name)));
        return taken;
    }

    private static String because(ServiceReport service) {
        return service.messages().isEmpty() ? "" : ": " + String.join("; ", service.messages());
    }

    private void row(String label, String value) {
        if (Lines.known(value)) {
            out.printf("%-13s %s%n", Printable.line(label), Printable.line(value));
        }
    }

    /** By the names that users give them, behind the name of the CE. */
    private void queues(String prefix, Map<String, String> queues) {
        if (queues.isEmpty()) {
            return;
        }
        List<List<String>> rows = new ArrayList<>(List.of(HEADING));
        queues.forEach((name, text) -> rows.add(cells(prefix + name, text)));
        int[] widths = new int[HEADING.size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        out.println();
        rows.forEach(row -> {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            out.println(line.toString().stripTrailing());
        });
    }

    private static List<String> cells(String queue, String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : Printable.line(text).split(" ", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        values.computeIfPresent(
                "maxWallTime",
                (name, seconds) -> seconds.matches("\\d{1,12}")
                        ? AgeText.of(Duration.ofSeconds(Long.parseLong(seconds)))
                        : seconds);
        List<String> cells = new ArrayList<>(List.of(Printable.line(queue)));
        COLUMNS.forEach(column -> cells.add(values.getOrDefault(column, "-")));
        return cells;
    }
}
