package org.gelato.ce.benchmarks;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.CoyoteAdapter;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.OutputBuffer;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.gelato.ce.ws.soap.SoapServices;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * The product's SOAP services in the product's container, which is handed requests by a call where otherwise a socket is
 * read. What they pass is the container's mapping and filters, the gate, Metro and the operations; what is left out is the
 * connection, TLS and the reading and writing of HTTP's heads. Used by one thread; requests come one after another, as on
 * one kept connection.
 */
final class SocketlessServer implements AutoCloseable {
    private final Tomcat tomcat = new Tomcat();
    private final CoyoteAdapter adapter;
    private final Request request = new Request();
    private final Response response = new Response();
    private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
    private byte[] unread;

    /**
     * Starts it; it opens no port.
     *
     * @param home an existing directory of its own
     * @throws IllegalStateException when the services do not start
     */
    SocketlessServer(Path home, SoapServices services) {
        // The container and Metro log as in the product.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        tomcat.setBaseDir(home.toString());
        Context context = tomcat.addContext("", home.toString());
        if (context instanceof StandardContext standard) {
            // Its classes are those of this process: there is nothing to let go of.
            standard.setClearReferencesRmiTargets(false);
            standard.setClearReferencesThreadLocals(false);
        }
        context.addServletContainerInitializer(
                (classes, servletContext) -> {
                    // No connection calls back: a filter that does not support it reports so.
                    FilterRegistration.Dynamic socketless = servletContext.addFilter(
                            "socketless", (request, response, chain) -> chain.doFilter(request, response));
                    socketless.setAsyncSupported(false);
                    socketless.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
                    services.register(servletContext);
                },
                null);
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            throw new IllegalStateException("the container does not start: " + e.getMessage(), e);
        }
        if (!context.getState().isAvailable()) {
            close();
            throw new IllegalStateException("the SOAP services do not start");
        }
        // Never started, and so never bound: the adapter reads its settings alone.
        Connector settings = new Connector();
        settings.setService(tomcat.getService());
        adapter = new CoyoteAdapter(settings);
        request.setResponse(response);
        request.setInputBuffer(new Body());
        response.setOutputBuffer(new Reply());
    }

    /**
     * One POST.
     *
     * @param path as a client sends it
     * @return the body of the response
     * @throws IllegalStateException when the status is not 200
     */
    byte[] post(String path, Map<String, String> headers, byte[] body) {
        try {
            answer.reset();
            unread = body;
            request.setMethod("POST");
            request.protocol().setString("HTTP/1.1");
            request.scheme().setString("https");
            request.serverName().setString("ce.example.org");
            request.setServerPort(8443);
            request.remoteAddr().setString("127.0.0.1");
            byte[] uri = path.getBytes(StandardCharsets.US_ASCII);
            request.requestURI().setBytes(uri, 0, uri.length);
            headers.forEach(
                    (name, value) -> request.getMimeHeaders().addValue(name).setString(value));
            request.getMimeHeaders().addValue("Content-Length").setString(Integer.toString(body.length));
            adapter.service(request, response);
            if (response.getStatus() != 200) {
                throw new IllegalStateException(
                        "the status is " + response.getStatus() + ": " + answer.toString(StandardCharsets.UTF_8));
            }
            return answer.toByteArray();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) { // as the adapter declares it
            throw new IllegalStateException(e);
        } finally {
            request.recycle();
            response.recycle();
        }
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException("the container does not end: " + e.getMessage(), e);
        }
    }

    /** The body of the request, at once. */
    private final class Body implements InputBuffer {
        @Override
        public int doRead(ApplicationBufferHandler handler) {
            if (unread == null) {
                return -1;
            }
            ByteBuffer all = ByteBuffer.wrap(unread);
            unread = null;
            handler.setByteBuffer(all);
            return all.remaining();
        }

        @Override
        public int available() {
            return unread == null ? 0 : unread.length;
        }
    }

    /** Keeps what is written. */
    private final class Reply implements OutputBuffer {
        @Override
        public int doWrite(ByteBuffer chunk) {
            byte[] bytes = new byte[chunk.remaining()];
            chunk.get(bytes);
            answer.write(bytes, 0, bytes.length);
            return bytes.length;
        }

        @Override
        public long getBytesWritten() {
            return answer.size();
        }
    }
}
