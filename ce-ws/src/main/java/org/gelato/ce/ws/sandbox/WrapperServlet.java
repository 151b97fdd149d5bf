package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.ResourceServlet;

/** Takes what job wrappers report: a document that has the job's secret in it, so that no client certificate is needed. */
final class WrapperServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;

    private final int maxBytes;
    private final transient Report report;

    /** What is done with a document of the wrapper. */
    @FunctionalInterface
    interface Report {
        /** @throws org.gelato.ce.core.fault.ServiceException when it is refused */
        void take(byte[] body, HttpServletResponse response) throws IOException;
    }

    WrapperServlet(int maxBytes, Report report) {
        super("POST");
        this.maxBytes = maxBytes;
        this.report = report;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        byte[] body = Exchange.of(request).body(request.getRemoteAddr(), maxBytes);
        if (body != null) {
            report.take(body, response);
        }
    }
}
