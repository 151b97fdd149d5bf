package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.sandbox.JobSandbox;

/** One side of jobs' sandboxes, by {@code /<job>/<file>}: the owner, administrators and the job's wrapper read it. */
abstract class SideServlet extends SandboxServlet {
    private static final long serialVersionUID = 1L;

    private final long most;

    /** @param most bytes of a file that is brought */
    SideServlet(Tools tools, long most, String... methods) {
        super(tools, methods);
        this.most = most;
    }

    /** The side of a job's sandbox. */
    abstract SandboxSide side(JobSandbox sandbox);

    /** The sandbox of a job to whoever may change this side of it; fails for others, and when it may not change any more. */
    abstract JobSandbox open(HttpServletRequest request, JobId job);

    private SandboxSide readable(HttpServletRequest request, Target target) {
        return side(tools.clients().either(request, target.job()));
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        reading(request, response, transfer -> {
            Target target = Target.of(request);
            get(transfer, readable(request, target), target.file());
        });
    }

    @Override
    protected void doHead(HttpServletRequest request, HttpServletResponse response) throws IOException {
        reading(request, response, transfer -> {
            Target target = Target.ofFile(request);
            head(transfer, readable(request, target), target.file());
        });
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        writing(request, response, transfer -> {
            Target target = Target.ofFile(request);
            SandboxSide side = side(open(request, target.job()));
            // The job may start or end meanwhile; then this side of it must not change any more.
            put(transfer, target.file(), side, most, () -> side(open(request, target.job())), Receipts.BY_SIZE);
        });
    }
}
