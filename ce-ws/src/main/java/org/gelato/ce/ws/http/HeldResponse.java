package org.gelato.ce.ws.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.ws.web.RequestContext;

/**
 * A response in memory: its writer never waits. {@link Exchange} sends it. Status and headers go to the container's
 * response at once, which stays uncommitted. For one thread at a time.
 */
final class HeldResponse extends HttpServletResponseWrapper {
    private static final int FIRST_PIECE = 4 << 10;
    /** Larger pieces are copied by the container when the client does not take them. */
    private static final int MAX_PIECE = 32 << 10;

    /** What the connector and the filters have said, which holds for whatever the response becomes. */
    private static final List<String> BEFORE_THE_SERVLET = List.of("Connection", RequestContext.HEADER);

    private final Deque<Piece> pieces = new ArrayDeque<>();
    private final Out out = new Out();
    private PrintWriter writer;
    private long size;
    private boolean lengthSet;

    private static final class Piece {
        private final byte[] bytes;
        private int filled;

        Piece(int size) {
            bytes = new byte[size];
        }
    }

    HeldResponse(HttpServletResponse response) {
        super(response);
    }

    /** Bytes written and not sent. */
    long size() {
        if (writer != null) {
            writer.flush();
        }
        return size;
    }

    boolean lengthSet() {
        return lengthSet;
    }

    /** Sends the first piece; there must be one. */
    void sendPiece(ServletOutputStream to) throws IOException {
        Piece piece = pieces.remove();
        size -= piece.filled;
        to.write(piece.bytes, 0, piece.filled);
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return out;
    }

    @Override
    public PrintWriter getWriter() {
        if (writer == null) {
            writer = new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        }
        return writer;
    }

    @Override
    public void flushBuffer() {
        // The answer is sent when it is complete.
    }

    @Override
    public void resetBuffer() {
        pieces.clear();
        size = 0;
        writer = null;
    }

    @Override
    public void reset() {
        resetBuffer();
        lengthSet = false;
        Map<String, String> kept = new LinkedHashMap<>();
        BEFORE_THE_SERVLET.stream().filter(this::containsHeader).forEach(name -> kept.put(name, getHeader(name)));
        super.reset();
        kept.forEach(this::setHeader);
    }

    @Override
    public void setContentLength(int length) {
        lengthSet = true;
        super.setContentLength(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        lengthSet = true;
        super.setContentLengthLong(length);
    }

    /** As the application's error page: the status in plain words, never the message. */
    @Override
    public void sendError(int status) throws IOException {
        JsonResponse.error(this, status, ErrorServlet.words(status));
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        sendError(status);
    }

    private final class Out extends ServletOutputStream {
        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) {
            int at = offset;
            int left = length;
            while (left > 0) {
                Piece last = pieces.peekLast();
                if (last == null || last.filled == last.bytes.length) {
                    last = new Piece(pieces.isEmpty() && left < FIRST_PIECE ? FIRST_PIECE : MAX_PIECE);
                    pieces.add(last);
                }
                int n = Math.min(left, last.bytes.length - last.filled);
                System.arraycopy(from, at, last.bytes, last.filled, n);
                last.filled += n;
                at += n;
                left -= n;
                size += n;
            }
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new IllegalStateException("the response is held in memory and always ready");
        }
    }
}
