package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.JobSandbox;

/**
 * {@code /ce-cream/input/<job>/<file>}: the owner brings and removes files while the job is REGISTERED; the owner,
 * administrators and the job's wrapper read them.
 */
final class InputServlet extends SandboxServlet {
    private static final long serialVersionUID = 1L;

    InputServlet(Tools tools) {
        super(tools, "GET", "HEAD", "PUT", "DELETE");
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        reading(request, response, place -> {
            Target target = Target.of(request);
            get(request, response, place, side(request, target), target.file());
        });
    }

    @Override
    protected void doHead(HttpServletRequest request, HttpServletResponse response) throws IOException {
        reading(request, response, place -> {
            Target target = Target.ofFile(request);
            head(request, response, place, side(request, target), target.file());
        });
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        writing(request, response, place -> {
            Target target = Target.ofFile(request);
            SandboxSide side = open(request, target.job());
            // A client may start the job meanwhile; then its input must not change any more.
            put(
                    request,
                    response,
                    place,
                    target.file(),
                    side,
                    tools.limits().maxInput(),
                    () -> open(request, target.job()),
                    Receipts.BY_SIZE);
        });
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        writing(request, response, place -> {
            Target target = Target.ofFile(request);
            remove(request, () -> open(request, target.job()), target.file());
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        });
    }

    private SandboxSide side(HttpServletRequest request, Target target) {
        return SandboxSide.input(tools.clients().either(request, target.job()));
    }

    private SandboxSide open(HttpServletRequest request, JobId job) {
        JobSandbox sandbox = tools.clients().owner(request, job);
        if (sandbox.state() != JobState.REGISTERED) {
            throw closed(sandbox, "its input can be changed only while it is REGISTERED");
        }
        return SandboxSide.input(sandbox);
    }
}
