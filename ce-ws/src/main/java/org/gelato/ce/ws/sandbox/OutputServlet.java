package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.sandbox.JobSandbox;

/**
 * {@code /ce-cream/output/<job>/<file>}: the job's wrapper brings files until the job has ended; the owner, administrators
 * and the wrapper read them.
 */
final class OutputServlet extends SandboxServlet {
    private static final long serialVersionUID = 1L;

    OutputServlet(Tools tools) {
        super(tools, "GET", "HEAD", "PUT");
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
            put(
                    request,
                    response,
                    place,
                    target.file(),
                    side,
                    tools.limits().maxOutput(),
                    () -> open(request, target.job()),
                    Receipts.BY_SIZE);
        });
    }

    private SandboxSide side(HttpServletRequest request, Target target) {
        return SandboxSide.output(tools.clients().either(request, target.job()));
    }

    private SandboxSide open(HttpServletRequest request, JobId job) {
        JobSandbox sandbox = tools.clients().wrapper(request, job);
        if (sandbox.state().isFinal()) {
            throw closed(sandbox, "it takes no more output");
        }
        return SandboxSide.output(sandbox);
    }
}
