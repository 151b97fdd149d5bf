package org.gelato.ce.core.delegation;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RSA key pairs with their certificate requests, made ahead of need: a key costs a hundred times the rest of a delegation request,
 * and the request's signature as much as that rest. One daemon
 * thread of low priority fills the pool from {@link #start} on and sleeps while it is full. {@link #take} is called from
 * request threads and never waits for that thread: from an empty pool the caller gets a key made on its own thread. Keys
 * live in memory only; a crash loses nothing but the work.
 */
public final class KeyPool implements AutoCloseable {
    /**
     * An unused key pair, and a certificate request for it that names nobody.
     *
     * @param request PEM, with an empty subject
     */
    record RequestKey(KeyPair pair, String request) {
        static RequestKey of(KeyPair pair) {
            return new RequestKey(pair, CertificateRequest.pem(pair));
        }
    }

    /** Keys kept ready unless configured otherwise. */
    public static final int DEFAULT_SIZE = 16;

    private static final Logger log = LoggerFactory.getLogger(KeyPool.class);
    private static final int BITS = 2048;

    private final Supplier<KeyPair> generator;
    private final BlockingQueue<RequestKey> ready;
    private final Thread filler;
    private boolean closed;

    /**
     * @param size keys kept ready, at least 1
     */
    public KeyPool(int size) {
        this(size, KeyPool::generate);
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint to leave the processor to requests; nothing relies on it
    KeyPool(int size, Supplier<KeyPair> generator) {
        if (size < 1) {
            throw new IllegalArgumentException("key pool size must be at least 1 but is " + size);
        }
        this.generator = generator;
        this.ready = new ArrayBlockingQueue<>(size);
        this.filler = new Thread(this::fill, "key-pool");
        filler.setDaemon(true);
        filler.setPriority(Thread.MIN_PRIORITY);
    }

    /** Begins to fill, once, unless it was closed. Before, callers make their keys themselves. */
    public synchronized void start() {
        if (!closed) {
            filler.start();
        }
    }

    /** An unused key pair. */
    RequestKey take() {
        RequestKey key = ready.poll();
        return key != null ? key : make();
    }

    /** Takes back a key pair that was not handed out; a full pool drops it. */
    void giveBack(RequestKey unused) {
        ready.offer(unused);
    }

    /** Key pairs that wait for a request. */
    public int size() {
        return ready.size();
    }

    /** Ends the filling; keys are still given, made on request. */
    @Override
    public synchronized void close() {
        closed = true;
        filler.interrupt();
    }

    private void fill() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                ready.put(make());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            log.error("no more keys are made ahead; requests make their own", e);
        }
    }

    private RequestKey make() {
        return RequestKey.of(generator.get());
    }

    private static KeyPair generate() {
        try {
            KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
            rsa.initialize(BITS);
            return rsa.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has RSA", e);
        }
    }
}
