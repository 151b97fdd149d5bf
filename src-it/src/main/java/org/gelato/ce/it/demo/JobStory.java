package org.gelato.ce.it.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One job from submission to purge, printed line by line. Its states come from the CE's history, so that none is missed
 * between two polls; ARC REST knows the times of submission, start and end alone.
 */
final class JobStory {
    /** Printed on the node that ran it, with the node's name. */
    private static final String GREETING = "Hello from the worker node";

    private static final String HELLO_JOB = """
            [
              JobType = "Normal";
              Executable = "/bin/bash";
              Arguments = "-c 'echo %s $HOSTNAME; sleep 3'";
              StdOutput = "env.out";
              StdError = "env.err";
            ]
            """.formatted(GREETING);
    private static final Set<String> FINAL = Set.of("DONE-OK", "DONE-FAILED", "CANCELLED", "ABORTED");
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final long LOOK_MILLIS = 250;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private static final String STEPS_JOB = """
            [ Executable = "/bin/bash";
              Arguments = "-c 'for i in {1..300}; do echo step $i; gelato-message --key step step $i of 300; sleep 2; done'";
              StdOutput = "steps.out"; StdError = "steps.err"; LiveOutput = true;
              OutputSandbox = { "steps.out", "steps.err" }; OutputSandboxBaseDestURI = "gsiftp://localhost"; ]
            """;

    private final UserCommands ce;
    private final DemoHome home;
    private final PrintStream out;
    private String job;

    JobStory(UserCommands ce, DemoHome home, PrintStream out) {
        this.ce = ce;
        this.home = home;
        this.out = out;
    }

    /**
     * Submits the job, follows it, fetches its output.
     *
     * @return the line that reports success
     */
    String tell() throws InterruptedException {
        job = ce.must(HELLO_JOB, "submit", "-").output().strip();
        out.println("submitted " + job);
        JsonNode end = follow();
        String state = end.path("status").asText();
        String exit = end.path("exitCode").asText();
        if (!state.equals("DONE-OK") || !exit.equals("0")) {
            throw new DemoException(job + " ended " + state + " exit=" + exit + " "
                    + end.path("failureReason").asText());
        }
        fetch();
        return "DEMO OK " + job + " " + state + " exit=" + exit;
    }

    /**
     * Leaves a job running that prints and sends messages for ten minutes, so that there is something to follow.
     *
     * @return its id
     */
    String leaveOne() {
        return ce.must(STEPS_JOB, "submit", "--name", "steps", "-").output().strip();
    }

    private JsonNode follow() throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        int told = 0;
        while (true) {
            JsonNode info = ce.must("", "info", "--json", job).json().at("/jobs/0");
            List<JsonNode> history = new ArrayList<>();
            // A state without a time is one that another takes the place of.
            info.path("history").forEach(state -> {
                if (state.hasNonNull("time")) {
                    history.add(state);
                }
            });
            for (; told < history.size(); told++) {
                JsonNode state = history.get(told);
                out.println("          "
                        + TIME.format(Instant.parse(state.path("time").asText())) + "  "
                        + state.path("status").asText());
            }
            if (FINAL.contains(info.path("status").asText())) {
                return info;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new DemoException(
                        job + " is still " + info.path("status").asText() + " after " + LIMIT.toMinutes() + " minutes");
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private void fetch() {
        JsonNode files = ce.must("", "output", "--json", "-d", home.output().toString(), job)
                .json()
                .at("/jobs/0/files");
        List<String> names = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        files.forEach(file -> {
            names.add(file.path("name").asText());
            lines.add(file.path("name").asText() + " (" + file.path("size").asLong() + " bytes)");
        });
        if (!names.containsAll(List.of("env.out", "env.err"))) {
            throw new DemoException("the output of " + job + " is not complete: " + names);
        }
        out.println("output    " + String.join(", ", lines) + " in " + home.output());
        out.println("printed   " + printed());
    }

    private String printed() {
        try {
            String line = Files.readString(home.output().resolve("env.out")).strip();
            if (!line.startsWith(GREETING)) {
                throw new DemoException("the job printed something else: " + line);
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has the CE forget the job, and sees that it did. */
    void purge() throws InterruptedException {
        ce.must("", "purge", job);
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            JsonNode response = ce.run("", "status", "--json", job).json().at("/jobs/0");
            if (response.at("/fault/kind").asText().equals("JobUnknownFault")) {
                out.println("purged    the CE has forgotten the job and removed its files");
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new DemoException(job + " is still there " + LIMIT.toMinutes() + " minutes after its purge");
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }
}
