package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.gelato.ce.core.sandbox.JobSandbox;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.ws.web.Refusal;

/**
 * {@code GET /ce-cream/proxy/<job>}: the limited proxy or bearer token of a job that has not ended, for its wrapper alone, so that a renewed one
 * reaches a worker node without a shared file system. A secret: neither kept by caches nor logged.
 */
final class ProxyServlet extends SandboxServlet {
    private static final long serialVersionUID = 1L;

    /** Without HEAD: a request for its existence alone would reveal the secret's size, and no client needs it. */
    ProxyServlet(Tools tools) {
        super(tools, "GET");
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        reading(request, response, transfer -> {
            response.setHeader("Cache-Control", "no-store");
            Target target = Target.of(request);
            JobSandbox sandbox = tools.clients().wrapper(request, target.job());
            if (!target.file().isEmpty() || sandbox.proxyFile() == null) {
                throw new Refusal(404, "the job has no delegated proxy any more");
            }
            if (sandbox.state().isFinal()) {
                throw closed(sandbox, "it needs no proxy");
            }
            byte[] proxy = tools.files().read(sandbox.account(), sandbox.proxyFile(), 0, SandboxFiles.PART);
            response.setContentType(
                    SandboxLayout.isToken(sandbox.proxyFile()) ? "application/jwt" : "application/x-pem-file");
            response.setContentLength(proxy.length);
            response.getOutputStream().write(proxy);
        });
    }
}
