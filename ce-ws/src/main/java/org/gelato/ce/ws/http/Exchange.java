package org.gelato.ce.ws.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.gelato.ce.ws.web.ClientConnection;
import org.gelato.ce.ws.web.RequestContext;
import org.gelato.ce.ws.web.ServicePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its response, neither of which holds a thread while the client is waited for. A servlet requests the body
 * ({@link #body} or {@link #receive}) and writes its response to memory ({@link HeldResponse}) or makes it part by part ({@link
 * #stream}); the container calls back when bytes came or were taken. Made by {@link AsyncExchanges}. The container runs at most
 * one call for a connection at a time, so there are no locks. When the connection breaks, everything taken is given back.
 *
 * <p>Where something before it in the container does not support asynchronous requests, as a filter of a site's own may not,
 * the request's thread waits for the client.
 */
public final class Exchange {
    /** The one attribute of a request that is the CE's own in all servers: a servlet is given nothing else that outlives its call. */
    private static final String ATTRIBUTE = Exchange.class.getName();

    private static final Logger log = LoggerFactory.getLogger(Exchange.class);
    private static final int FIRST_BYTES = 8 << 10;
    private static final int MAX_DROPPED_BYTES = 2 << 20;
    /** Files are large, and their clients rarely read before they have sent everything. */
    private static final int MAX_DROPPED_BYTES_OF_FILE = 64 << 20;

    private static final byte[] NO_BYTES = {};
    private final MemoryBudget budget;
    private final MinimumRate.Slowest slowest;
    private final LongSupplier nanos;
    private final RequestContext context;
    private HttpServletRequest request;
    private HttpServletResponse response;
    private HeldResponse answer;
    private AsyncContext async;
    private Reader reader;
    private byte[] body;
    private ResponseSource source;
    private final Map<PerUserLimit, Permits> permits = new LinkedHashMap<>();
    private String holder;
    private long charged;
    private long sending;
    private boolean ended;
    private boolean waited;

    private record Permits(String user, int weight) {}

    Exchange(MemoryBudget budget, MinimumRate.Slowest slowest, LongSupplier nanos, RequestContext context) {
        this.context = context;
        this.budget = budget;
        this.slowest = slowest;
        this.nanos = nanos;
    }

    /**
     * The exchange of a request.
     *
     * @throws IllegalStateException when {@link AsyncExchanges} does not stand before the servlet
     */
    public static Exchange of(ServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Exchange exchange) {
            return exchange;
        }
        throw new IllegalStateException("the filter " + AsyncExchanges.class.getName() + " is missing");
    }

    /** The same; null where the filter does not stand before the servlet. */
    public static Exchange ofNullable(ServletRequest request) {
        return (Exchange) request.getAttribute(ATTRIBUTE);
    }

    /** Begins the container's first or next call for this request. */
    void enter(HttpServletRequest of, HttpServletResponse to) {
        of.setAttribute(ATTRIBUTE, this);
        request = of;
        response = to;
        answer = new HeldResponse(to);
        async = null;
    }

    /** What is known of the request. */
    public RequestContext context() {
        return context;
    }

    HeldResponse response() {
        return answer;
    }

    /**
     * The body, gathered without a thread.
     *
     * @param from whose memory it is: a caller, or the address of an unknown client
     * @param max bytes that are wanted; a body with more has one more here, and its rest is unread
     * @return null when it is not there yet: the servlet returns at once, and is called again when it is
     * @throws MemoryBudget.Exhausted when there is no memory for it; nothing was read then
     */
    public byte[] body(String from, int max) throws IOException {
        if (body != null) {
            return body;
        }
        holder = from;
        ServletInputStream in = request.getInputStream();
        long length = request.getContentLengthLong();
        if (length == 0 || (length < 0 && request.getHeader("Transfer-Encoding") == null)) {
            body = NO_BYTES;
            return body;
        }
        GatheredBody gathered = new GatheredBody(length, max + 1, this::take, new MinimumRate(slowest, nanos));
        if (gathered.takeWhatIsThere(in, !request.isAsyncSupported())) {
            body = gathered.bytes();
            return body;
        }
        listen(new Gathering(gathered));
        return null;
    }

    /**
     * Takes permits for this call, until its response is made.
     *
     * @param user the key under which permits are counted
     * @param weight of the call
     * @return false when it must wait: the servlet returns at once, and is called again when it has the permits
     * @throws PerUserLimit.Full when too many calls wait
     */
    public boolean enter(PerUserLimit of, String user, int weight) {
        if (permits.containsKey(of) || !request.isAsyncSupported()) {
            return true;
        }
        CompletableFuture<Void> free = new CompletableFuture<>();
        if (of.acquire(user, weight, () -> free.complete(null))) {
            permits.put(of, new Permits(user, weight));
            return true;
        }
        AsyncContext waiting = suspend();
        free.thenRun(() -> {
            permits.put(of, new Permits(user, weight));
            comesAgain(waiting);
        });
        return false;
    }

    /**
     * Waits for something once, without a thread: the servlet returns at once, and is called again when it is there or has failed, when
     * the patience is over, and when the client is seen to go.
     *
     * @param lost run where it cannot be called again, as the container has ended the request
     * @return false when this request has waited so before, or has done so with its thread, having no other way
     */
    public boolean await(CompletionStage<?> thing, Duration patience, Runnable lost) {
        if (waited) {
            return false;
        }
        waited = true;
        CompletableFuture<Void> over = ClientConnection.orOver(request, thing, patience);
        if (!request.isAsyncSupported()) {
            over.join();
            return false;
        }
        AsyncContext waiting = request.isAsyncStarted() ? async : suspend();
        over.thenRun(() -> {
            if (!comesAgain(waiting)) {
                CompletableFuture.runAsync(lost); // no thread of timers or connections waits for the database
            }
        });
        return true;
    }

    /** False when the container has ended the request meanwhile. */
    private boolean comesAgain(AsyncContext suspended) {
        try {
            again(suspended);
            return true;
        } catch (IllegalStateException e) {
            log.debug("A request that waited has ended", e);
            workDone();
            return false;
        }
    }

    /** Lets the servlet return without a response; it is called again by {@link #again}. */
    public AsyncContext suspend() {
        async = request.startAsync();
        // Read, write and pace have limits of their own.
        async.setTimeout(0);
        return async;
    }

    /**
     * Calls the servlet again, with a request thread; from any thread.
     *
     * @param suspended what {@link #suspend} returned
     */
    public void again(AsyncContext suspended) {
        suspended.dispatch(ServicePath.again(request));
    }

    /** Gives a body of any size to a sink as it comes; the servlet returns afterwards. */
    public void receive(BodySink sink) throws IOException {
        ServletInputStream in = request.getInputStream();
        if (in.isFinished()) {
            sink.end();
        } else if (request.isAsyncSupported()) {
            listen(new Receiving(sink));
        } else {
            receiveWaiting(sink, in);
        }
    }

    private void receiveWaiting(BodySink sink, ServletInputStream in) throws IOException {
        InputStream paced = new MinimumRate(slowest, nanos).of(in);
        try {
            boolean more = true;
            while (more && !in.isFinished()) {
                more = sink.read(paced);
            }
        } catch (IOException e) {
            sink.broken();
            throw e;
        }
        sink.end();
    }

    /** Sends what the response holds, and then the parts of a source, which is closed at the end whatever happens. */
    public void stream(ResponseSource parts) {
        source = parts;
    }

    /**
     * Begins a response without an end; the servlet has set status and headers, and returns afterwards.
     *
     * @param ready called, by any thread, when the client can take more, and when it has gone
     * @return null where something before the servlet does not support asynchronous requests
     */
    public LiveResponse live(Runnable ready) throws IOException {
        if (!request.isAsyncSupported()) {
            return null;
        }
        context.responds(answer.getStatus());
        body = null;
        giveBack();
        workDone();
        suspend();
        AsyncResponse live = new AsyncResponse(async, response.getOutputStream(), ready);
        response.getOutputStream().setWriteListener(live);
        return live;
    }

    /** What becomes of bytes that come. */
    private interface Consumer {
        /** Reads once; returns whether more is wanted. */
        boolean read(ServletInputStream in) throws IOException;

        /** Whether it waits for more, as nothing is there now. */
        default boolean waits() {
            return true;
        }

        /** No more is wanted, or nothing more comes. */
        void end() throws IOException;

        /** The client has gone or is too slow. */
        default void broken() {}
    }

    private void listen(Consumer consumer) throws IOException {
        suspend();
        ClientConnection.wantBody(request);
        reader = new Reader(request.getInputStream(), consumer);
        reader.in.setReadListener(reader);
    }

    private final class Reader implements ReadListener {
        private final ServletInputStream in;
        private Consumer consumer;

        Reader(ServletInputStream in, Consumer consumer) {
            this.in = in;
            this.consumer = consumer;
        }

        @Override
        public void onDataAvailable() throws IOException {
            try {
                boolean more = consumer != null;
                while (more && !in.isFinished() && in.isReady()) {
                    more = consumer.read(in);
                }
                more = more && (in.isFinished() || consumer.waits());
                if (consumer != null && !more) {
                    finish();
                }
            } catch (MemoryBudget.Exhausted e) {
                consumer = null;
                refuse(e.getMessage());
                send();
            } catch (MinimumRate.TooSlow e) {
                tooSlow(e);
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            if (consumer != null) {
                finish();
            }
        }

        private void finish() throws IOException {
            Consumer done = consumer;
            consumer = null;
            done.end();
        }

        private void tooSlow(MinimumRate.TooSlow e) throws IOException {
            log.info("{} {} is given up: {}", request.getMethod(), request.getServletPath(), e.getMessage());
            Consumer given = consumer;
            consumer = null;
            given.broken();
            answer.reset();
            answer.setHeader("Connection", "close");
            JsonResponse.error(answer, HttpServletResponse.SC_REQUEST_TIMEOUT, e.getMessage());
            send();
        }

        @Override
        public void onError(Throwable t) {
            abort(t);
        }
    }

    /** Keeps the bytes, and calls the servlet again when it has them. */
    private final class Gathering implements Consumer {
        private final GatheredBody gathered;

        Gathering(GatheredBody gathered) {
            this.gathered = gathered;
        }

        @Override
        public boolean read(ServletInputStream in) throws IOException {
            return gathered.read(in);
        }

        @Override
        public void end() {
            body = gathered.bytes();
            again(async);
        }
    }

    /** Hands the bytes on. */
    private final class Receiving implements Consumer {
        private final BodySink sink;
        private final MinimumRate pace = new MinimumRate(slowest, nanos);

        Receiving(BodySink sink) {
            this.sink = sink;
        }

        @Override
        public boolean read(ServletInputStream in) throws IOException {
            return sink.read(pace.of(in));
        }

        @Override
        public void end() throws IOException {
            if (sink.end()) {
                send();
            }
        }

        @Override
        public void broken() {
            sink.broken();
        }
    }

    /**
     * Reads the rest after the response has been sent, for a while and up to a limit: a client that reads only when it has sent
     * everything would find a reset connection in the place of the response.
     */
    private final class Discarding implements Consumer {
        private final byte[] scratch = new byte[FIRST_BYTES];
        private long left = "PUT".equals(request.getMethod()) ? MAX_DROPPED_BYTES_OF_FILE : MAX_DROPPED_BYTES;

        @Override
        public boolean read(ServletInputStream in) throws IOException {
            left -= Math.max(0, in.read(scratch));
            return left > 0;
        }

        /** What has come is read in any case: with it unread the close would be a reset, and the response lost. */
        @Override
        public boolean waits() {
            return nanos.getAsLong() - sending < slowest.patience().toNanos();
        }

        /** @throws IOException when there is more: the connection is closed then, its client has the response */
        @Override
        public void end() throws IOException {
            if (!reader.in.isFinished()) {
                throw new IOException("the rest of the request is not read");
            }
            complete();
        }
    }

    /** Answers that there is no room now. */
    void refuse(String reason) throws IOException {
        answer.reset();
        JsonResponse.busy(answer, reason);
    }

    /** Gives the response to the client as it takes it; the work is done except the parts of a source. */
    void send() throws IOException {
        sending = nanos.getAsLong();
        context.responds(answer.getStatus());
        body = null;
        giveBack();
        if (source == null) {
            workDone();
        }
        if (holder == null) {
            holder = request.getRemoteAddr();
        }
        charge();
        if (source == null && !answer.lengthSet() && answer.getStatus() != HttpServletResponse.SC_NO_CONTENT) {
            answer.setContentLengthLong(answer.size());
        }
        if (!request.isAsyncSupported()) {
            sendWaiting();
            return;
        }
        if (!request.isAsyncStarted()) {
            suspend();
        }
        response.getOutputStream().setWriteListener(new Writer(response.getOutputStream()));
    }

    private void sendWaiting() throws IOException {
        ServletOutputStream out = response.getOutputStream();
        try {
            while (answer.size() > 0 || source != null) {
                if (answer.size() > 0) {
                    answer.sendPiece(out);
                } else {
                    makePart();
                }
            }
        } finally {
            giveBack();
            workDone();
        }
    }

    /** Has the source make its next part. */
    private void makePart() throws IOException {
        boolean more = source.next(answer.getOutputStream());
        charge();
        if (!more) {
            // Before its last byte is sent: a client that has the whole response may call again at once and find
            // the permits free.
            workDone();
        }
    }

    private void charge() {
        long more = answer.size() - charged;
        if (more > 0) {
            budget.charge(holder, more);
            charged += more;
        }
    }

    private void take(long bytes) {
        budget.take(holder, bytes);
        charged += bytes;
    }

    private void giveBack() {
        if (charged > 0) {
            budget.giveBack(holder, charged);
            charged = 0;
        }
    }

    private final class Writer implements WriteListener {
        private final ServletOutputStream out;
        private final MinimumRate pace = new MinimumRate(slowest, nanos);
        private long taken;
        private boolean flushed;
        private boolean sent;

        Writer(ServletOutputStream out) {
            this.out = out;
        }

        @Override
        public void onWritePossible() throws IOException {
            while (!sent && out.isReady()) {
                long before = answer.size();
                if (before > 0) {
                    // What was sent before is taken, or this would not be possible.
                    if (taken > 0) {
                        pace.moved(taken);
                    }
                    answer.sendPiece(out);
                    taken = before - answer.size();
                } else if (source != null) {
                    giveBack();
                    makePart();
                } else if (!flushed) {
                    flushed = true;
                    out.flush();
                } else {
                    sent = true;
                    giveBack();
                    rest();
                }
            }
        }

        @Override
        public void onError(Throwable t) {
            abort(t);
        }
    }

    /** The answer is out; what is left of the request is read or the exchange ends. */
    private void rest() throws IOException {
        ServletInputStream in = request.getInputStream();
        // A client that waits for "100 Continue" has sent nothing and will not.
        if (in.isFinished() || (reader == null && request.getHeader("Expect") != null)) {
            complete();
        } else if (reader == null) {
            reader = new Reader(in, new Discarding());
            in.setReadListener(reader);
        } else {
            reader.consumer = new Discarding();
            reader.onDataAvailable();
        }
    }

    /** The call needs its permits no longer. */
    private void workDone() {
        if (source != null) {
            ResponseSource done = source;
            source = null;
            done.close();
        }
        Map<PerUserLimit, Permits> left = Map.copyOf(permits);
        permits.clear();
        left.forEach((of, taken) -> of.release(taken.user(), taken.weight()));
    }

    private void complete() {
        if (!ended) {
            ended = true;
            async.complete();
        }
    }

    private void abort(Throwable t) {
        if (ended) {
            return;
        }
        ended = true;
        log.debug("{} {} breaks off: {}", request.getMethod(), request.getServletPath(), String.valueOf(t));
        try {
            if (reader != null && reader.consumer != null) {
                Consumer gone = reader.consumer;
                reader.consumer = null;
                gone.broken();
            }
        } finally {
            giveBack();
            workDone();
            async.complete();
        }
    }
}
