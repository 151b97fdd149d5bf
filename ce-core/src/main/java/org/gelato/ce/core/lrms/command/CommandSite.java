package org.gelato.ce.core.lrms.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.core.lrms.type.SiteFile;

/**
 * How a site's commands are called.
 *
 * @param binDirectory where they lie; absolute
 * @param variables of the environment that the batch system has of its own
 * @param timeout after which a command is killed
 */
public record CommandSite(Path binDirectory, Map<String, String> variables, Duration timeout) {
    /** The wrapper replaces a missing home with the job's working directory. */
    public static final String NO_HOME = "/nonexistent";

    private static final int MAX_SUBMIT_MESSAGE = 64 * 1024;
    private static final int SCRIPT_MODE = 0700;
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    /** Absolute path of a command. */
    public String program(String name) {
        return binDirectory.resolve(name).toString();
    }

    /** The environment every command needs; a new map. */
    public Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        String bin = binDirectory.toString();
        environment.put("PATH", List.of(PATH.split(":", -1)).contains(bin) ? PATH : PATH + ":" + bin);
        environment.put("LANG", "C");
        environment.putAll(variables);
        return environment;
    }

    /** {@code NAME=value} of each variable. */
    public static List<String> lines(Map<String, String> variables) {
        return variables.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
    }

    /** {@link #environment()} and who the account is. */
    public Map<String, String> environment(String account, String home) {
        Map<String, String> environment = environment();
        environment.put("HOME", home);
        environment.put("USER", account);
        environment.put("LOGNAME", account);
        return environment;
    }

    /**
     * The environment of a job, as far as it is not the batch system's.
     *
     * @param home of the job; null where its node does not see the sandbox
     */
    public Map<String, String> jobEnvironment(Submission submission, Path home) {
        return environment(submission.account(), home == null ? NO_HOME : home.toString());
    }

    /**
     * The call that hands a job over; its script and its sandbox travel in the same message.
     *
     * @param argv program and arguments
     * @param home as of {@link #jobEnvironment}
     * @param file for the script
     */
    public Run handOver(Submission submission, List<String> argv, Path home, Path file, String script) {
        return new Run(
                argv,
                submission.sandbox(),
                jobEnvironment(submission, home),
                new byte[0],
                List.of(new FileContent(file, SCRIPT_MODE, script.getBytes(StandardCharsets.UTF_8))),
                timeout,
                MAX_SUBMIT_MESSAGE);
    }

    /**
     * The helper's lines for commands that accounts run.
     *
     * @param script the site's submit attributes; null for none
     */
    public List<HelperLine> executables(List<String> names, Path script) {
        List<HelperLine> lines = new ArrayList<>();
        names.forEach(name -> lines.add(HelperLine.executable(binDirectory.resolve(name))));
        if (script != null) {
            lines.add(HelperLine.of("executable", SiteScriptLines.SHELL));
        }
        return lines;
    }

    /**
     * The helper's lines for what its own account runs.
     *
     * @param commands command lines
     * @param variables {@code NAME=value} of each
     */
    public static List<HelperLine> own(List<String> commands, List<String> variables) {
        return Stream.concat(
                        commands.stream().map(line -> HelperLine.of("self_executable", line)),
                        variables.stream().map(variable -> HelperLine.of("self_environment", variable)))
                .toList();
    }

    /**
     * Commands that must be there.
     *
     * @param key that names their directory
     */
    public List<SiteFile> programs(String key, List<String> names) {
        List<SiteFile> files = new ArrayList<>();
        names.forEach(name -> files.add(SiteFile.program(key, binDirectory.resolve(name))));
        return files;
    }
}
