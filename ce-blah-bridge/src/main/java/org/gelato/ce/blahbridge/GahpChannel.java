package org.gelato.ce.blahbridge;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.ChannelLostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process that uses the BLAHP grammar on its stdin and stdout: our helper, or a site's blahpd.
 *
 * <p>Guarantees that every future it returned completes: with the result, or with {@link ChannelLostException} when the
 * process has gone, however it went. Called from any thread; one thread writes, one reads and completes futures, one logs
 * the process's stderr. It starts its process once; {@link RestartingChannel} is a row of these. When the JVM dies, the
 * process sees the end of its input and ends.
 */
public final class GahpChannel implements HelperRequests, AutoCloseable {
    /** Longest request line; the helper ends when it gets a longer one, so it is never sent. */
    public static final int MAX_REQUEST_BYTES = 16 << 20;

    private static final Logger log = LoggerFactory.getLogger(GahpChannel.class);
    private static final int MAX_STDERR_LINE = 2000;

    private static final long BANNER_SECONDS = 30;

    private final Process process;
    private final String banner;
    private final GahpReader reader;
    private final AtomicLong ids = new AtomicLong();
    private final BlockingDeque<Outgoing> outgoing = new LinkedBlockingDeque<>();
    private final Queue<Outgoing> unanswered = new ConcurrentLinkedQueue<>();
    private final Map<String, CompletableFuture<List<String>>> results = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> loss = new CompletableFuture<>();
    private final CompletableFuture<Void> silence;
    private volatile ChannelLostException lost;
    private volatile boolean closing;

    private record Outgoing(byte[] line, boolean results, String id, CompletableFuture<List<String>> reply) {}

    private GahpChannel(Process process, CompletableFuture<Void> silence, GahpReader reader, String banner) {
        this.process = process;
        this.silence = silence;
        this.reader = reader;
        this.banner = banner;
    }

    /**
     * Starts the process and waits for its banner. It has {@value #BANNER_SECONDS} s.
     *
     * @param command absolute program and arguments; its environment is empty but for PATH and LANG
     * @throws IOException when it does not start or prints something other than a banner
     */
    public static GahpChannel start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        builder.environment().put("LANG", "C");
        Process process = builder.start();
        CompletableFuture<Void> silence = new CompletableFuture<>();
        thread("gahp-stderr", () -> logErrors(process, silence)).start();
        GahpReader reader = new GahpReader(process.getInputStream());
        String fault;
        String banner = null;
        try {
            banner = banner(reader);
            fault = banner == null
                    ? "it ended at once; its output is in the log, and ce server check says what is wrong with helper.conf"
                    : "no banner but " + banner;
        } catch (IOException e) {
            fault = e.getMessage();
        }
        if (banner == null || !banner.startsWith("$GahpVersion:")) {
            process.destroyForcibly();
            process.getOutputStream().close(); // ends also one that is root's, which we may not kill
            throw new IOException(command.get(0) + " did not start: " + fault);
        }
        GahpChannel channel = new GahpChannel(process, silence, reader, banner);
        thread("gahp-reader", channel::read).start();
        thread("gahp-writer", channel::write).start();
        channel.ask("ASYNC_MODE_ON");
        return channel;
    }

    /** Null when the process ended without one. */
    private static String banner(GahpReader reader) throws IOException {
        CompletableFuture<String> line = new CompletableFuture<>();
        thread("gahp-banner", () -> {
                    try {
                        line.complete(reader.next());
                    } catch (IOException e) {
                        line.completeExceptionally(e);
                    }
                })
                .start();
        try {
            return line.get(BANNER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("printed nothing within " + BANNER_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it started", e);
        }
    }

    /** The banner, for logs. */
    public String banner() {
        return banner;
    }

    /** Process id, for tests and for health pages. */
    public long pid() {
        return process.pid();
    }

    /** Whether requests can still be completed; stays false once it is false. */
    public boolean alive() {
        return lost == null;
    }

    /** Completes when requests cannot be completed any more. */
    CompletableFuture<Void> loss() {
        return loss.copy();
    }

    /** Completes when the process and all it has forked have ended or let go of stderr. */
    CompletableFuture<Void> silence() {
        return silence.copy();
    }

    /**
     * A command whose result comes at once.
     *
     * @return the words after {@code S}; fails with {@link AccountCommandException} on {@code F} and {@code E}
     */
    public CompletableFuture<List<String>> ask(String verb, String... args) {
        List<String> words = new ArrayList<>(List.of(args));
        words.add(0, verb);
        CompletableFuture<List<String>> reply = new CompletableFuture<>();
        send(words, null, reply);
        return reply;
    }

    @Override
    public CompletableFuture<List<String>> request(String verb, List<String> args) {
        String id = Long.toString(ids.incrementAndGet());
        List<String> words = new ArrayList<>(args.size() + 2);
        words.add(verb);
        words.add(id);
        words.addAll(args);
        CompletableFuture<List<String>> result = new CompletableFuture<>();
        results.put(id, result);
        send(words, id, result);
        return result;
    }

    private void send(List<String> words, String id, CompletableFuture<List<String>> future) {
        byte[] line = (GahpLine.join(words) + "\n").getBytes(StandardCharsets.UTF_8);
        String fault = faultOf(words, line);
        if (fault != null) {
            forget(id);
            future.completeExceptionally(new AccountCommandException(Code.REFUSED, fault));
            return;
        }
        outgoing.add(new Outgoing(line, false, id, future));
        ChannelLostException gone = lost;
        if (gone != null) { // the end may have come between: then no other thread completes this one
            forget(id);
            future.completeExceptionally(gone);
        }
    }

    private static String faultOf(List<String> words, byte[] line) {
        if (line.length > MAX_REQUEST_BYTES) {
            return "the request has " + line.length + " bytes, more than " + MAX_REQUEST_BYTES;
        }
        for (String word : words) {
            if (word.isEmpty() || word.indexOf('\0') >= 0) {
                return "an argument is empty or has a NUL character";
            }
        }
        return null;
    }

    private void forget(String id) {
        if (id != null) {
            results.remove(id);
        }
    }

    private void write() {
        try (OutputStream out = new BufferedOutputStream(process.getOutputStream(), 1 << 16)) {
            while (lost == null && !closing) {
                Outgoing next = outgoing.poll(1, TimeUnit.SECONDS);
                if (next == null || next.line.length == 0) {
                    continue;
                }
                unanswered.add(next);
                out.write(next.line);
                if (outgoing.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            lose("cannot write to the helper: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            lose("the writer was interrupted", e);
        }
    }

    private void read() {
        try {
            for (String line = reader.next(); line != null; line = reader.next()) {
                take(line);
            }
            lose("the helper ended", null);
        } catch (IOException | RuntimeException e) {
            lose("cannot read from the helper: " + e.getMessage(), e);
        }
    }

    private void take(String line) throws IOException {
        if (line.equals("R")) {
            outgoing.addFirst(new Outgoing(
                    "RESULTS\n".getBytes(StandardCharsets.US_ASCII), true, null, new CompletableFuture<>()));
            return;
        }
        Outgoing request = unanswered.poll();
        if (request == null) {
            throw new IOException("a reply to no request");
        }
        List<String> words = GahpLine.split(line);
        String kind = words.get(0);
        List<String> rest = words.subList(1, words.size());
        if (kind.equals("S")) {
            if (request.results) {
                takeResults(Integer.parseInt(rest.get(0)));
            } else if (request.id == null) {
                request.reply.complete(rest);
            }
        } else if (kind.equals("F") || kind.equals("E")) {
            forget(request.id);
            String text = String.join(" ", rest);
            boolean busy = text.toLowerCase(Locale.ROOT).contains("limit reached");
            request.reply.completeExceptionally(new AccountCommandException(busy ? Code.BUSY : Code.FAILED, text));
        } else {
            throw new IOException("a reply that starts with neither S, F nor E");
        }
    }

    private void takeResults(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            String line = reader.next();
            if (line == null) {
                throw new IOException("the helper ended among its results");
            }
            List<String> words = GahpLine.split(line);
            CompletableFuture<List<String>> result = results.remove(words.get(0));
            if (result == null) {
                log.warn("a result for request {}, which is not pending", words.get(0));
            } else {
                result.complete(words.subList(1, words.size()));
            }
        }
    }

    private synchronized void lose(String why, Throwable cause) {
        if (lost == null) {
            lost = new ChannelLostException(why + " (process " + process.pid() + ")", cause);
            if (closing) {
                log.debug("channel closed");
            } else {
                log.error("the channel is lost: {}", why);
            }
            process.destroy(); // one that still lives cannot be understood any more
        }
        for (Iterator<CompletableFuture<List<String>>> i = results.values().iterator(); i.hasNext(); ) {
            CompletableFuture<List<String>> result = i.next();
            i.remove();
            result.completeExceptionally(lost);
        }
        for (Queue<Outgoing> queue : List.of(unanswered, outgoing)) {
            for (Outgoing o = queue.poll(); o != null; o = queue.poll()) {
                o.reply.completeExceptionally(lost);
            }
        }
        loss.complete(null);
    }

    private static void logErrors(Process process, CompletableFuture<Void> silence) {
        try (BufferedReader errors =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = errors.readLine(); line != null; line = errors.readLine()) {
                log.warn("{}", line.length() > MAX_STDERR_LINE ? line.substring(0, MAX_STDERR_LINE) : line);
            }
        } catch (IOException e) {
            log.debug("stderr of the helper: {}", e.getMessage());
        }
        silence.complete(null);
    }

    private static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Ends the process by the end of its input; commands it runs are killed, detached jobs live on. */
    @Override
    public void close() {
        closing = true;
        outgoing.add(new Outgoing(new byte[0], false, null, new CompletableFuture<>())); // wakes the writer
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        lose("the channel was closed", null);
    }
}
