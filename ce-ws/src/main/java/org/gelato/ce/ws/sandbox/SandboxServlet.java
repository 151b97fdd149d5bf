package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.gelato.ce.core.sandbox.JobSandbox;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.http.BodySink;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.http.PerUserLimit;
import org.gelato.ce.ws.http.ResourceServlet;
import org.gelato.ce.ws.http.ResponseSource;
import org.gelato.ce.ws.token.BearerChallenge;
import org.gelato.ce.ws.web.HttpFaults;
import org.gelato.ce.ws.web.Refusal;
import org.gelato.ce.ws.web.RequestContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What requests for sandbox files have in common: the bound on their number, and the status of everything that can
 * go wrong. A transfer keeps its place while its bytes are on their way, but no thread. Foreign jobs read as unknown.
 */
abstract class SandboxServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger log = LoggerFactory.getLogger(SandboxServlet.class);
    /** How long the end of an upload waits for the checksum of what came in requests before. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The sandboxes' files as all servlets of one application use them. */
    record Tools(
            SandboxClients clients,
            SandboxFiles files,
            Downloads downloads,
            Uploads uploads,
            Slots slots,
            TransferLimits limits) {}

    /** Transfers under way, and how many of them one user's jobs may have. */
    record Slots(Semaphore downloads, Semaphore uploads, PerUserLimit readers, PerUserLimit writers) {
        Slots(TransferLimits limits) {
            this(
                    new Semaphore(limits.downloads()),
                    new Semaphore(limits.uploads()),
                    PerUserLimit.leavingAQuarterOf(limits.downloads()),
                    PerUserLimit.leavingAQuarterOf(limits.uploads()));
        }
    }

    /** The work of one request, or of one step of it. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    /** One call of a request, and what the transfer holds. */
    record Transfer(HttpServletRequest request, HttpServletResponse response, Place place) {}

    /** The work of one request in its place. */
    @FunctionalInterface
    interface Work {
        void run(Transfer transfer) throws IOException;
    }

    /** Answers a request whose bytes all came. */
    @FunctionalInterface
    interface Receipts {
        /** 201 when the file is complete, 202 when more is to come. */
        Receipts BY_SIZE = (response, present) -> {
            response.setHeader("Upload-Complete", present.complete() ? "?1" : "?0");
            JsonResponse.send(
                    response,
                    present.complete() ? HttpServletResponse.SC_CREATED : HttpServletResponse.SC_ACCEPTED,
                    Map.of("size", present.size()));
        };

        void send(HttpServletResponse response, Uploads.Present present) throws IOException;
    }

    /** What a transfer holds while it is under way, also while its request waits and comes again; given back once, in the reverse order. */
    static final class Place {
        private final Deque<Runnable> held = new ArrayDeque<>();
        private boolean kept;
        private boolean shared;
        /** Of an upload that waits for a checksum. */
        private Uploads.Receipt arrived;

        /** Something more that is to be given back. */
        void holds(Runnable giveBack) {
            held.push(giveBack);
        }

        /** The transfer continues when the servlet has returned, and frees its place itself. */
        void keep() {
            kept = true;
        }

        void leave() {
            while (!held.isEmpty()) {
                held.pop().run();
            }
        }
    }

    protected final transient Tools tools;

    SandboxServlet(Tools tools, String... methods) {
        super(methods);
        this.tools = tools;
    }

    protected final void reading(HttpServletRequest request, HttpServletResponse response, Work work)
            throws IOException {
        answer(tools.slots().downloads(), "too many downloads at once", request, response, work);
    }

    protected final void writing(HttpServletRequest request, HttpServletResponse response, Work work)
            throws IOException {
        answer(tools.slots().uploads(), "too many uploads at once", request, response, work);
    }

    private void answer(
            Semaphore slots, String full, HttpServletRequest request, HttpServletResponse response, Work work)
            throws IOException {
        RequestContext context = Exchange.of(request).context();
        Place place = context.kept(Place.class);
        if (place == null) {
            if (!slots.tryAcquire()) {
                error(request, response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, full, -1);
                return;
            }
            place = new Place();
            place.holds(slots::release);
            context.keep(place);
        }
        Place own = place;
        own.kept = false;
        boolean done = false;
        try {
            Transfer transfer = new Transfer(request, response, own);
            done = answered(transfer, () -> work.run(transfer));
        } finally {
            if (!done || !own.kept) {
                context.keep(null);
                own.leave();
            }
        }
    }

    /** Does a step; sends its error and returns false when it fails. */
    private boolean answered(Transfer transfer, Step step) throws IOException {
        try {
            step.run();
            return true;
        } catch (RuntimeException e) {
            refuse(transfer.request(), transfer.response(), e);
            return false;
        }
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, RuntimeException failure)
            throws IOException {
        RuntimeException shown = HttpFaults.ofFile(failure);
        if (shown != failure && shown instanceof Refusal refusal) {
            if (refusal.status() >= HttpServletResponse.SC_INTERNAL_SERVER_ERROR
                    && refusal.status() != HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
                log.warn("Sandbox file: {}", failure.getMessage());
            }
            error(request, response, refusal.status(), refusal.getMessage(), refusal.presentSize());
            return;
        }
        if (HttpFaults.code(failure) == FaultCode.INTERNAL) {
            log.error("Cannot serve {} {}", request.getMethod(), request.getPathInfo(), failure);
        }
        long present = failure instanceof Refusal own ? own.presentSize() : -1;
        error(request, response, BearerChallenge.apply(response, failure), HttpFaults.text(failure), present);
    }

    /** Sends an error; nothing happens when the response has begun. */
    private void error(
            HttpServletRequest request, HttpServletResponse response, int status, String reason, long present)
            throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        if (status == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
            response.setHeader("Retry-After", "1");
        }
        if (present >= 0) {
            response.setHeader("Upload-Offset", Long.toString(present));
        }
        writeError(request, response, status, reason, present);
    }

    /**
     * Writes an error as the servlet's clients know them.
     *
     * @param present bytes that are there; -1 where that means nothing
     */
    protected void writeError(
            HttpServletRequest request, HttpServletResponse response, int status, String reason, long present)
            throws IOException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("status", status);
        body.put("error", reason);
        if (present >= 0) {
            body.put("size", present);
        }
        JsonResponse.send(response, status, body);
    }

    /** Takes a part of the readers' places, if the user whose jobs' files are read has not its part already. */
    protected final void share(SandboxSide side, Place place) {
        share(tools.slots().readers(), side, place);
    }

    /** Takes a part, if the user whose jobs' files move has not its part already. */
    private static void share(PerUserLimit shares, SandboxSide side, Place place) {
        if (place.shared) {
            return;
        }
        PerUserLimit.Permit part = shares.tryAcquire(side.person())
                .orElseThrow(() -> new Refusal(
                        503, "too many transfers of this user's jobs at once, at most " + shares.ofOneUser()));
        place.holds(part::close);
        place.shared = true;
    }

    /** Answers GET: the list of a side, or one of its files. */
    protected final void get(Transfer transfer, SandboxSide side, String file) throws IOException {
        share(side, transfer.place());
        if (file.isEmpty()) {
            JsonResponse.send(
                    transfer.response(),
                    HttpServletResponse.SC_OK,
                    Map.of("files", tools.files().list(side.account(), side.files())));
            return;
        }
        send(transfer, side, file);
    }

    /** Sends a file; the share is taken. */
    protected final void send(Transfer transfer, SandboxSide side, String file) throws IOException {
        ResponseSource parts =
                tools.downloads().send(transfer.request(), transfer.response(), side.account(), side.file(file));
        if (parts != null) {
            stream(transfer, parts);
        }
    }

    /**
     * Removes a file, or a folder with all that lies in it.
     *
     * @param open finds the side, and throws when its files may not be changed any more
     */
    protected final void remove(HttpServletRequest request, Supplier<SandboxSide> open, String file) {
        Preconditions conditions = Preconditions.of(request);
        tools.uploads().remove(open.get(), file, () -> {
            SandboxSide side = open.get();
            conditions.check(() -> tools.files().stat(side.account(), side.file(file)));
        });
    }

    /** Sends a response in parts, which keeps its place until its client has it or has gone. */
    protected static void stream(Transfer transfer, ResponseSource parts) {
        transfer.place().keep();
        Exchange.of(transfer.request()).stream(new ResponseSource() {
            @Override
            public boolean next(OutputStream out) throws IOException {
                return parts.next(out);
            }

            @Override
            public void close() {
                transfer.place().leave();
            }
        });
    }

    /** Answers HEAD: of a file that is arriving, how much of it is there. */
    protected final void head(Transfer transfer, SandboxSide side, String file) {
        var part = tools.files().stat(side.account(), side.part(file));
        if (part.isEmpty()) {
            share(side, transfer.place());
            describe(transfer, side, file);
            return;
        }
        transfer.response().setHeader("Cache-Control", "no-store");
        transfer.response().setHeader("Upload-Complete", "?0");
        transfer.response().setContentLengthLong(part.get().size());
    }

    /** Describes a file that is whole; the share is taken. The request may wait for its checksum. */
    protected final void describe(Transfer transfer, SandboxSide side, String file) {
        if (!tools.downloads().describe(transfer, side.account(), side.file(file))) {
            transfer.place().keep();
        }
    }

    /**
     * Answers PUT.
     *
     * @param stillOpen throws when uploads have ended meanwhile
     */
    protected final void put(
            Transfer transfer, String file, SandboxSide side, long maxBytes, Runnable stillOpen, Receipts receipts)
            throws IOException {
        HttpServletRequest request = transfer.request();
        Place place = transfer.place();
        if (place.arrived != null) {
            receipts.send(transfer.response(), place.arrived.end());
            return;
        }
        UploadPart part = UploadPart.of(request.getHeader("Content-Range"), request.getContentLengthLong());
        Preconditions conditions = Preconditions.of(request);
        Uploads.Upload upload = new Uploads.Upload(side, file, part, Digests.of(request), maxBytes, () -> {
            stillOpen.run();
            conditions.check(() -> tools.files().stat(side.account(), side.file(file)));
        });
        share(tools.slots().writers(), side, place);
        Uploads.Receipt receipt = tools.uploads().begin(upload);
        place.holds(receipt::close);
        Exchange.of(request).receive(new Arrival(transfer, receipt, receipts));
        place.keep();
    }

    /** A file on its way in. */
    private final class Arrival implements BodySink {
        private final Transfer transfer;
        private final Uploads.Receipt receipt;
        private final Receipts receipts;
        private boolean failed;

        Arrival(Transfer transfer, Uploads.Receipt receipt, Receipts receipts) {
            this.transfer = transfer;
            this.receipt = receipt;
            this.receipts = receipts;
        }

        @Override
        public boolean read(InputStream in) throws IOException {
            boolean[] more = new boolean[1];
            failed = !answered(transfer, () -> more[0] = receipt.read(in));
            return more[0] && !failed;
        }

        @Override
        public boolean end() throws IOException {
            boolean[] waits = new boolean[1];
            try {
                if (!failed) {
                    answered(transfer, () -> waits[0] = !complete());
                }
            } finally {
                if (!waits[0]) {
                    transfer.place().leave();
                }
            }
            return !waits[0];
        }

        private boolean complete() throws IOException {
            FileSums.Asker missing = receipt.arrived();
            if (missing != null) {
                transfer.place().holds(missing::close);
                transfer.place().arrived = receipt;
                if (Exchange.of(transfer.request()).await(missing.found(), PATIENCE, transfer.place()::leave)) {
                    return false;
                }
            }
            receipts.send(transfer.response(), receipt.end());
            return true;
        }

        @Override
        public void broken() {
            try {
                if (!failed) {
                    receipt.keep();
                }
            } catch (RuntimeException e) {
                log.warn("What came of an upload that broke off could not be kept: {}", e.getMessage());
            } finally {
                transfer.place().leave();
            }
        }
    }

    /** A conflict with the job's state. */
    protected static Refusal closed(JobSandbox sandbox, String words) {
        return closed(HttpServletResponse.SC_CONFLICT, sandbox, words);
    }

    /** The same by another status. */
    protected static Refusal closed(int status, JobSandbox sandbox, String words) {
        return new Refusal(
                FaultCode.STATUS_INVALID,
                status,
                "the job is " + sandbox.state().wireName() + ": " + words);
    }
}
