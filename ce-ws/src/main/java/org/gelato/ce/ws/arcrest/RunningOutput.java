package org.gelato.ce.ws.arcrest;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageFeed;
import org.gelato.ce.core.service.StoredDescriptions;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.sandbox.SessionFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Standard output and error of running jobs as files of the session directory. They grow on the worker node, and lie there only at the
 * end; so who reads one requests the job's live output (docs/user/live.md), and gets what of it is stored. The first pieces are some
 * seconds on their way: a read that finds nothing is suspended, without a thread, until there is something or its patience ends.
 * Thread-safe.
 */
final class RunningOutput {
    private static final Logger log = LoggerFactory.getLogger(RunningOutput.class);

    /** In memory for one response; of more the end is shown. */
    static final int MAX = 4 << 20;

    private static final int ROWS = 250;
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Optional<MessageFeed> feed;
    private final StoredDescriptions descriptions;

    /** @param feed empty where jobs send nothing while they run */
    RunningOutput(Optional<MessageFeed> feed, StoredDescriptions descriptions) {
        this.feed = feed;
        this.descriptions = descriptions;
    }

    /**
     * The streams of a job that is running, by their paths.
     *
     * @param path that is read; {@link SessionFiles.Shown#LATER} stands for it when the request is suspended
     */
    Map<String, SessionFiles.Shown> shown(HttpServletRequest request, JobId job, JobState state, String path) {
        boolean runs = state == JobState.RUNNING || state == JobState.REALLY_RUNNING;
        if (feed.isEmpty() || (!runs && state != JobState.HELD)) {
            return Map.of();
        }
        Map<String, SessionFiles.Shown> shown = new LinkedHashMap<>();
        streams(job).forEach((name, kind) -> {
            if (!(path.isEmpty() || name.equals(path) || name.startsWith(path + "/"))) {
                return;
            }
            Deque<Message> pieces = stored(feed.get(), job, kind);
            byte[] bytes = assemble(pieces);
            if (runs && name.equals(path)) {
                feed.get().wantOutput(job);
                if (bytes.length == 0 && suspended(request)) {
                    shown.put(name, SessionFiles.Shown.LATER);
                    return;
                }
            }
            // One that is held may never have run.
            if (runs || bytes.length > 0) {
                long last = pieces.isEmpty()
                        ? TreeEntry.UNKNOWN
                        : pieces.peekLast().received().getEpochSecond();
                shown.put(name, new SessionFiles.Shown(bytes, "application/octet-stream", last));
            }
        });
        return shown;
    }

    private Map<String, Message.Kind> streams(JobId job) {
        JobRequest.Streams streams = descriptions.streams(job);
        Map<String, Message.Kind> names = new LinkedHashMap<>();
        if (streams.output() != null) {
            names.put(streams.output(), Message.Kind.STDOUT);
        }
        if (streams.error() != null) {
            // Of both in one file there is standard output alone.
            names.putIfAbsent(streams.error(), Message.Kind.STDERR);
        }
        return names;
    }

    /** Lets the request come again after a pause; false when it has been patient enough, or cannot wait. */
    private static boolean suspended(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        if (!request.isAsyncSupported() || exchange.context().age().compareTo(PATIENCE) > 0) {
            return false;
        }
        AsyncContext suspended = exchange.suspend();
        CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    try {
                        exchange.again(suspended);
                    } catch (IllegalStateException e) {
                        log.debug("A request that waited for a job's output has ended", e);
                    }
                });
        return true;
    }

    /** The last pieces of a stream, as many as are shown: a job may have sent much more. */
    static Deque<Message> stored(MessageFeed feed, JobId job, Message.Kind kind) {
        Deque<Message> pieces = new ArrayDeque<>();
        long before = Long.MAX_VALUE;
        int bytes = 0;
        List<Message> rows;
        do {
            rows = feed.before(job, before, ROWS);
            for (Message row : rows) {
                before = row.id();
                if (row.kind() == kind) {
                    bytes += row.content().length;
                    if (bytes > MAX) {
                        return pieces;
                    }
                    pieces.addFirst(row);
                }
            }
        } while (rows.size() == ROWS);
        return pieces;
    }

    /** A piece continues where the one before ended, or says what is missing. */
    static byte[] assemble(Iterable<Message> pieces) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long end = 0;
        for (Message piece : pieces) {
            byte[] content = piece.content();
            if (piece.number() > end) {
                bytes.writeBytes(("[" + (piece.number() - end) + " bytes are not here while the job runs]\n")
                        .getBytes(StandardCharsets.US_ASCII));
                end = piece.number();
            }
            int known = (int) Math.min(end - piece.number(), content.length);
            bytes.write(content, known, content.length - known);
            end += content.length - known;
        }
        return bytes.toByteArray();
    }
}
