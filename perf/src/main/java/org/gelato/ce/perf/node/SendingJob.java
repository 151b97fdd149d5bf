package org.gelato.ce.perf.node;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.perf.stub.SimulatedWrapper;

/**
 * A running job that sends messages by the spool, as the wrapper's messenger does: one file at a time, the next when the CE has removed the
 * last. Its journal is a file of its sandbox. Of one thread.
 */
final class SendingJob {
    /** A batch is smaller, with its head. */
    private static final int BATCH_BYTES = 7500;

    private final SimulatedWrapper wrapper;
    private final Random random;
    private final Deque<Long> due;
    private final Deque<String> unsent = new ArrayDeque<>();
    private final int number;
    private OutputStream journal;
    private long written;
    private long sent;
    private Path underWay;
    private boolean ended;

    /** @param times of the messages, in milliseconds of one clock */
    SendingJob(SimulatedWrapper wrapper, List<Long> times, Random random) {
        this.wrapper = wrapper;
        this.random = random;
        due = new ArrayDeque<>(times);
        number = JobId.parse(wrapper.job()).orElseThrow().number();
    }

    int number() {
        return number;
    }

    /** Messages sent by the job. */
    long written() {
        return written;
    }

    boolean ended() {
        return ended;
    }

    /**
     * Does what is due, as each turn of a messenger.
     *
     * @param now milliseconds of the clock of the times
     * @param micros since 1970, as written
     */
    void turn(long now, long micros) throws IOException {
        StringBuilder lines = new StringBuilder();
        while (!due.isEmpty() && due.peek() <= now) {
            // When the job sent it, not when this turn came.
            String line = message(micros - (now - due.remove()) * 1000);
            lines.append(line);
            unsent.add(line);
        }
        if (!lines.isEmpty()) {
            if (journal == null) {
                journal = wrapper.journal();
            }
            journal.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        }
        if (underWay != null && !Files.exists(underWay)) {
            underWay = null;
        }
        if (due.isEmpty()) {
            if (journal != null) {
                journal.close();
            }
            // The CE reads what it lacks from the journal.
            wrapper.done(written);
            ended = true;
        } else if (underWay == null && !unsent.isEmpty()) {
            send();
        }
    }

    private String message(long micros) {
        written++;
        StringBuilder text = new StringBuilder(MessageText.of(number, written));
        int length = MessageProfile.length(random);
        while (text.length() < length) {
            text.append((char) ('a' + random.nextInt('z' - 'a' + 1)));
        }
        return micros + " I step " + text + "\n";
    }

    private void send() throws IOException {
        StringBuilder batch = new StringBuilder();
        long first = sent + 1;
        while (!unsent.isEmpty() && batch.length() + unsent.peek().length() < BATCH_BYTES) {
            batch.append(unsent.remove());
            sent++;
        }
        underWay = wrapper.messages(first, batch.toString());
    }
}
