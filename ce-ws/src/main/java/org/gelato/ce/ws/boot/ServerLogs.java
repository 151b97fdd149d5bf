package org.gelato.ce.ws.boot;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Log lines of the server from the journal of systemd, of one job where it is named. */
@Command(
        name = "logs",
        description = {
            "Show the server's log lines, with --job those that name this job.",
            "Read from the journal of systemd, as root or in group systemd-journal. What users and administrators did to a job"
                    + " is in the audit log: ce audit --job ID."
        },
        footer = {"", "Exit code: 0 lines were found, 1 none (or no journal), 2 wrong command line."})
final class ServerLogs extends ServerCommand {
    private static final Pattern JOB = Pattern.compile("(?:https://[^/]+/)?(CREAM\\d{9})");
    private static final Pattern SINCE = Pattern.compile("[A-Za-z0-9 :.+-]{1,40}");
    private static final String UNIT = "gelato-ce";
    private static final String FEW = "100";
    private static final String ELSEWHERE = "; where the CE does not run as that unit, its log is its standard output";

    @Option(names = "--job", paramLabel = "ID", description = "Only lines that name this job, by its id or URL.")
    private String job;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only lines since then, as journalctl takes it: \"2026-01-31 12:00\", yesterday, -2h.")
    private String since;

    @Option(names = "--follow", description = "Go on with new lines until interrupted.")
    private boolean follow;

    @Override
    public Integer call() throws InterruptedException {
        ProcessBuilder journal = new ProcessBuilder(command()).redirectErrorStream(true);
        // Lines as they are, also for a pager that the account may have set.
        journal.environment().putAll(Map.of("SYSTEMD_PAGER", "cat", "SYSTEMD_COLORS", "0"));
        journal.redirectOutput(ProcessBuilder.Redirect.INHERIT).redirectInput(ProcessBuilder.Redirect.INHERIT);
        try {
            if (!follow && job == null && since == null && !hasLines()) {
                err().println("the journal of systemd has no line of unit " + UNIT + ELSEWHERE);
                return 1;
            }
            int status = journal.start().waitFor();
            if (status != 0 && job != null) {
                err().println("no log line names " + job + "; what was done to it: ce audit --job " + job);
            }
            return status == 0 ? 0 : 1;
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the journal of systemd cannot be read (" + Messages.of(e) + ")" + ELSEWHERE, e);
        }
    }

    /** Without a journal, as without systemd, journalctl prints nothing and is content. */
    private static boolean hasLines() throws IOException, InterruptedException {
        Process one = new ProcessBuilder("journalctl", "--unit=" + UNIT, "--no-pager", "--quiet", "--lines=1")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        boolean any = one.getInputStream().read() >= 0;
        one.getInputStream().transferTo(OutputStream.nullOutputStream());
        one.waitFor();
        return any;
    }

    /** What is run. */
    List<String> command() {
        List<String> command =
                new ArrayList<>(List.of("journalctl", "--unit=" + UNIT, "--no-pager", "--output=cat", "--quiet"));
        if (since != null) {
            command.add("--since="
                    + checked(SINCE, since, "--since '" + Messages.line(since) + "' is no time")
                            .group());
        }
        if (job != null) {
            String id = checked(
                            JOB,
                            job,
                            "--job '" + Messages.line(job) + "' is neither a job's id, as CREAM123456789, nor its URL")
                    .group(1);
            command.add("--grep=\\b" + id + "\\b");
        } else if (since == null) {
            command.add("--lines=" + FEW);
        }
        if (follow) {
            command.add("--follow");
        }
        return command;
    }

    private Matcher checked(Pattern form, String value, String problem) {
        Matcher matcher = form.matcher(value);
        if (!matcher.matches()) {
            throw usage(problem);
        }
        return matcher;
    }
}
