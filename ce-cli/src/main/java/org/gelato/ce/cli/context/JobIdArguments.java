package org.gelato.ce.cli.context;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobUrl;
import picocli.CommandLine.Parameters;

/** The jobs a command is about: ids on the command line, or one per line on standard input. */
public final class JobIdArguments {
    /** First line of the job list files of the glite-ce-* clients (docs/developer/protocol/cli.md section 1). */
    private static final String LIST_FILE_HEADER = "##CREAMJOBS##";

    @Parameters(
            arity = "0..*",
            paramLabel = "JOB",
            description = "Job id, https://HOST:PORT/CREAMnnnnnnnnn; '-' reads ids from standard input, one per line.")
    private List<String> ids = new ArrayList<>();

    /** Whether the command line names any. */
    public boolean isGiven() {
        return !ids.isEmpty();
    }

    /**
     * The jobs named.
     *
     * @throws IllegalArgumentException when none is named, or for a text that is no job id
     */
    public List<JobUrl> read(InputStream in, Optional<Endpoint> known) {
        if (ids.isEmpty()) {
            throw new IllegalArgumentException("which jobs? Name at least one");
        }
        List<JobUrl> jobs = new ArrayList<>();
        for (String id : ids) {
            if (id.equals("-")) {
                readLines(in).forEach(line -> jobs.add(JobUrl.parse(line, known)));
            } else {
                jobs.add(JobUrl.parse(id, known));
            }
        }
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException("standard input names no job");
        }
        return jobs;
    }

    private static List<String> readLines(InputStream in) {
        try {
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.equals(LIST_FILE_HEADER))
                    .toList();
        } catch (UncheckedIOException e) {
            throw new IllegalArgumentException("can't read standard input: " + reason(e.getCause()), e);
        }
    }

    private static String reason(IOException e) {
        return e == null ? "unknown reason" : e.getMessage();
    }
}
