package org.gelato.ce.ws.soap;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.web.Authentication;

/** A request as Metro is to see it, with its body in memory; what the gate knows of its sender, and how the call ended. */
public final class GatedRequest extends HttpServletRequestWrapper {
    private static final byte[] NO_BYTES = {};

    private byte[] body;
    private final Authentication sender;
    private String operation;
    private FaultCode fault;

    /** A GET for metadata. */
    GatedRequest(HttpServletRequest request) {
        this(request, NO_BYTES, null);
    }

    /**
     * A call.
     *
     * @param sender who calls, or why the call is not to be served, whatever it is
     */
    GatedRequest(HttpServletRequest request, byte[] body, Authentication sender) {
        super(request);
        this.body = body;
        this.sender = sender;
    }

    /** The request as the gate passed it on, whatever filters of a site wrapped it in. */
    public static GatedRequest of(ServletRequest request) {
        ServletRequest inner = request;
        while (!(inner instanceof GatedRequest)) {
            inner = ((ServletRequestWrapper) inner).getRequest();
        }
        return (GatedRequest) inner;
    }

    /** Who calls, or why the call is not to be served, whatever it is. */
    public Authentication sender() {
        return sender;
    }

    /** It names an operation of the service. */
    public void isFor(String name) {
        operation = name;
    }

    /** It ended with a fault. */
    public void failed(FaultCode code) {
        fault = code;
    }

    /** The operation that it names; null when it names none. */
    String operation() {
        return operation;
    }

    /** The fault that it ended with; null for none. */
    public FaultCode fault() {
        return fault;
    }

    /** As the servlet is mapped, though clients double slashes. */
    @Override
    public String getRequestURI() {
        return getContextPath() + getServletPath();
    }

    @Override
    public String getContextPath() {
        return getServletContext().getContextPath();
    }

    /** For any other Metro writes its answer to memory and sets its length, though more may follow. */
    @Override
    public String getProtocol() {
        return "HTTP/1.1";
    }

    /** Metro would complete the exchange itself, and send its response from a thread of its own. */
    @Override
    public boolean isAsyncSupported() {
        return false;
    }

    /** Metro knows this form alone. */
    @Override
    public String getQueryString() {
        return getMethod().equals("GET") ? "wsdl" : super.getQueryString();
    }

    /** In quotes, as Metro logs any other. */
    @Override
    public String getHeader(String name) {
        String value = super.getHeader(name);
        boolean plain = name.equalsIgnoreCase("SOAPAction")
                && value != null
                && !value.strip().startsWith("\"");
        return plain ? '"' + value.strip() + '"' : value;
    }

    /** Once: what was read is not to stay in memory while the response is written. */
    @Override
    public ServletInputStream getInputStream() {
        byte[] once = body;
        body = NO_BYTES;
        return new Body(once);
    }

    private static final class Body extends ServletInputStream {
        private final ByteArrayInputStream in;

        Body(byte[] body) {
            in = new ByteArrayInputStream(body);
        }

        @Override
        public int read() {
            return in.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            return in.read(buffer, offset, length);
        }

        @Override
        public boolean isFinished() {
            return in.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("the body is there already");
        }
    }
}
