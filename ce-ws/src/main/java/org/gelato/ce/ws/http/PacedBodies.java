package org.gelato.ce.ws.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the time in which a client holds a request thread with the body of its request, whichever servlet reads it and
 * whether one does: a body that comes too slowly is answered with 408, and what a servlet left unread is read within the
 * patience, up to a limit, for a client that only reads when it has sent everything would see a broken connection in the
 * place of the reason. The container alone waits anew for each byte. Called on request threads; holds no state of a request.
 */
public final class PacedBodies implements Filter {
    private static final Logger log = LoggerFactory.getLogger(PacedBodies.class);
    private static final int MAX_DROPPED_BYTES = 2 << 20;
    /** Files are large, and their clients seldom look before they have sent everything. */
    private static final int MAX_DROPPED_BYTES_OF_FILE = 64 << 20;

    private final Pace.Slowest slowest;
    private final LongSupplier nanos;

    /** @param nanos a clock that never goes back, in nanoseconds */
    public PacedBodies(Pace.Slowest slowest, LongSupplier nanos) {
        this.slowest = slowest;
        this.nanos = nanos;
    }

    /** Puts it before all servlets. */
    void addTo(ServletContext context) {
        FilterRegistration.Dynamic registration = context.addFilter("paced-bodies", this);
        registration.setAsyncSupported(true);
        registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest asked = (HttpServletRequest) request;
        try {
            chain.doFilter(new Paced(asked, new Pace(slowest, nanos)), response);
            drop(asked, response);
        } catch (Pace.TooSlow e) {
            log.info("{} {} is given up: {}", asked.getMethod(), asked.getServletPath(), e.getMessage());
            HttpServletResponse answer = (HttpServletResponse) response;
            if (!answer.isCommitted()) {
                answer.reset();
                answer.setHeader("Connection", "close");
                JsonAnswer.error(answer, HttpServletResponse.SC_REQUEST_TIMEOUT, e.getMessage());
            }
        }
    }

    /**
     * Reads the rest after the answer has been sent, as far as it has been made. A client that asked first has sent nothing
     * and will not. One that is gone or takes too long has got its answer: its connection alone ends.
     */
    private void drop(HttpServletRequest request, ServletResponse response) throws IOException {
        if (request.isAsyncStarted() || request.getHeader("Expect") != null) {
            return;
        }
        ServletInputStream rest = request.getInputStream();
        if (rest.isFinished()) {
            return;
        }
        response.flushBuffer();
        try {
            int most = "PUT".equals(request.getMethod()) ? MAX_DROPPED_BYTES_OF_FILE : MAX_DROPPED_BYTES;
            new Pace(slowest.atOnce(), nanos).of(rest).skip(most);
        } catch (IOException e) {
            log.debug(
                    "The rest of {} {} is not read: {}", request.getMethod(), request.getServletPath(), e.getMessage());
        }
    }

    /** A request whose body is read in time. */
    private static final class Paced extends HttpServletRequestWrapper {
        private final Pace pace;
        private Body body;

        Paced(HttpServletRequest request, Pace pace) {
            super(request);
            this.pace = pace;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (body == null) {
                ServletInputStream in = super.getInputStream();
                body = new Body(in, pace.of(in));
            }
            return body;
        }

        @Override
        public BufferedReader getReader() throws IOException {
            String charset = getCharacterEncoding() == null ? StandardCharsets.UTF_8.name() : getCharacterEncoding();
            return new BufferedReader(new InputStreamReader(getInputStream(), charset));
        }
    }

    private static final class Body extends ServletInputStream {
        private final ServletInputStream whole;
        private final InputStream paced;

        Body(ServletInputStream whole, InputStream paced) {
            this.whole = whole;
            this.paced = paced;
        }

        @Override
        public int read() throws IOException {
            return paced.read();
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            return paced.read(to, offset, length);
        }

        @Override
        public boolean isFinished() {
            return whole.isFinished();
        }

        @Override
        public boolean isReady() {
            return whole.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            whole.setReadListener(listener);
        }
    }
}
