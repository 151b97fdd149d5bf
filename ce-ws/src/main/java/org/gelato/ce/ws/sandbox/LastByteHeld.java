package org.gelato.ce.ws.sandbox;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;

/**
 * An answer whose last byte waits for {@link #finish}. The container sends an answer on as soon as all announced bytes are
 * written; a client that has it comes again at once, and must not be refused because its own last transfer still held a place.
 * For one thread.
 */
final class LastByteHeld extends HttpServletResponseWrapper {
    private static final int NONE = -1;

    private Out out;

    LastByteHeld(HttpServletResponse response) {
        super(response);
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (out == null) {
            out = new Out(super.getOutputStream());
        }
        return out;
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        if (out != null) {
            out.held = NONE;
        }
    }

    /** Sends the byte that was held back, if any. */
    void finish() throws IOException {
        if (out != null) {
            out.pass();
        }
    }

    private static final class Out extends ServletOutputStream {
        private final ServletOutputStream to;
        private int held = NONE;

        Out(ServletOutputStream to) {
            this.to = to;
        }

        void pass() throws IOException {
            if (held != NONE) {
                int b = held;
                held = NONE;
                to.write(b);
            }
        }

        @Override
        public void write(int b) throws IOException {
            pass();
            held = b & 0xff;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length > 0) {
                pass();
                to.write(bytes, offset, length - 1);
                held = bytes[offset + length - 1] & 0xff;
            }
        }

        @Override
        public void flush() throws IOException {
            to.flush();
        }

        @Override
        public boolean isReady() {
            return to.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            to.setWriteListener(listener);
        }
    }
}
