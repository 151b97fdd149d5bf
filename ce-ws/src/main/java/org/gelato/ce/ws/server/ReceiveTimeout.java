package org.gelato.ce.ws.server;

import java.time.Duration;
import org.apache.coyote.Request;

/**
 * A deadline for a TLS handshake and one for a request's head, each as a whole, where Tomcat's timeouts begin anew with each byte. What
 * counts is the time in which the server waits for the client: one that has just started, or has much to do, closes no honest client's
 * handshake for its own slowness, so that clients would come again and make it slower.
 *
 * @param checks that may find the server waiting; one that comes late, as the process had no CPU, counts no more than one in time
 */
record ReceiveTimeout(long checks) {
    /** @param every the interval of the checks */
    static ReceiveTimeout of(Duration deadline, Duration every) {
        return new ReceiveTimeout(deadline.dividedBy(every));
    }

    /** Checks a connection. By one thread. */
    boolean isOver(TrackedConnection connection) {
        long part = connection.opened();
        if (!connection.isInHandshake()) {
            Request head = connection.partialHead();
            part = head == null ? 0 : Math.max(0, head.getStartTimeNanos());
        }
        return connection.waitingTime().check(part, part != 0 && connection.waitsForClient()) > checks;
    }
}
