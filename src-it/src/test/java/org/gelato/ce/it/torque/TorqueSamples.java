package org.gelato.ce.it.torque;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a real Torque printed for a list of commands, in order. The recordings' paths were shortened afterwards, so that
 * lines {@code qstat -f} folded at a column are compared unfolded.
 */
record TorqueSamples(List<Sample> all) {
    record Sample(String user, String command, String out, String err, int exit) {}

    private static final Pattern SAMPLE = Pattern.compile(
            "\\$ \\((\\w+)\\) ([^\\n]*)\\n--- stdout\\n(.*?)--- stderr\\n(.*?)--- rc=(\\d+)\\n", Pattern.DOTALL);

    static String text(String name) {
        try (InputStream in = TorqueSamples.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static TorqueSamples of(String name) {
        List<Sample> all = new ArrayList<>();
        Matcher matcher = SAMPLE.matcher(text(name));
        while (matcher.find()) {
            all.add(new Sample(
                    matcher.group(1),
                    matcher.group(2),
                    matcher.group(3),
                    matcher.group(4),
                    Integer.parseInt(matcher.group(5))));
        }
        return new TorqueSamples(List.copyOf(all));
    }

    /** The n-th sample of a command. */
    Sample of(String command, int n) {
        return all.stream()
                .filter(sample -> sample.command().equals(command))
                .skip(n)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no sample " + n + " of " + command));
    }

    /** A text without what differs from run to run: times, process numbers, sizes, slots, and who ran it where. */
    static String plain(String text, String user, String work) {
        return text.replace("\n\t", "")
                .replace(work, "/home/dteam001")
                .replace("203612312359", "202612312359")
                .replaceAll("/home/dt\\S*/(\\w+\\.sh)", "/home/dteam001/$1")
                .replace(String.format("%-15s ", user), String.format("%-15s ", "USER"))
                .replaceAll("(?<![/\\w])" + user + "(?=@|,|\\n|<| |$)", "USER")
                .replaceAll("(egroup = |<egroup>|group=)\\w+", "$1GROUP")
                .replaceAll("\\b[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}", "DATE")
                .replaceAll("\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d", "STAMP")
                .replaceAll("on [A-Z][a-z]{2} [A-Z][a-z]{2} \\d\\d at \\d\\d:\\d\\d", "on DAY")
                .replaceAll("\\b\\d+\\.\\d{6}\\b", "RUNTIME")
                .replaceAll("\\b[12]\\d{9}\\b", "EPOCH")
                .replaceAll("(session_id = |<session_id>|session=)\\d+", "$1PID")
                .replaceAll("\\b\\d+kb\\b", "KB")
                .replaceAll("(resources_used\\.walltime ?= ?)[0-9:]+", "$1TIME")
                .replaceAll("(<resources_used>.*?<walltime>)[0-9:]+", "$1TIME")
                .replaceAll("vm/\\d+", "vm/SLOT");
    }
}
