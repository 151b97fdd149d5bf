package org.gelato.ce.core.step;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Records the steps of jobs in the order in which they were reached: a line {@code PROCESS STEP JOB...} for each, with the rows
 * of the jobs in order. Several processes may write one after another into one file; what was written survives a kill. Thread-safe.
 */
final class StepTrace {
    private final FileChannel file;

    StepTrace(Path file) {
        try {
            this.file = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Null without the property {@code gelato.test.trace-file}. */
    static StepTrace of(UnaryOperator<String> properties) {
        String file = properties.apply("gelato.test.trace-file");
        return file == null ? null : new StepTrace(Path.of(file).toAbsolutePath());
    }

    <T> void reached(Step step, Collection<T> of, ToIntFunction<? super T> job) {
        String jobs = of.stream()
                .mapToInt(job)
                .sorted()
                .distinct()
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
        String line = ProcessHandle.current().pid() + " " + step + (jobs.isEmpty() ? "" : " " + jobs) + "\n";
        try {
            synchronized (this) {
                file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
