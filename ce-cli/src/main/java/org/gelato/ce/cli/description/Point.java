package org.gelato.ce.cli.description;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.JobNaming;

/**
 * A job of a scan: the value of each variable, which stands in the description as {@code _name_}.
 *
 * @param values by name, in the order of the scan; empty for a job that is in no scan
 */
public record Point(Map<String, String> values) {
    /** Of a job that is in no scan. */
    public static final Point NONE = new Point(Map.of());

    public Point {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** The point with the variables of another one, too. */
    Point and(Point other) {
        Map<String, String> all = new LinkedHashMap<>(values);
        all.putAll(other.values);
        return new Point(all);
    }

    /**
     * A text with the values in place of the names. A value that has the form of a name is not replaced again.
     *
     * @throws CliException for a variable that the text does not have: all its jobs would be the same
     */
    public String in(String text) {
        values.keySet().stream()
                .filter(name -> !text.contains("_" + name + "_"))
                .findFirst()
                .ifPresent(name -> {
                    throw new CliException("_" + name + "_ is not in the description: write it where the value of "
                            + name + " is to stand");
                });
        return replaced(text);
    }

    /** The same of a part of the description, which need not have every variable. */
    public String replaced(String text) {
        if (values.isEmpty()) {
            return text;
        }
        // The longest first: of two names one may begin the other.
        String names = values.keySet().stream()
                .sorted(Comparator.comparing(String::length).reversed())
                .collect(Collectors.joining("|"));
        return Pattern.compile("_(" + names + ")_")
                .matcher(text)
                .replaceAll(name -> Matcher.quoteReplacement(values.get(name.group(1))));
    }

    /**
     * What the job is called: each value is a label.
     *
     * @param given for all jobs
     * @param own labels of the description, which count where the command line gives none
     * @throws IllegalArgumentException for a label that is a variable, too
     */
    public JobNaming naming(JobNaming given, List<String> own) {
        if (values.isEmpty()) {
            return given;
        }
        List<String> labels = new ArrayList<>(given.labels().isEmpty() ? own : given.labels());
        for (String label : labels) {
            if (values.containsKey(label.split("=", 2)[0])) {
                throw new IllegalArgumentException(
                        "the label '" + label + "' has the name of a variable of the scan: rename one of them");
            }
        }
        values.forEach((name, value) -> labels.add(name + "=" + value));
        return new JobNaming(given.name(), labels);
    }

    /** As messages name it, behind the description; empty for a job that is in no scan. */
    public String suffix() {
        return values.entrySet().stream().map(value -> " " + value).collect(Collectors.joining());
    }
}
