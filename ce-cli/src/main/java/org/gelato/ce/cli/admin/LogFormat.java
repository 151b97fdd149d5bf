package org.gelato.ce.cli.admin;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.cli.terminal.CliException;

/**
 * A log in which a batch system names ended jobs. The module of the batch system describes it in a file, which the client brings along as
 * it does the WSDL: so the client has none of the server's code, and knows no batch system. Of the log only jobs of the CE
 * count, known by their names; jobs that never ran and lines that cannot be parsed are passed over.
 */
final class LogFormat {
    private static final Pattern OURS = Pattern.compile("cream_[0-9]{9}");
    private static final Pattern TIME =
            Pattern.compile("(?:([0-9]{1,6})-)?(?:([0-9]{1,6}):)?([0-9]{1,2}):([0-9]{2}(?:\\.[0-9]{1,9})?)");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");
    private static final Pattern SLOTS = Pattern.compile("([0-9]{1,6})(?:-([0-9]{1,6}))?");
    /** Keys of a file that name a field of the log; a header must have each of these fields. */
    private static final List<String> FIELDS = List.of("id", "name", "start", "end", "wall", "cpu", "cores", "slots");

    private static final int LONGEST = 64 * 1024;

    private final String name;
    private final Properties keys;
    private final Pattern before;
    private final Pattern idForm;

    private LogFormat(String name, Properties keys) {
        this.name = name;
        this.keys = keys;
        this.before = Pattern.compile(keys.getProperty("before", ""));
        this.idForm = Pattern.compile(keys.getProperty("id-form", ".*"));
    }

    /** All that the client knows. */
    static List<LogFormat> all() {
        return Stream.of(text("names.txt").strip().split(" "))
                .map(LogFormat::named)
                .toList();
    }

    /** @param name of its file, which is that of its option */
    static LogFormat named(String name) {
        Properties keys = new Properties();
        try (InputStream in = resource(name + ".properties")) {
            keys.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LogFormat(name, keys);
    }

    private static String text(String file) {
        try (InputStream in = resource(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream resource(String file) throws IOException {
        InputStream in = LogFormat.class.getResourceAsStream("logs/" + file);
        if (in == null) {
            throw new IOException("the client has no file logs/" + file);
        }
        return in;
    }

    String option() {
        return "--" + name;
    }

    String description() {
        return keys.getProperty("description");
    }

    /** Lines that show how to get the log; empty where that needs none. */
    List<String> example() {
        return keys.getProperty("example", "").lines().toList();
    }

    /**
     * Reads a whole log.
     *
     * @param zone of times without one
     * @throws CliException when the log needs a header and has none
     */
    void read(BufferedReader in, ZoneId zone, Consumer<UsedJob> jobs) throws IOException {
        List<String> columns = keys.containsKey("columns") ? header(in) : null;
        lines(in, line -> {
            Map<String, String> values = columns == null ? words(line) : columns(columns, line);
            UsedJob job = values == null ? null : job(values, zone);
            if (job != null) {
                jobs.accept(job);
            }
        });
    }

    private List<String> header(BufferedReader in) throws IOException {
        String header = in.readLine();
        List<String> columns = header == null ? List.of() : split(header);
        if (!FIELDS.stream().filter(keys::containsKey).map(keys::getProperty).allMatch(columns::contains)) {
            throw new CliException(keys.getProperty("header"));
        }
        return columns;
    }

    private List<String> split(String line) {
        return Arrays.asList(line.split(Pattern.quote(keys.getProperty("columns")), -1));
    }

    /** Null for a line with more or fewer columns. */
    private Map<String, String> columns(List<String> columns, String line) {
        List<String> texts = split(line);
        if (texts.size() != columns.size()) {
            return null;
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < texts.size(); i++) {
            values.putIfAbsent(columns.get(i), texts.get(i));
        }
        return values;
    }

    /** {@code name=value}, separated by blanks; null for a line that has not what stands before them. */
    private Map<String, String> words(String line) {
        Matcher start = before.matcher(line);
        if (!start.lookingAt()) {
            return null;
        }
        Map<String, String> values = new HashMap<>();
        for (String word : line.substring(start.end()).split(" ")) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                values.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        if (!keys.containsKey("id")) {
            values.put("", start.group("id"));
        }
        return values;
    }

    private UsedJob job(Map<String, String> values, ZoneId zone) {
        String id = values.getOrDefault(keys.getProperty("id", ""), "");
        String job = values.getOrDefault(keys.getProperty("name"), "");
        Instant start = instant(field(values, "start"), zone);
        Instant end = instant(field(values, "end"), zone);
        boolean ran = (start != null || !keys.containsKey("started"))
                && (!keys.containsKey("nodes") || isNamed(field(values, "nodes")));
        if (!OURS.matcher(job).matches() || !idForm.matcher(id).matches() || end == null || !ran) {
            return null;
        }
        return new UsedJob(
                id,
                job,
                start,
                end,
                time(field(values, "cpu")),
                keys.containsKey("wall")
                        ? time(field(values, "wall"))
                        : Double.valueOf((double) (end.getEpochSecond() - start.getEpochSecond())),
                keys.containsKey("slots") ? slots(field(values, "slots")) : cores(field(values, "cores")));
    }

    private String field(Map<String, String> values, String key) {
        return keys.containsKey(key) ? values.get(keys.getProperty(key)) : null;
    }

    private static boolean isNamed(String nodes) {
        return nodes != null && !nodes.isEmpty() && !nodes.equals("(null)");
    }

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

    /** {@code wn1/0-3,5+wn2/0}: six. */
    private static Integer slots(String hosts) {
        if (hosts == null) {
            return null;
        }
        int slots = 0;
        for (String host : hosts.split("\\+")) {
            String list = host.substring(host.indexOf('/') + 1);
            for (String range : list.split(",")) {
                Matcher m = SLOTS.matcher(range);
                if (!m.matches()) {
                    return null;
                }
                slots += m.group(2) == null ? 1 : Integer.parseInt(m.group(2)) - Integer.parseInt(m.group(1)) + 1;
            }
        }
        return slots;
    }

    private static Integer cores(String text) {
        return text != null && text.matches("[0-9]{1,7}") ? Integer.valueOf(text) : null;
    }

    /** Seconds since 1970, or a time of day in the zone. */
    private static Instant instant(String text, ZoneId zone) {
        if (text == null) {
            return null;
        }
        try {
            return SECONDS.matcher(text).matches()
                    ? Instant.ofEpochSecond(Long.parseLong(text))
                    : LocalDateTime.parse(text).atZone(zone).toInstant();
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
