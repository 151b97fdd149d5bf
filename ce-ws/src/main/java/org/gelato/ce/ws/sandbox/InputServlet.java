package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.JobSandbox;

/** {@code /ce-cream/input/<job>/<file>}: the owner brings and removes files while the job is REGISTERED. */
final class InputServlet extends SideServlet {
    private static final long serialVersionUID = 1L;

    InputServlet(Tools tools) {
        super(tools, tools.limits().maxInput(), "GET", "HEAD", "PUT", "DELETE");
    }

    @Override
    SandboxSide side(JobSandbox sandbox) {
        return SandboxSide.input(sandbox);
    }

    @Override
    JobSandbox open(HttpServletRequest request, JobId job) {
        JobSandbox sandbox = tools.clients().owner(request, job);
        if (sandbox.state() != JobState.REGISTERED) {
            throw closed(sandbox, "its input can be changed only while it is REGISTERED");
        }
        return sandbox;
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        writing(request, response, transfer -> {
            Target target = Target.ofFile(request);
            remove(request, () -> side(open(request, target.job())), target.file());
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        });
    }
}
