package org.gelato.ce.cli.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;

/** Reads bodies of responses, each client of the JDK as if it had what it lacks: a check of the length, or a limit of time. Stateless. */
public final class ResponseBody {
    private ResponseBody() {}

    /** What reads a body. */
    @FunctionalInterface
    public interface Reading {
        /** Reads it, as far as it is wanted. */
        byte[] of(InputStream body) throws IOException;
    }

    /**
     * Reads a body to its end.
     *
     * @param announced bytes; -1 where the response does not say
     * @param most bytes that are taken
     * @throws ConnectionFailure when there are more
     * @throws EOFException when there are fewer than announced
     */
    public static byte[] whole(Endpoint endpoint, InputStream body, long announced, int most) throws IOException {
        byte[] bytes = body.readNBytes(most + 1);
        if (bytes.length > most) {
            throw TransportErrors.unreadable(endpoint, "the response is larger than " + most + " bytes", null);
        }
        // The older client takes the end of the connection for that of the response.
        if (bytes.length < announced) {
            throw new EOFException("the response ended after " + bytes.length + " of " + announced + " bytes");
        }
        return bytes;
    }

    /**
     * Reads a body of the newer client, which waits for its headers alone no longer than it is allowed to; closes it.
     *
     * @param timeout for the whole body
     * @throws SocketTimeoutException when that is over
     */
    public static byte[] inTime(InputStream body, Duration timeout, Reading reading) throws IOException {
        AtomicBoolean late = new AtomicBoolean();
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                () -> {
                    late.set(true);
                    close(body);
                },
                CompletableFuture.delayedExecutor(timeout.toMillis(), TimeUnit.MILLISECONDS));
        try (body) {
            return reading.of(body);
        } catch (IOException e) {
            if (late.get()) {
                SocketTimeoutException timedOut = new SocketTimeoutException("the response did not end in time");
                timedOut.initCause(e);
                throw timedOut;
            }
            throw e;
        } finally {
            end.cancel(false);
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
