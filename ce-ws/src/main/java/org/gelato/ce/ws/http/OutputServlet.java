package org.gelato.ce.ws.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.FilePart;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobOutput;
import org.gelato.ce.core.job.ServiceException;
import org.gelato.ce.ws.CeServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /ce-cream/output/<job>/} lists the files of a job's output sandbox, {@code GET .../<job>/<file>} sends one;
 * a single byte range is honoured. Only the job's owner and administrators see them; for anybody else the job does not
 * exist. Each transfer holds a thread, so their number is bounded and the next client is told to come again.
 */
final class OutputServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger log = LoggerFactory.getLogger(OutputServlet.class);
    private static final Pattern UNSAFE = Pattern.compile("[/\\\\\\p{Cntrl}]");
    private static final int RANGE_NOT_SATISFIABLE = HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE;
    private static final int FIRST_PART = 1 << 20;

    private final transient CeServices services;
    private final transient OutputFiles files;
    private final transient Semaphore downloads;

    OutputServlet(CeServices services, int downloads) {
        this.services = services;
        this.files = new OutputFiles(services.accounts());
        this.downloads = new Semaphore(downloads);
    }

    /** What the path asks for; {@code file} is empty for the list. */
    private record Target(JobId job, String file) {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request, response, true);
    }

    @Override
    protected void doHead(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request, response, false);
    }

    private void answer(HttpServletRequest request, HttpServletResponse response, boolean body) throws IOException {
        if (!downloads.tryAcquire()) {
            JsonAnswer.busy(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "too many downloads at once");
            return;
        }
        try {
            Caller caller = services.callers().resolve(request);
            Optional<Target> target = target(request.getPathInfo());
            if (target.isEmpty()) {
                JsonAnswer.error(
                        response, HttpServletResponse.SC_BAD_REQUEST, "expected /<job id>/ or /<job id>/<file name>");
                return;
            }
            JobOutput output = services.jobs().output(caller, target.get().job());
            if (target.get().file().isEmpty()) {
                JsonAnswer.send(response, HttpServletResponse.SC_OK, Map.of("files", files.list(output)));
            } else {
                sendFile(request, response, output, target.get().file(), body);
            }
        } catch (ServiceException.NotAuthorized e) {
            JsonAnswer.error(response, HttpServletResponse.SC_FORBIDDEN, e.getMessage());
        } catch (ServiceException.InvalidArgument e) {
            JsonAnswer.error(response, HttpServletResponse.SC_NOT_FOUND, "no such job");
        } catch (AccountCommandException e) {
            refuse(response, e);
        } catch (ChannelLostException e) {
            JsonAnswer.busy(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the helper restarts, try again");
        } catch (RuntimeException e) {
            log.error("Cannot send output {}", request.getPathInfo(), e);
            JsonAnswer.error(response, HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "internal error");
        } finally {
            downloads.release();
        }
    }

    private static Optional<Target> target(String pathInfo) {
        String path = pathInfo == null ? "" : pathInfo.substring(1);
        int slash = path.indexOf('/');
        String job = slash < 0 ? path : path.substring(0, slash);
        String file = slash < 0 ? "" : path.substring(slash + 1);
        boolean unsafe = UNSAFE.matcher(file).find() || file.equals(".") || file.contains("..") || file.length() > 255;
        return unsafe ? Optional.empty() : JobId.parse(job).map(id -> new Target(id, file));
    }

    private void sendFile(
            HttpServletRequest request, HttpServletResponse response, JobOutput output, String name, boolean body)
            throws IOException {
        // If-Range cannot hold: these files have no validator (RFC 9110 section 13.1.5).
        String wanted = request.getHeader("If-Range") == null ? request.getHeader("Range") : null;
        FilePart first = files.first(output, name, body && wanted == null ? FIRST_PART : 1);
        response.setContentType("application/octet-stream");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Accept-Ranges", "bytes");
        ByteRange range;
        try {
            Optional<ByteRange> part = ByteRange.parse(wanted, first.size());
            range = part.orElse(new ByteRange(0, first.size()));
            if (part.isPresent()) {
                response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
                response.setHeader(
                        "Content-Range", "bytes " + range.first() + "-" + (range.end() - 1) + "/" + first.size());
            }
        } catch (ByteRange.Unsatisfiable e) {
            response.setHeader("Content-Range", "bytes */" + first.size());
            JsonAnswer.error(response, RANGE_NOT_SATISFIABLE, "the file has " + first.size() + " bytes");
            return;
        }
        response.setContentLengthLong(range.length());
        if (body) {
            // The answer breaks off when the file cannot be read on: fewer bytes than announced tell the client so.
            files.send(output, name, range, first.content(), response.getOutputStream());
        }
    }

    private static void refuse(HttpServletResponse response, AccountCommandException e) throws IOException {
        switch (e.code()) {
            case NO_SUCH_FILE -> JsonAnswer.error(response, HttpServletResponse.SC_NOT_FOUND, "no such file");
            case REFUSED -> JsonAnswer.error(response, HttpServletResponse.SC_FORBIDDEN, "not a plain file");
            case BUSY -> JsonAnswer.busy(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "busy, try again");
            case FAILED -> {
                log.warn("Cannot read output: {}", e.getMessage());
                JsonAnswer.error(response, HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "the file cannot be read");
            }
        }
    }
}
