package org.gelato.ce.ws.boot;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was opened, closed in reverse order; what fails to close does not keep the rest open. Thread-safe. */
final class OpenParts implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OpenParts.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    synchronized void push(AutoCloseable part) {
        parts.push(part);
    }

    @Override
    public synchronized void close() {
        while (!parts.isEmpty()) {
            AutoCloseable next = parts.pop();
            try {
                next.close();
            } catch (Exception e) {
                log.warn("{} did not close cleanly", next.getClass().getSimpleName(), e);
            }
        }
    }
}
