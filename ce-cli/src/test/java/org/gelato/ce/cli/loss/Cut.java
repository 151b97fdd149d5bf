package org.gelato.ce.cli.loss;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import javax.net.ssl.SSLSocket;

/** Where the connection of a call is cut, or what a gateway puts in place of the response. */
enum Cut {
    BEFORE_THE_REQUEST_ARRIVED(false),
    BEFORE_THE_RESPONSE(true),
    WITHIN_THE_HEADERS(true) {
        @Override
        boolean write(SSLSocket socket, Http.Response response) throws IOException {
            byte[] head = response.head("Content-Length: " + response.body().length);
            socket.getOutputStream().write(head, 0, head.length / 2);
            return false;
        }
    },
    /** The end of the connection below TLS, after one of its records was carried whole. */
    BETWEEN_TWO_TLS_RECORDS(true) {
        @Override
        boolean write(SSLSocket socket, Http.Response response) throws IOException {
            half(socket, response, announced(response));
            return false;
        }
    },
    /** As a gateway ends it that has lost its own connection. */
    WITHIN_THE_BODY_BY_AN_END_OF_TLS(true) {
        @Override
        boolean write(SSLSocket socket, Http.Response response) throws IOException {
            half(socket, response, announced(response));
            socket.close();
            return false;
        }
    },
    WITHIN_CHUNKS(true) {
        @Override
        boolean write(SSLSocket socket, Http.Response response) throws IOException {
            OutputStream out = socket.getOutputStream();
            byte[] body = response.body();
            int half = body.length / 2;
            out.write(response.head("Transfer-Encoding: chunked"));
            if (half > 0) {
                out.write((Integer.toHexString(half) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                out.write(body, 0, half);
                out.write("\r\n".getBytes(StandardCharsets.ISO_8859_1));
            }
            return false;
        }
    },
    /** Whole for HTTP. */
    BODY_NOT_WELL_FORMED(true) {
        @Override
        boolean write(SSLSocket socket, Http.Response response) throws IOException {
            return whole(
                    socket,
                    new Http.Response(
                            response.status(),
                            response.type(),
                            response.location(),
                            response.fault(),
                            Arrays.copyOf(response.body(), response.body().length / 2)));
        }
    },
    BAD_GATEWAY(true) {
        @Override
        boolean write(SSLSocket socket, Http.Response response) throws IOException {
            return whole(socket, Http.Response.of(502, "text/html", "<html>Bad Gateway</html>"));
        }
    },
    GATEWAY_TIMEOUT(true) {
        @Override
        boolean write(SSLSocket socket, Http.Response response) throws IOException {
            return whole(socket, Http.Response.of(504, "text/html", "<html>Gateway Timeout</html>"));
        }
    },
    /** After its work, or within it. */
    ERROR_OF_THE_CE(true) {
        @Override
        boolean write(SSLSocket socket, Http.Response response) throws IOException {
            return whole(
                    socket,
                    response.type().startsWith("text/xml")
                            ? MemoryCe.internalError()
                            : Http.Response.of(500, "text/plain", "internal error"));
        }
    },
    /** The CE takes no calls: nothing was done. */
    UNAVAILABLE(false) {
        @Override
        boolean write(SSLSocket socket, Http.Response response) throws IOException {
            return whole(socket, Http.Response.of(503, "text/plain", "busy"));
        }
    },
    AFTER_THE_RESPONSE(true) {
        @Override
        boolean write(SSLSocket socket, Http.Response response) throws IOException {
            whole(socket, response);
            return false;
        }
    };

    /** After which a client cannot know what became of its call. */
    static final Set<Cut> LOSSES = EnumSet.complementOf(EnumSet.of(UNAVAILABLE, AFTER_THE_RESPONSE));

    /** Whether the CE does what the call asks. */
    final boolean arrives;

    Cut(boolean arrives) {
        this.arrives = arrives;
    }

    /**
     * Writes what comes of a response.
     *
     * @param response null where the request did not arrive
     * @return whether the connection goes on
     */
    boolean write(SSLSocket socket, Http.Response response) throws IOException {
        return false;
    }

    private static void half(SSLSocket socket, Http.Response response, int announced) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(response.head("Content-Length: " + announced));
        out.write(response.body(), 0, response.body().length / 2);
    }

    /** More than there is where there is nothing. */
    private static int announced(Http.Response response) {
        return Math.max(2, response.body().length);
    }

    static boolean whole(SSLSocket socket, Http.Response response) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(response.head("Content-Length: " + response.body().length));
        out.write(response.body());
        return true;
    }
}
