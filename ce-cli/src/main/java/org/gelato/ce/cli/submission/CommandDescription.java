package org.gelato.ce.cli.submission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.description.SandboxItem;

/**
 * The JDL of a command line. Every value of the user stands in a JDL string, and every argument in single quotes within it, so that the
 * program gets the same bytes and nothing of them is read as JDL or by a shell (docs/developer/protocol/jdl.md section 1). What a JDL string
 * cannot carry is refused.
 *
 * @param command the program and its arguments; not empty
 * @param cores null for what the CE gives without a word
 * @param memoryMib of a node; null likewise
 * @param time on the wall's clock; null likewise
 * @param environment in the order of the command line
 * @param input items of InputSandbox: paths on this machine and addresses
 * @param output names of files and patterns, to be kept when the job ends
 */
record CommandDescription(
        List<String> command,
        Integer cores,
        Long memoryMib,
        Duration time,
        Map<String, String> environment,
        List<String> input,
        List<String> output) {
    /** The files of the streams; nobody's program has files of these names. */
    static final String STDOUT = "ce-run.stdout";

    static final String STDERR = "ce-run.stderr";

    static final String STDIN = "ce-run.stdin";

    private static final String ENV = "/usr/bin/env";

    /** Items to bring, the program among them when it is a file of this machine. */
    List<String> items() {
        Set<String> items = new LinkedHashSet<>(input);
        if (isLocalFile()) {
            items.add(command.get(0));
        }
        return List.copyOf(items);
    }

    /** Those of the items that the client brings. */
    List<String> localItems() {
        return items().stream().filter(SandboxItem::isLocal).toList();
    }

    private boolean isLocalFile() {
        String program = command.get(0);
        return program.contains("/") && !program.startsWith("/");
    }

    /**
     * The description.
     *
     * @param withInput whether {@link #STDIN} is brought along
     * @throws IllegalArgumentException saying which value can't be sent
     */
    String jdl(boolean withInput) {
        List<String> words = new ArrayList<>(command);
        String executable = words.remove(0);
        if (isLocalFile() || isBrought(executable)) {
            executable = baseName(executable);
        } else if (!executable.startsWith("/")) {
            if (executable.isBlank() || executable.contains("=")) {
                throw new IllegalArgumentException(
                        "'" + Printable.line(executable) + "' is no program's name: give its path");
            }
            // Found on the worker node, by the PATH there.
            words.add(0, executable);
            executable = ENV;
        }
        StringBuilder jdl = new StringBuilder("[\n");
        attribute(jdl, "Executable", string("the program", executable));
        if (!words.isEmpty()) {
            attribute(
                    jdl,
                    "Arguments",
                    string(
                            "an argument",
                            words.stream()
                                    .map(word -> "'" + word.replace("'", "'\\''") + "'")
                                    .collect(Collectors.joining(" "))));
        }
        List<String> brought = new ArrayList<>(items());
        if (withInput) {
            attribute(jdl, "StdInput", string("", STDIN));
            brought.add(STDIN);
        }
        attribute(jdl, "StdOutput", string("", STDOUT));
        attribute(jdl, "StdError", string("", STDERR));
        attribute(jdl, "LiveOutput", "true");
        if (!brought.isEmpty()) {
            attribute(jdl, "InputSandbox", list("--input", brought));
        }
        List<String> kept = new ArrayList<>(List.of(STDOUT, STDERR));
        kept.addAll(output);
        attribute(jdl, "OutputSandbox", list("--output", kept));
        attribute(jdl, "OutputSandboxBaseDestURI", string("", "gsiftp://localhost"));
        if (!environment.isEmpty()) {
            List<String> variables = new ArrayList<>();
            environment.forEach((name, value) -> variables.add(name + "=" + value));
            attribute(jdl, "Environment", list("--env", variables));
        }
        resources(jdl);
        return jdl.append("]\n").toString();
    }

    private void resources(StringBuilder jdl) {
        if (cores != null) {
            attribute(jdl, "CpuNumber", cores.toString());
            // On one node, as a program on this machine would have them.
            attribute(jdl, "SMPGranularity", cores.toString());
        }
        List<String> requirements = new ArrayList<>();
        if (memoryMib != null) {
            requirements.add("other.GlueHostMainMemoryRAMSize >= " + memoryMib);
        }
        if (time != null) {
            requirements.add("other.GlueCEPolicyMaxWallClockTime >= " + (time.toSeconds() + 59) / 60);
        }
        if (!requirements.isEmpty()) {
            attribute(jdl, "CERequirements", String.join(" && ", requirements));
        }
    }

    private boolean isBrought(String program) {
        return input.stream().anyMatch(item -> baseName(item).equals(program));
    }

    static String baseName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void attribute(StringBuilder jdl, String name, String value) {
        jdl.append("  ").append(name).append(" = ").append(value).append(";\n");
    }

    /** Items are trimmed by the CE, and a backslash at their end would hide the quote. */
    private static String list(String what, List<String> items) {
        List<String> strings = new ArrayList<>();
        for (String item : items) {
            if (!item.equals(item.strip()) || item.isEmpty()) {
                throw new IllegalArgumentException(what + ": '" + Printable.line(item)
                        + "' is empty or has blanks at its ends, which would be lost");
            }
            strings.add(string(what, item));
        }
        return "{" + String.join(", ", strings) + "}";
    }

    private static String string(String what, String text) {
        if (text.endsWith("\\")) {
            throw new IllegalArgumentException(what + ": '" + Printable.line(text) + "' ends with a backslash, which a"
                    + " job description can't have there");
        }
        if (text.chars().anyMatch(c -> Character.isISOControl(c) && c != '\t' && c != '\n')) {
            throw new IllegalArgumentException(what + ": '" + Printable.line(text)
                    + "' has control characters, which no job description can have");
        }
        return '"' + text.replace("\"", "\\\"") + '"';
    }
}
