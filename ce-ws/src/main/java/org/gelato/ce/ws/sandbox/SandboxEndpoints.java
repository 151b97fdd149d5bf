package org.gelato.ce.ws.sandbox;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.admission.DiskSpace;
import org.gelato.ce.core.sandbox.Sandboxes;
import org.gelato.ce.core.sandbox.UploadedBytes;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.ServicePath;

/** Puts the endpoints of this package into a web application when it starts. */
public final class SandboxEndpoints implements ServletContextListener {
    private final SandboxServlet.Tools tools;

    public SandboxEndpoints(
            Sandboxes sandboxes,
            CallerResolver callers,
            AccountCommands accounts,
            UploadedBytes uploaded,
            DiskSpace room,
            TransferLimits limits) {
        SandboxFiles files = new SandboxFiles(accounts);
        FileSums sums = new FileSums(files);
        tools = new SandboxServlet.Tools(
                new SandboxClients(sandboxes, callers),
                files,
                new Downloads(files, sums),
                new Uploads(files, sums, new UploadBudget(uploaded, room, limits.maxOfUser()), limits.maxFiles()),
                new SandboxServlet.Slots(limits),
                limits);
    }

    /** The same files as session directories of another protocol; with the same bounds on transfers. */
    public SessionFiles sessions() {
        return new SessionFiles(tools);
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        HttpEndpoints.add(context, "input", new InputServlet(tools), ServicePath.in(context, "/ce-cream/input/*"));
        HttpEndpoints.add(context, "output", new OutputServlet(tools), ServicePath.in(context, "/ce-cream/output/*"));
        HttpEndpoints.add(context, "proxy", new ProxyServlet(tools), ServicePath.in(context, "/ce-cream/proxy/*"));
    }
}
