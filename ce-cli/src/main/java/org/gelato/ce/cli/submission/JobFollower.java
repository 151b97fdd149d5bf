package org.gelato.ce.cli.submission;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.display.JobWatch;
import org.gelato.ce.cli.display.MessageStream;
import org.gelato.ce.cli.display.ProgressLine;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.StatusReport;

/**
 * Follows a job: shows its state until it runs, then what it prints, until it has ended. What was interrupted is continued by another call.
 * Used by one thread.
 */
final class JobFollower {
    /** A job that is about to run is polled more often than one that is waited for. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final CliContext context;
    private final ComputingElement ce;
    private final JobUrl job;
    private final JobStreams streams;
    private final ProgressLine line;
    private final Consumer<String> message;
    private MessageStream stream;
    private boolean silent;
    private StatusReport end;

    JobFollower(
            CliContext context,
            ComputingElement ce,
            JobUrl job,
            JobStreams streams,
            ProgressLine line,
            Consumer<String> message) {
        this.context = context;
        this.ce = ce;
        this.job = job;
        this.streams = streams;
        this.line = line;
        this.message = message;
    }

    /**
     * Returns the last state of the job.
     *
     * @throws CliException when the job can't be followed any more
     */
    StatusReport toTheEnd() throws InterruptedException {
        if (stream == null) {
            watch(false);
            stream = new MessageStream(context, ce.messages(), "0", message);
        }
        if (end == null && !silent) {
            listen();
        }
        if (end == null) {
            watch(true);
        }
        return end;
    }

    /** @param ended whether to its end, or until it runs */
    private void watch(boolean ended) throws InterruptedException {
        JobWatch watch = new JobWatch(context, ce, line);
        watch.follow(List.of(job), state -> state.isFinal() || (!ended && isRunning(state)), LONGEST);
        watch.refusals().values().forEach(fault -> {
            throw new ServiceFault(ce.endpoint(), fault);
        });
        end = watch.ends().get(job);
    }

    private static boolean isRunning(StatusReport state) {
        return state.name().equals("RUNNING") || state.name().equals("REALLY-RUNNING");
    }

    private void listen() throws InterruptedException {
        try {
            stream.follow(new MessageCalls.Query(List.of(job.localId()), null, List.of(), null, true), this::show);
        } catch (ConnectionFailure | ServiceFault e) {
            throw e;
        } catch (CliException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            // A CE without messages of jobs: all is printed at the end.
            silent = true;
            message.accept(e.getMessage() + "; the output follows when the job has ended");
        }
    }

    private void show(MessageCalls.Item item) {
        if (item instanceof MessageCalls.End last) {
            end = last.status();
        } else if (item instanceof MessageCalls.Report report) {
            if (report.isOutput()) {
                piece(report);
            } else {
                String level = report.level() == null ? report.kind() : report.level();
                message.accept(level.toUpperCase(Locale.ROOT)
                        + (report.key() == null ? " " : " [" + report.key() + "] ")
                        + new String(report.content(), StandardCharsets.UTF_8));
            }
        }
    }

    private void piece(MessageCalls.Report report) {
        boolean before = streams.isWhole();
        streams.live(report);
        if (before && !streams.isWhole()) {
            message.accept("the job prints more than comes live: the rest follows when it has ended");
        }
    }
}
