package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.sandbox.JobSandbox;

/** {@code /ce-cream/output/<job>/<file>}: the job's wrapper brings files until the job has ended. */
final class OutputServlet extends SideServlet {
    private static final long serialVersionUID = 1L;

    OutputServlet(Tools tools) {
        super(tools, tools.limits().maxOutput(), "GET", "HEAD", "PUT");
    }

    @Override
    SandboxSide side(JobSandbox sandbox) {
        return SandboxSide.output(sandbox);
    }

    @Override
    JobSandbox open(HttpServletRequest request, JobId job) {
        JobSandbox sandbox = tools.clients().wrapper(request, job);
        if (sandbox.state().isFinal()) {
            throw closed(sandbox, "it takes no more output");
        }
        return sandbox;
    }
}
