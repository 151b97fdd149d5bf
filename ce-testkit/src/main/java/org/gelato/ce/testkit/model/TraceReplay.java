package org.gelato.ce.testkit.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Looks for a run of the model that passes the steps of a recorded run in their order. Thread-safe. */
public final class TraceReplay {
    /** Of the batch system and the database during a job's life; crashes are where the trace has them. */
    private static final int FAULTS = 2;

    private static final Pattern ACCEPTED = Pattern.compile("(?m)^accepted (\\d+)$");

    private final ModelChecker checker;
    private final List<String> steps;
    private final Path scratch;

    /**
     * @param model handover.pml
     * @param steps names of all steps
     * @param scratch a directory for what is made
     */
    public TraceReplay(Path model, List<String> steps, Path scratch) {
        this.checker = new ModelChecker(model, scratch);
        this.steps = List.copyOf(steps);
        this.scratch = scratch;
    }

    /** Those of the traces ({@link StepTraces}) that no run of the model can be. */
    public List<String> refused(List<String> traces) {
        if (traces.isEmpty()) {
            return List.of();
        }
        try {
            Files.writeString(Files.createDirectories(scratch.resolve("replay")).resolve("replay.h"), header(traces));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ModelChecker.Result result = checker.check("replay", List.of("REPLAY", "JOBS=1", "FAULTS=" + FAULTS), 1, "-E");
        if (result.error() != null) {
            throw new IllegalStateException("a replayed run breaks a property of the model: " + result.output());
        }
        Set<Integer> accepted = new HashSet<>();
        Matcher numbers = ACCEPTED.matcher(result.output());
        while (numbers.find()) {
            accepted.add(Integer.parseInt(numbers.group(1)));
        }
        List<String> refused = new ArrayList<>();
        for (int i = 0; i < traces.size(); i++) {
            if (!accepted.contains(i)) {
                refused.add(traces.get(i));
            }
        }
        return refused;
    }

    /** What the model includes: the numbers of the steps, the traces one behind another, and how a process waits at a step. */
    private String header(List<String> traces) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < steps.size(); i++) {
            text.append("#define ")
                    .append(steps.get(i))
                    .append(' ')
                    .append(i + 1)
                    .append('\n');
        }
        List<Integer> numbers = new ArrayList<>();
        List<Integer> processes = new ArrayList<>();
        List<Integer> begins = new ArrayList<>();
        for (String trace : traces) {
            begins.add(numbers.size());
            for (String step : trace.split(" ")) {
                String[] parts = step.split("/");
                numbers.add(steps.indexOf(parts[0]) + 1);
                processes.add(Integer.parseInt(parts[1]));
            }
            numbers.add(0);
            processes.add(0);
        }
        return text
                + "#define TRACES " + traces.size() + "\n"
                + "c_decl {\n"
                + "static const unsigned char traced_step[] = {" + joined(numbers) + "};\n"
                + "static const unsigned char traced_process[] = {" + joined(processes) + "};\n"
                + "static const int traced_from[] = {" + joined(begins) + "};\n"
                + "static char traced[" + traces.size() + "];\n"
                + "}\n"
                + """
                byte want = 255;
                byte wantEpoch;
                byte epoch[2];
                int at;
                short which;
                #define REPLAYED byte e;
                #define ENTER(n) e = epoch[n]
                #define NEXT(n, step) (want == step && wantEpoch == epoch[n])
                #define ADVANCE c_code { now.at++; now.want = traced_step[now.at]; now.wantEpoch = traced_process[now.at]; }
                #define STEP(n, j, step) if :: want == step && wantEpoch == e && epoch[n] == e -> ADVANCE :: wantEpoch > e -> goto dead fi
                #define AGAIN(times) true
                #define DIES (wantEpoch > epoch[n])
                #define MAY_FAIL if :: true :: goto again fi
                #define BEGUN (RUN | 4)
                #define PART(events) if :: true :: events & RUN -> events = RUN :: events & 4 -> events = 4 \\
                    :: events & 3 -> events = events & 3 :: events & 5 -> events = events & 5 fi
                active proctype Trace() {
                    do
                    :: which < TRACES - 1 -> which++
                    :: break
                    od;
                    c_code { now.at = traced_from[now.which] - 1; };
                    ADVANCE;
                    want == 0;
                    c_code { if (!traced[now.which]) { traced[now.which] = 1; printf("accepted %d\\n", now.which); } }
                }
                """;
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
