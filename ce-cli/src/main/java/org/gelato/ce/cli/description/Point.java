package org.gelato.ce.cli.description;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.JobNaming;
import org.gelato.ce.description.JobLabels;

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
        Set<String> found = new HashSet<>();
        String replaced = replaced(text, found);
        values.keySet().stream()
                .filter(name -> !found.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new CliException("_" + name + "_ is not in the description: write it where the value of "
                            + name + " is to stand");
                });
        return replaced;
    }

    /** The same of a part of the description, which need not have every variable. */
    public String replaced(String text) {
        return replaced(text, new HashSet<>());
    }

    /** @param found receives the variables that are replaced */
    private String replaced(String text, Set<String> found) {
        if (values.isEmpty()) {
            return text;
        }
        // The longest first: of two names one may begin the other.
        String names = values.keySet().stream()
                .sorted(Comparator.comparing(String::length).reversed())
                .collect(Collectors.joining("|"));
        // Of two names beside each other one underscore may close the first and open the second.
        return Pattern.compile("(?:_|(?<=_)\\G)(" + names + ")_").matcher(text).replaceAll(name -> {
            found.add(name.group(1));
            return Matcher.quoteReplacement(values.get(name.group(1)));
        });
    }

    /**
     * What the job is called: each value is a label.
     *
     * @param given for all jobs
     * @param own labels of the description, which count where the command line gives none
     * @throws IllegalArgumentException for a label that is a variable, too, and for too many
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
        if (labels.size() > JobLabels.MAX_LABELS) {
            throw new IllegalArgumentException("a job has at most " + JobLabels.MAX_LABELS
                    + " labels, and each would have " + labels.size() + ", its variables among them: leave some out");
        }
        return new JobNaming(given.name(), labels);
    }

    /** As messages name it, behind the description; empty for a job that is in no scan. */
    public String suffix() {
        return values.entrySet().stream().map(value -> " " + value).collect(Collectors.joining());
    }
}
