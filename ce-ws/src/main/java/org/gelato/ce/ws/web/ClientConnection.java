package org.gelato.ce.ws.web;

import jakarta.servlet.ServletRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * What the CE's own connector does for a request beside the servlet interface: it sends {@code 100 Continue} when that is wanted, runs
 * something when it sees the client go, and keeps the connection after a fault. A site's own Tomcat does none of it. Thread-safe but
 * for {@link #faultSent}.
 */
public final class ClientConnection {
    /** The request attribute: nothing else gets from a connector of Tomcat to the servlets. */
    public static final String ATTRIBUTE = ClientConnection.class.getName();

    private final Runnable sendContinue;
    private volatile Runnable departure;
    private boolean faultSent;

    /** @param sendContinue sends {@code 100 Continue} to a client that waits for it */
    public ClientConnection(Runnable sendContinue) {
        this.sendContinue = sendContinue;
    }

    /** Whether a request came by a connector of the CE. */
    public static boolean isOwn(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) != null;
    }

    /** The body of a request is wanted now. */
    public static void wantBody(ServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof ClientConnection connection) {
            connection.sendContinue.run();
        }
    }

    /** Completes when a thing is there or has failed, when the patience is over, or when the client is seen to go. */
    public static CompletableFuture<Void> orOver(ServletRequest request, CompletionStage<?> thing, Duration patience) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        if (request.getAttribute(ATTRIBUTE) instanceof ClientConnection connection) {
            connection.departure = () -> over.complete(null);
            over.whenComplete((done, failure) -> connection.departure = null);
        }
        thing.whenComplete((found, failure) -> over.complete(null));
        return over.completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** To be run by any thread when the client goes; null while the request does not wait. */
    public Runnable departure() {
        return departure;
    }

    /** The head of a SOAP fault is written, after which the connection stays open. */
    public void sendsFault() {
        faultSent = true;
    }

    public boolean faultSent() {
        return faultSent;
    }
}
