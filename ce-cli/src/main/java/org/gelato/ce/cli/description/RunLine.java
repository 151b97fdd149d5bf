package org.gelato.ce.cli.description;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.cli.terminal.ShellText;

/** A line with {@code ce run} for a shell, put together piece by piece. Used once. */
final class RunLine {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");
    private static final Pattern MEMORY =
            Pattern.compile("([0-9]{1,9})(?:\\.[0-9]+)? *([KMGT]?)I?B?", Pattern.CASE_INSENSITIVE);
    /** Of sbatch: minutes, M:S, H:M:S, D-H, D-H:M or D-H:M:S. */
    private static final Pattern TIME = Pattern.compile("(?:(\\d+)-)?(\\d+)(?::(\\d+))?(?::(\\d+))?");

    private final List<String> options = new ArrayList<>();
    private final List<String> command = new ArrayList<>();
    private String redirections = "";

    /** An option with a value as it is; nothing for null. */
    RunLine option(String name, String value) {
        if (value != null && !value.isBlank()) {
            options.add(name + " " + ShellText.of(value.strip()));
        }
        return this;
    }

    RunLine cores(String text) {
        return option("--cores", text != null && NUMBER.matcher(text.strip()).matches() ? text.strip() : null);
    }

    /** @param text a number, in MiB unless a unit follows */
    RunLine memory(String text) {
        Matcher m = MEMORY.matcher(text == null ? "" : text.strip());
        if (m.matches()) {
            String unit = m.group(2).isEmpty() ? "M" : m.group(2).toUpperCase(java.util.Locale.ROOT);
            long number = Long.parseLong(m.group(1));
            option("--memory", unit.equals("K") ? Math.max(1, number / 1024) + "M" : number + unit);
        }
        return this;
    }

    RunLine seconds(String text) {
        return option("--time", text != null && NUMBER.matcher(text.strip()).matches() ? text.strip() + "s" : null);
    }

    RunLine sbatchTime(String text) {
        Matcher m = TIME.matcher(text == null ? "" : text.strip());
        if (m.matches()) {
            long first = Long.parseLong(m.group(2));
            long second = m.group(3) == null ? 0 : Long.parseLong(m.group(3));
            long minutes;
            if (m.group(1) != null) {
                minutes = Long.parseLong(m.group(1)) * 1440 + first * 60 + second;
            } else {
                minutes = m.group(4) == null ? first : first * 60 + second;
            }
            option("--time", Math.max(1, minutes) + "m");
        }
        return this;
    }

    RunLine words(List<String> words) {
        words.forEach(word -> command.add(ShellText.of(word)));
        return this;
    }

    /** Where the streams go; nothing for null. */
    RunLine streams(String out, String err) {
        redirections += out == null || out.isBlank() ? "" : " > " + ShellText.of(out.strip());
        if (err != null && !err.isBlank()) {
            redirections += err.equals(out) ? " 2>&1" : " 2> " + ShellText.of(err.strip());
        }
        return this;
    }

    @Override
    public String toString() {
        return "ce run " + (options.isEmpty() ? "" : String.join(" ", options) + " ") + "-- "
                + String.join(" ", command) + redirections;
    }
}
