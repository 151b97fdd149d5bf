package org.gelato.ce.cli.description;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.cli.terminal.Printable;

/**
 * Recognizes a submit description of HTCondor and a script for sbatch or qsub, which no CE takes, and writes the line with {@code ce run}
 * that comes nearest. What has no counterpart is named.
 */
public final class ForeignDescription {
    private static final Pattern QUEUE = Pattern.compile("(?im)^[ \\t]*queue(?:[ \\t]+(\\S.*?))?[ \\t]*\\r?$");
    private static final Pattern EXECUTABLE = Pattern.compile("(?im)^[ \\t]*executable[ \\t]*=");
    private static final Pattern SETTING =
            Pattern.compile("(?m)^[ \\t]*(\\+?[A-Za-z_][A-Za-z0-9_.]*)[ \\t]*=[ \\t]*(.*?)[ \\t]*\\r?$");
    private static final Pattern DIRECTIVE = Pattern.compile("(?m)^#(SBATCH|PBS)[ \\t]+(.*?)[ \\t]*\\r?$");
    private static final Pattern OPTION =
            Pattern.compile("(--[a-z-]+|-[A-Za-z])(?:[= \\t]+|(?<=-[A-Za-z])(?=\\S))?(\"[^\"]*\"|\\S+)?");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    private ForeignDescription() {}

    /**
     * What is to be said of a text that is a description for other software.
     *
     * @param label how messages call the text
     * @param file its name; {@code -} for standard input
     * @return empty for what may be one for a CE
     */
    public static Optional<String> advice(String label, String file, String text) {
        if (text.startsWith("#!") && DIRECTIVE.matcher(text).find()) {
            return Optional.of(script(label, file, text));
        }
        // JDL has semicolons; a submit description ends with its queue statement.
        if (!text.stripLeading().startsWith("[")
                && QUEUE.matcher(text).find()
                && EXECUTABLE.matcher(text).find()) {
            return Optional.of(condor(label, text));
        }
        return Optional.empty();
    }

    private static String advice(String label, String what, String line, List<String> rest) {
        return label + ": this is " + what + ", and ce submit takes JDL, ADL and xRSL; the nearest here is: " + line
                + (rest.isEmpty() ? "" : " (without " + String.join(", ", rest) + ")");
    }

    private static String condor(String label, String text) {
        Map<String, String> settings = new LinkedHashMap<>();
        Matcher setting = SETTING.matcher(text.replaceAll("\\\\\\r?\\n", " "));
        while (setting.find()) {
            settings.put(setting.group(1).toLowerCase(Locale.ROOT), unquoted(setting.group(2)));
        }
        String executable = settings.getOrDefault("executable", "PROGRAM");
        List<String> words = new ArrayList<>();
        words.add(executable.startsWith("/") || executable.startsWith("./") ? executable : "./" + executable);
        words.addAll(words(settings.getOrDefault("arguments", "")));
        RunLine line = new RunLine()
                .cores(settings.get("request_cpus"))
                .memory(settings.get("request_memory"))
                .seconds(settings.getOrDefault("+maxruntime", settings.get("max_runtime")));
        Stream.of(settings.getOrDefault("environment", "").split("[; \\t]"))
                .filter(variable -> variable.contains("="))
                .forEach(variable -> line.option("--env", variable));
        files(settings, "transfer_input_files").forEach(file -> line.option("--input", file));
        files(settings, "transfer_output_files").forEach(file -> line.option("--output", file));
        line.words(words).streams(settings.get("output"), settings.get("error"));
        List<String> rest = new ArrayList<>();
        Matcher queue = QUEUE.matcher(text);
        if (queue.find() && queue.group(1) != null && !queue.group(1).equals("1")) {
            rest.add("'queue " + Printable.line(queue.group(1)) + "': call it once for each job");
        }
        Stream.of("requirements", "request_disk", "request_gpus", "rank", "universe")
                .filter(settings::containsKey)
                .forEach(rest::add);
        if (line.toString().contains("$(")) {
            rest.add("macros, $(...): write their values");
        }
        return advice(label, "a submit description of HTCondor", line.toString(), rest);
    }

    private static Stream<String> files(Map<String, String> settings, String name) {
        return Stream.of(settings.getOrDefault(name, "").split(",")).filter(file -> !file.isBlank());
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(text);
        while (word.find()) {
            words.add(Stream.of(word.group(1), word.group(2), word.group(3))
                    .filter(found -> found != null)
                    .findFirst()
                    .orElseThrow());
        }
        return words;
    }

    private static String script(String label, String file, String text) {
        Matcher directive = DIRECTIVE.matcher(text);
        Map<String, String> options = new LinkedHashMap<>();
        boolean sbatch = false;
        while (directive.find()) {
            sbatch |= directive.group(1).equals("SBATCH");
            Matcher option = OPTION.matcher(directive.group(2));
            while (option.find()) {
                options.put(longName(option.group(1)), option.group(2) == null ? "" : unquoted(option.group(2)));
            }
        }
        RunLine line = new RunLine();
        if (sbatch) {
            line.cores(
                            options.containsKey("--cpus-per-task")
                                    ? options.get("--cpus-per-task")
                                    : options.get("--ntasks"))
                    .memory(options.get("--mem"))
                    .sbatchTime(options.get("--time"));
            List.of("--cpus-per-task", "--ntasks", "--mem", "--time").forEach(options::remove);
        }
        String partition = options.remove("--partition");
        if (partition != null) {
            line.option("-r", "cream-LRMS-" + partition);
        }
        line.words(List.of(file.equals("-") ? "./SCRIPT" : file.startsWith("/") ? file : "./" + file))
                .streams(options.remove("--output"), options.remove("--error"));
        return advice(
                label,
                sbatch ? "a script for sbatch" : "a script for qsub",
                line.toString(),
                options.keySet().stream().map(Printable::line).toList());
    }

    private static String longName(String option) {
        return switch (option) {
            case "-c" -> "--cpus-per-task";
            case "-n" -> "--ntasks";
            case "-t" -> "--time";
            case "-p", "-q" -> "--partition";
            case "-o" -> "--output";
            case "-e" -> "--error";
            case "-J", "-N" -> "--job-name";
            default -> option;
        };
    }
}
