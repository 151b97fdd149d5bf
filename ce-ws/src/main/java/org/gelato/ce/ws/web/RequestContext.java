package org.gelato.ce.ws.web;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import org.slf4j.MDC;

/**
 * What is known of one request, in all calls of the container for it: its id, whence it came, who sent it, and what its servlet keeps
 * from one call to the next. The id is in the audit log, in the application log ({@code request} of the MDC), and in the response's header
 * {@value #HEADER}; it is ours and never a client's. Threads serve a request one after the other.
 */
public final class RequestContext {
    /** The header of a response that names its request. */
    public static final String HEADER = "X-Request-Id";

    private static final String MDC_KEY = "request";
    private static final int ID_BYTES = 8;
    private static final SecureRandom RANDOM = new SecureRandom();
    /** How long an accepted sender is taken for one: within it a ban, or the end of a credential, counts in a request that lasts. */
    private static final Duration ACCEPTED = Duration.ofSeconds(1);

    private static final ThreadLocal<RequestContext> CURRENT = new ThreadLocal<>();

    private final String id;
    private final String address;
    private final LongSupplier nanos;
    private final long begun;
    private Authentication authentication;
    private long authenticatedAt;
    private Object state;
    private int status;

    /** @param address of the client */
    public RequestContext(String id, String address) {
        this(id, address, System::nanoTime);
    }

    /** @param nanos a clock as {@link System#nanoTime} */
    public RequestContext(String id, String address, LongSupplier nanos) {
        this.id = id;
        this.address = address;
        this.nanos = nanos;
        this.begun = nanos.getAsLong();
    }

    /** Of a new request. */
    public static RequestContext of(String address) {
        byte[] id = new byte[ID_BYTES];
        RANDOM.nextBytes(id);
        return new RequestContext(HexFormat.of().formatHex(id), address);
    }

    /** The request that this thread serves, for logs; null for none. */
    public static RequestContext current() {
        return CURRENT.get();
    }

    /** This thread serves the request until {@link #leave}. */
    public void enter() {
        CURRENT.set(this);
        MDC.put(MDC_KEY, id);
    }

    /** This thread serves no request. */
    public static void leave() {
        CURRENT.remove();
        MDC.remove(MDC_KEY);
    }

    public String id() {
        return id;
    }

    public String address() {
        return address;
    }

    /** How long ago the request came. */
    public Duration age() {
        return Duration.ofNanos(nanos.getAsLong() - begun);
    }

    /** Who sent it, as of when that was found out, for logs; null while that was not needed. */
    public Authentication authentication() {
        return authentication;
    }

    /** Who sent it; null when that is to be found out, once more where it was a second ago that somebody was accepted. */
    public Authentication currentAuthentication() {
        boolean old = authentication instanceof Authentication.Accepted
                && nanos.getAsLong() - authenticatedAt >= ACCEPTED.toNanos();
        return old ? null : authentication;
    }

    /** It was found out who sent it. */
    public void authenticated(Authentication outcome) {
        authentication = outcome;
        authenticatedAt = nanos.getAsLong();
    }

    /** The status of the response that the container was given to send; 0 while there is none. */
    public int status() {
        return status;
    }

    /** The container is given the response. */
    public void responds(int with) {
        status = with;
    }

    /** What the servlet kept; null when it is nothing of this type. */
    public <T> T kept(Class<T> type) {
        return type.isInstance(state) ? type.cast(state) : null;
    }

    /** Keeps a value of the servlet's own until it is called again; null for none. */
    public void keep(Object value) {
        state = value;
    }
}
