package org.gelato.ce.ws.server;

import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.SocketEvent;
import org.gelato.ce.ws.soap.CapturedFault;
import org.gelato.ce.ws.web.ClientConnection;

/**
 * Tomcat's HTTP/1.1, but a connection that carried a SOAP fault stays open ({@link CapturedFault}). Tomcat reads the status
 * twice: before it writes the head, where it sees the other number, which {@link #useCompression} replaces after that
 * read; and when the adapter has returned, where the response is out and a status of 200 stands for it. Its endpoint is
 * {@link GuardedEndpoint}.
 */
public final class FaultKeepingProtocol extends Http11NioProtocol {
    private static final int OK = 200;
    private static final int FAULT = 500;

    private final GuardedEndpoint endpoint;

    /** Called by Tomcat, which makes it by its name. */
    public FaultKeepingProtocol() {
        this(new GuardedEndpoint());
    }

    private FaultKeepingProtocol(GuardedEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    GuardedEndpoint guard() {
        return endpoint;
    }

    @Override
    public boolean useCompression(Request request, Response response) {
        if (response.getStatus() == CapturedFault.STATUS) {
            response.setStatus(FAULT);
            connection(request).sendsFault();
        }
        return super.useCompression(request, response);
    }

    /** Null where the adapter has no request yet, or no more. */
    static ClientConnection connection(Request request) {
        return (ClientConnection) request.getAttribute(ClientConnection.ATTRIBUTE);
    }

    @Override
    public void setAdapter(Adapter adapter) {
        super.setAdapter(new Keeping(adapter));
    }

    /** Returns what the connector knows, and what Tomcat is to see when it reads the status again. */
    private record Keeping(Adapter to) implements Adapter {
        @Override
        public void service(Request request, Response response) throws Exception {
            if (PipeliningLimit.isReached(hasMoreThanItsBody(request))) {
                response.getMimeHeaders().setValue("Connection").setString("close");
            }
            boolean expected = request.hasExpectation();
            request.setAttribute(ClientConnection.ATTRIBUTE, new ClientConnection(() -> {
                if (expected) {
                    request.action(ActionCode.ACK, ContinueResponseTiming.ON_REQUEST_BODY_READ);
                }
            }));
            to.service(request, response);
            show(request, response);
        }

        /** Of a chunked body it is not known; after a length that is none, or two of them, Tomcat ends the connection itself. */
        private static boolean hasMoreThanItsBody(Request request) {
            request.action(ActionCode.AVAILABLE, false);
            try {
                return request.getAvailable() > Math.max(0, request.getContentLengthLong());
            } catch (IllegalArgumentException e) {
                return false;
            }
        }

        private static void show(Request request, Response response) {
            ClientConnection connection = connection(request);
            if (connection != null && connection.faultSent()) {
                response.setStatus(OK);
            }
        }

        @Override
        public boolean prepare(Request request, Response response) throws Exception {
            return to.prepare(request, response);
        }

        @Override
        public boolean asyncDispatch(Request request, Response response, SocketEvent status) throws Exception {
            boolean open = to.asyncDispatch(request, response, status);
            if (open) {
                show(request, response);
            }
            return open;
        }

        @Override
        public void log(Request request, Response response, long time) {
            to.log(request, response, time);
        }

        @Override
        public void checkRecycled(Request request, Response response) {
            to.checkRecycled(request, response);
        }

        @Override
        public String getDomain() {
            return to.getDomain();
        }
    }
}
