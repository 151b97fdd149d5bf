package org.gelato.ce.ws.soap.gate;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.web.HttpFaults;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the responses of operations that stream them, the next slice when the client has taken the one before. Metro reads the request and calls the operation as any other, and its own
 * answer, an empty one, goes nowhere. A response that fails before anything of it was sent becomes a fault; later the connection
 * is ended, without the end of the chunked body, so that no client takes a part for the whole. Thread-safe.
 */
final class StreamedResponses {
    private static final Logger log = LoggerFactory.getLogger(StreamedResponses.class);

    /** Bytes in memory before anything is sent: what fails until then is still a fault. */
    private static final int AT_FIRST = 16 << 10;

    /** Request attribute by which the invoker hands a response over. */
    private static final String ATTRIBUTE = StreamedResponse.class.getName();

    private final FaultWriter faults = new FaultWriter();

    /** Hands a response over to be sent after Metro's. */
    static void hand(ServletRequest request, StreamedResponse response) {
        request.setAttribute(ATTRIBUTE, response);
    }

    /** Serves a call, by Metro unless its request is a list, and sends the response when it is streamed. */
    void serve(
            FilterChain chain, GatedRequest request, HttpServletResponse response, SoapService service, SoapCall call)
            throws IOException, ServletException {
        if (!call.listed().isEmpty()) {
            serveListed(request, response, service, call);
            return;
        }
        chain.doFilter(request, new MetrosResponse(request, response));
        if (request.getAttribute(ATTRIBUTE) instanceof StreamedResponse answer) {
            request.removeAttribute(ATTRIBUTE);
            send(new ResponseEnvelope(request.version(), answer), request, response, service, call);
        }
    }

    private void serveListed(GatedRequest request, HttpServletResponse response, SoapService service, SoapCall call)
            throws IOException {
        StreamedResponse answer;
        try {
            answer = service.listed(call);
        } catch (RuntimeException e) {
            SoapFault fault = service.fault(call.operation(), e);
            SoapGate.failed(request, fault);
            faults.answer(response, fault, request.version());
            return;
        }
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType(request.version().mediaType() + ";charset=utf-8");
        send(new ResponseEnvelope(request.version(), answer), request, response, service, call);
    }

    private void send(
            StreamedResponse answer,
            GatedRequest request,
            HttpServletResponse response,
            SoapService service,
            SoapCall call)
            throws IOException {
        boolean more = true;
        Counted out = new Counted(response.getOutputStream());
        try {
            while (more && out.written < AT_FIRST) {
                more = answer.writeNext(out);
            }
        } catch (RuntimeException e) {
            response.resetBuffer();
            faults.answer(response, service.fault(call.operation(), e), request.version());
            return;
        }
        if (more) {
            Exchange.of(request).stream(to -> next(answer, to, service, call));
        }
    }

    private static final class Counted extends FilterOutputStream {
        private long written;

        Counted(OutputStream to) {
            super(to);
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            written++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            written += length;
        }
    }

    private static boolean next(StreamedResponse response, OutputStream out, SoapService service, SoapCall call)
            throws IOException {
        try {
            return response.writeNext(out);
        } catch (RuntimeException e) {
            log.warn(
                    "The response to {} of {} is broken off, as it could not be read to its end: {}",
                    call.operation(),
                    call.caller().identity().subject(),
                    service.fault(call.operation(), e).text());
            throw new IOException("the response to " + call.operation() + " is broken off", e);
        }
    }

    /** Takes Metro's response where another is sent in its place. */
    private static final class MetrosResponse extends HttpServletResponseWrapper {
        private final ServletRequest request;

        MetrosResponse(ServletRequest request, HttpServletResponse response) {
            super(response);
            this.request = request;
        }

        /** Metro knows one status of faults. */
        @Override
        public void setStatus(int status) {
            if (status == SC_INTERNAL_SERVER_ERROR && SoapGate.fault(request) != null) {
                HttpFaults.mark(this, SoapGate.fault(request));
                super.setStatus(FaultWriter.status(SoapGate.fault(request)));
            } else {
                super.setStatus(status);
            }
        }

        private boolean isReplaced() {
            return request.getAttribute(ATTRIBUTE) != null;
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            return isReplaced() ? new Nowhere() : super.getOutputStream();
        }

        @Override
        public void flushBuffer() throws IOException {
            if (!isReplaced()) {
                super.flushBuffer();
            }
        }
    }

    private static final class Nowhere extends ServletOutputStream {
        @Override
        public void write(int b) {
            // not sent
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            // not sent
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new IllegalStateException("nothing is sent here");
        }
    }
}
