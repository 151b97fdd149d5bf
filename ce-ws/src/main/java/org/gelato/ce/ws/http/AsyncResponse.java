package org.gelato.ce.ws.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link LiveResponse} over the non-blocking output of the container. */
final class AsyncResponse implements LiveResponse, WriteListener {
    private static final Logger log = LoggerFactory.getLogger(AsyncResponse.class);

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final Runnable ready;
    private boolean begun;
    private boolean unsent;
    private boolean ended;

    /** @param ready called, by any thread, when the client has taken what it was sent, and when it has gone */
    AsyncResponse(AsyncContext async, ServletOutputStream out, Runnable ready) {
        this.async = async;
        this.out = out;
        this.ready = ready;
    }

    @Override
    public synchronized boolean offer(byte[] bytes) {
        if (ended || !begun) {
            return false;
        }
        try {
            if (!out.isReady()) {
                return false;
            }
            out.write(bytes);
            unsent = true;
            flush();
            return true;
        } catch (IOException | IllegalStateException e) {
            gone(e);
            return false;
        }
    }

    @Override
    public synchronized boolean ended() {
        return ended;
    }

    @Override
    public synchronized void close() {
        if (!ended) {
            end();
        }
    }

    /** The container may have ended a request whose client has gone by itself, and refuses to end it again. */
    private void end() {
        ended = true;
        try {
            async.complete();
        } catch (IllegalStateException e) {
            log.debug("The container has ended this answer already: {}", e.toString());
        }
    }

    @Override
    public void onWritePossible() {
        synchronized (this) {
            try {
                if (!begun) {
                    // The status and the headers go out before the first event.
                    begun = true;
                    unsent = true;
                }
                flush();
            } catch (IOException e) {
                gone(e);
            }
        }
        ready.run();
    }

    @Override
    public void onError(Throwable t) {
        synchronized (this) {
            gone(t);
        }
        ready.run();
    }

    private void flush() throws IOException {
        if (unsent && !ended && out.isReady()) {
            unsent = false;
            out.flush();
            // The container goes on with what the network did not take only when it was found not ready. Otherwise the
            // end of the last
            // page would lie here until there is another.
            out.isReady();
        }
    }

    private void gone(Throwable t) {
        if (!ended) {
            log.debug("A client that followed has gone: {}", t.toString());
            end();
        }
    }
}
