package org.gelato.ce.cli.description;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.Language;
import picocli.CommandLine.Option;

/** One description, many jobs: the options that name their points, and what a JDL says itself by {@code JobType = "Parametric"}. */
public final class Scan {
    /** Of one scan. */
    public static final int MAX_POINTS = 10_000;

    /** Of all descriptions of a scan together, in characters: what a client can hold. */
    static final int MAX_TEXT = 64 * 1024 * 1024;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,62}");
    private static final String NUMBER = "-?[0-9]{1,15}(?:\\.[0-9]{1,15})?";
    private static final Pattern RANGE =
            Pattern.compile("(" + NUMBER + ")\\.\\.(" + NUMBER + ")(?:/(" + NUMBER + "))?");

    /** What can stand in a string of each language, and in the quotes of a shell. */
    private static final Pattern VALUE = Pattern.compile("[^\\p{Cntrl}\"'\\\\<>&]{1,255}");

    /** The variable of a JDL that is a scan itself. */
    private static final String PARAMETER = "PARAM";

    private static final String LIST = "Parameters";
    private static final String START = "ParameterStart";
    private static final String STEP = "ParameterStep";
    private static final String TYPE = "JobType";

    @Option(
            names = "--each",
            paramLabel = "NAME=VALUES",
            hideParamSyntax = true,
            description = "A job for each value, which stands as _NAME_ in the description and becomes the label"
                    + " NAME=VALUE. VALUES: A..B, A..B/STEP, or a list X,Y,Z. Repeated: each value with each.")
    private List<String> each = new ArrayList<>();

    @Option(
            names = "--each-line",
            paramLabel = "FILE.csv",
            description = "A job for each line of a table, whose first line names the variables.")
    private String table;

    /** Whether the command line names points. */
    public boolean isGiven() {
        return !each.isEmpty() || table != null;
    }

    /**
     * The points of the command line; one without variables where it names none.
     *
     * @throws IllegalArgumentException for what is no variable
     * @throws CliException for a table that is none, with its line
     */
    public List<Point> points(Path workingDirectory) {
        List<Point> points = List.of(Point.NONE);
        for (String variable : each) {
            points = product("--each " + Printable.line(variable), points, variable(variable));
        }
        if ("-".equals(table)) {
            throw new IllegalArgumentException("--each-line wants the name of a file");
        }
        if (table != null) {
            points = product(table, points, lines(table, DescriptionFile.read(table, workingDirectory, null)));
        }
        return points;
    }

    /**
     * The jobs of one description: its text for each point.
     *
     * @param label how messages call it
     * @param points of the command line
     * @throws CliException for a variable that is not in it, and for more than can be held
     */
    public static Map<Point, String> expand(String label, String text, List<Point> points) {
        try {
            boolean parametric = Language.of(text) == Language.JDL
                    && JdlText.string(text, TYPE)
                            .filter("Parametric"::equalsIgnoreCase)
                            .isPresent();
            JdlText jdl = parametric ? JdlText.of(text) : null;
            String plain = parametric ? jdl.without(TYPE, LIST, START, STEP).toString() : text;
            List<Point> all = parametric ? product(LIST, points, parameters(jdl)) : points;
            Map<Point, String> texts = new LinkedHashMap<>();
            long size = 0;
            for (Point point : all) {
                String one = point.in(plain);
                size += one.length();
                if (size > MAX_TEXT) {
                    throw new CliException("the descriptions of " + all.size() + " points have more than " + MAX_TEXT
                            + " characters together: submit fewer at once");
                }
                texts.put(point, one);
            }
            return texts;
        } catch (CliException e) {
            throw new CliException(label + ": " + e.getMessage(), e);
        }
    }

    /** As the workload manager of gLite had it: a number is the end, which is none of the values. */
    private static List<Point> parameters(JdlText jdl) {
        String values = jdl.value(LIST)
                .orElseThrow(() -> new CliException("JobType \"Parametric\" wants Parameters: a number or a list"));
        if (!values.matches(NUMBER)) {
            if (!values.startsWith("{") || !values.endsWith("}")) {
                throw new CliException(jdl.place(LIST) + "Parameters: a number or a list in braces");
            }
            return at(jdl.place(LIST) + "Parameters: ", () -> {
                List<Point> points = new ArrayList<>();
                fields(values.substring(1, values.length() - 1)).forEach(value -> points.add(point(PARAMETER, value)));
                return distinct(points);
            });
        }
        BigDecimal start = number(jdl, START, "0");
        BigDecimal step = number(jdl, STEP, "1");
        return at(jdl.place(LIST) + "Parameters: ", () -> range(PARAMETER, start, new BigDecimal(values), step, false));
    }

    private static BigDecimal number(JdlText jdl, String name, String usual) {
        String value = jdl.value(name).orElse(usual);
        if (!value.matches(NUMBER)) {
            throw new CliException(jdl.place(name) + name + ": a number");
        }
        return new BigDecimal(value);
    }

    private static List<Point> variable(String text) {
        int equals = text.indexOf('=');
        String name = text.substring(0, Math.max(equals, 0));
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "--each: '" + Printable.line(text)
                            + "' is no variable: write NAME=A..B/STEP or NAME=X,Y,Z; a name has letters, digits and underscores");
        }
        String values = text.substring(equals + 1);
        try {
            Matcher range = RANGE.matcher(values);
            if (values.matches("-?0[0-9].*\\.\\..*|.*\\.\\.-?0[0-9].*") && range.matches()) {
                throw new IllegalArgumentException("'" + Printable.line(values)
                        + "' has leading zeros, which its values would not have: leave them out, or write a list");
            }
            if (range.matches()) {
                BigDecimal step = range.group(3) == null ? BigDecimal.ONE : new BigDecimal(range.group(3));
                return range(name, new BigDecimal(range.group(1)), new BigDecimal(range.group(2)), step, true);
            }
            List<Point> points = new ArrayList<>();
            for (String value : fields(values)) {
                if (value.matches("[-+]?\\.?[0-9][0-9.eE+-]* *\\.\\..*")) {
                    throw new IllegalArgumentException("'" + Printable.line(value)
                            + "' is no range: write A..B or A..B/STEP with plain numbers, not in a list");
                }
                points.add(point(name, value));
            }
            return distinct(points);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--each " + name + ": " + e.getMessage(), e);
        }
    }

    private static List<Point> range(String name, BigDecimal from, BigDecimal to, BigDecimal step, boolean inclusive) {
        BigDecimal way = to.subtract(from);
        if (step.signum() == 0 || way.signum() * step.signum() < 0) {
            throw new IllegalArgumentException("steps of " + step.toPlainString() + " never come from "
                    + from.toPlainString() + " to " + to.toPlainString());
        }
        BigDecimal[] parts = way.divideAndRemainder(step);
        BigDecimal last = inclusive || parts[1].signum() != 0 ? parts[0] : parts[0].subtract(BigDecimal.ONE);
        BigDecimal count = last.add(BigDecimal.ONE);
        if (count.signum() <= 0) {
            throw new IllegalArgumentException(
                    "no value is from " + from.toPlainString() + " to below " + to.toPlainString());
        }
        bound(count.min(BigDecimal.valueOf(Integer.MAX_VALUE)).longValue());
        int scale = Math.max(from.scale(), step.scale());
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < count.intValue(); i++) {
            BigDecimal value = from.add(step.multiply(BigDecimal.valueOf(i))).setScale(scale);
            points.add(point(name, value.toPlainString()));
        }
        return points;
    }

    /** A table in which a value may stand in double quotes, as one with a comma must. */
    static List<Point> lines(String file, String text) {
        List<String> lines = text.lines().toList();
        List<String> names = null;
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) {
                continue;
            }
            List<String> known = names;
            String line = lines.get(i);
            List<String> fields = at(file + ": line " + (i + 1) + ": ", () -> fields(line));
            if (names == null) {
                names = at(file + ": line " + (i + 1) + ": ", () -> header(fields));
            } else {
                points.add(at(file + ": line " + (i + 1) + ": ", () -> {
                    bound(points.size() + 1L);
                    return row(known, fields);
                }));
            }
        }
        if (points.isEmpty()) {
            throw new CliException(
                    file + ": no points: the first line names variables, and each other has their values");
        }
        return at(file + ": ", () -> distinct(points));
    }

    private static List<String> header(List<String> names) {
        for (String name : names) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("'" + Printable.line(name)
                        + "' is no name of a variable, which has letters, digits and underscores");
            }
        }
        if (new HashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException("a name stands there twice");
        }
        return names;
    }

    private static Point row(List<String> names, List<String> fields) {
        if (fields.size() != names.size()) {
            throw new IllegalArgumentException(fields.size() + (fields.size() == 1 ? " value" : " values") + " for "
                    + names.size() + (names.size() == 1 ? " variable" : " variables"));
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            values.put(names.get(i), checked(fields.get(i)));
        }
        return new Point(values);
    }

    private static Point point(String name, String value) {
        return new Point(Map.of(name, checked(value)));
    }

    private static String checked(String value) {
        if (!VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    value.isEmpty()
                            ? "a value is empty"
                            : "the value '" + Printable.line(value)
                                    + "' is longer than 255 characters, or has quotes, backslashes, <, > or &");
        }
        return value;
    }

    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        boolean closed = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '"') {
                boolean doubled = i + 1 < line.length() && line.charAt(i + 1) == '"';
                if (doubled) {
                    field.append(c);
                    i++;
                } else {
                    quoted = false;
                    closed = true;
                }
            } else if (c == '"' && !closed && field.toString().isBlank()) {
                quoted = true;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString().strip());
                field.setLength(0);
                closed = false;
            } else if (closed && !Character.isWhitespace(c)) {
                throw new IllegalArgumentException("there is text behind a closing quote");
            } else {
                field.append(c);
            }
        }
        if (quoted) {
            throw new IllegalArgumentException("a quote is not closed");
        }
        fields.add(field.toString().strip());
        return fields;
    }

    private static List<Point> distinct(List<Point> points) {
        bound(points.size());
        Set<Point> seen = new HashSet<>();
        for (Point point : points) {
            if (!seen.add(point)) {
                throw new IllegalArgumentException("the point" + point.suffix() + " is there twice");
            }
        }
        return points;
    }

    private static List<Point> product(String what, List<Point> points, List<Point> more) {
        if (points.get(0).values().keySet().stream().anyMatch(more.get(0).values()::containsKey)) {
            throw new IllegalArgumentException(what + ": a variable of this name is there already");
        }
        bound((long) points.size() * more.size());
        return points.stream().flatMap(one -> more.stream().map(one::and)).toList();
    }

    private static void bound(long points) {
        if (points > MAX_POINTS) {
            throw new IllegalArgumentException("a scan has at most " + MAX_POINTS + " points: submit it in parts");
        }
    }

    /** What is wrong with a file is no mistake on the command line. */
    private static <T> T at(String place, Supplier<T> part) {
        try {
            return part.get();
        } catch (IllegalArgumentException e) {
            throw new CliException(place + e.getMessage(), e);
        }
    }
}
