package org.gelato.ce.cli.usage;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.cli.terminal.CliException;

/**
 * What batch systems log of ended jobs of the CE, known by their names: Torque's accounting log, {@code sacct -P} with its header, and
 * the text file of Slurm's {@code jobcomp/filetxt}. Jobs of others, jobs that never ran, and lines that cannot be parsed are passed over.
 */
final class BatchLogs {
    /** What {@code sacct} must show. */
    static final List<String> SACCT = List.of("JobID", "JobName", "Start", "End", "Elapsed", "TotalCPU", "NCPUS");

    private static final Pattern OURS = Pattern.compile("cream_[0-9]{9}");
    private static final Pattern TIME =
            Pattern.compile("(?:([0-9]{1,6})-)?(?:([0-9]{1,6}):)?([0-9]{1,2}):([0-9]{2}(?:\\.[0-9]{1,9})?)");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");
    private static final int LONGEST = 64 * 1024;

    private BatchLogs() {}

    private static void lines(BufferedReader in, Consumer<String> lines) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                lines.accept(line.toString());
                line.setLength(0);
            } else if (line.length() < LONGEST) {
                line.append((char) c);
            }
        }
        if (!line.isEmpty()) {
            lines.accept(line.toString());
        }
    }

    /** End records of {@code server_priv/accounting}. */
    static void torque(BufferedReader in, Consumer<UsedJob> jobs) throws IOException {
        lines(in, line -> {
            String[] parts = line.split(";", 4);
            if (parts.length < 4 || !parts[1].equals("E")) {
                return;
            }
            Map<String, String> values = new HashMap<>();
            for (String word : parts[3].split(" ")) {
                int equals = word.indexOf('=');
                if (equals > 0) {
                    values.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
                }
            }
            String name = values.getOrDefault("jobname", "");
            Instant end = epoch(values.get("end"));
            if (OURS.matcher(name).matches() && end != null) {
                jobs.accept(new UsedJob(
                        parts[2],
                        name,
                        epoch(values.get("start")),
                        end,
                        time(values.get("resources_used.cput")),
                        time(values.get("resources_used.walltime")),
                        slots(values.get("exec_host"))));
            }
        });
    }

    /** {@code wn1/0-3,5+wn2/0}: six. */
    private static Integer slots(String hosts) {
        if (hosts == null) {
            return null;
        }
        int slots = 0;
        for (String host : hosts.split("\\+")) {
            String list = host.substring(host.indexOf('/') + 1);
            for (String range : list.split(",")) {
                Matcher m = Pattern.compile("([0-9]{1,6})(?:-([0-9]{1,6}))?").matcher(range);
                if (!m.matches()) {
                    return null;
                }
                slots += m.group(2) == null ? 1 : Integer.parseInt(m.group(2)) - Integer.parseInt(m.group(1)) + 1;
            }
        }
        return slots;
    }

    /** Output of {@code sacct -P}, its header first. Lines of steps are passed over. */
    static void sacct(BufferedReader in, ZoneId zone, Consumer<UsedJob> jobs) throws IOException {
        String header = in.readLine();
        List<String> columns = header == null ? List.of() : Arrays.asList(header.split("\\|", -1));
        if (!columns.containsAll(SACCT)) {
            throw new CliException("the first line is no header of sacct: run sacct -P -a --format="
                    + String.join(",", SACCT) + " with -S and -E, without -n");
        }
        lines(in, line -> {
            String[] values = line.split("\\|", -1);
            if (values.length != columns.size()) {
                return;
            }
            String id = values[columns.indexOf("JobID")];
            String name = values[columns.indexOf("JobName")];
            Instant start = local(values[columns.indexOf("Start")], zone);
            Instant end = local(values[columns.indexOf("End")], zone);
            if (OURS.matcher(name).matches() && SECONDS.matcher(id).matches() && start != null && end != null) {
                String cores = values[columns.indexOf("NCPUS")];
                jobs.accept(new UsedJob(
                        id,
                        name,
                        start,
                        end,
                        time(values[columns.indexOf("TotalCPU")]),
                        time(values[columns.indexOf("Elapsed")]),
                        cores(cores)));
            }
        });
    }

    /** The file of {@code jobcomp/filetxt}, which has no CPU time. */
    static void jobcomp(BufferedReader in, ZoneId zone, Consumer<UsedJob> jobs) throws IOException {
        lines(in, line -> {
            Map<String, String> values = new HashMap<>();
            for (String word : line.split(" ")) {
                int equals = word.indexOf('=');
                if (equals > 0) {
                    values.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
                }
            }
            String id = values.getOrDefault("JobId", "");
            String name = values.getOrDefault("Name", "");
            Instant start = local(values.get("StartTime"), zone);
            Instant end = local(values.get("EndTime"), zone);
            boolean ran = values.getOrDefault("NodeList", "").matches("(?!\\(null\\)$).+");
            if (OURS.matcher(name).matches() && SECONDS.matcher(id).matches() && start != null && end != null && ran) {
                jobs.accept(new UsedJob(
                        id,
                        name,
                        start,
                        end,
                        null,
                        (double) (end.getEpochSecond() - start.getEpochSecond()),
                        cores(values.get("ProcCnt"))));
            }
        });
    }

    private static Integer cores(String text) {
        return text != null && text.matches("[0-9]{1,7}") ? Integer.valueOf(text) : null;
    }

    private static Instant epoch(String text) {
        return text != null && SECONDS.matcher(text).matches() ? Instant.ofEpochSecond(Long.parseLong(text)) : null;
    }

    private static Instant local(String text, ZoneId zone) {
        try {
            return text == null ? null : LocalDateTime.parse(text).atZone(zone).toInstant();
        } catch (DateTimeException e) {
            return null; // Unknown, None
        }
    }

    /** {@code [[days-]hours:]minutes:seconds[.fraction]}, or seconds. */
    static Double time(String text) {
        if (text == null) {
            return null;
        }
        if (SECONDS.matcher(text).matches()) {
            return (double) Long.parseLong(text);
        }
        Matcher m = TIME.matcher(text);
        if (!m.matches()) {
            return null;
        }
        double days = m.group(1) == null ? 0 : Integer.parseInt(m.group(1));
        double hours = m.group(2) == null ? 0 : Integer.parseInt(m.group(2));
        return ((days * 24 + hours) * 60 + Integer.parseInt(m.group(3))) * 60 + Double.parseDouble(m.group(4));
    }
}
