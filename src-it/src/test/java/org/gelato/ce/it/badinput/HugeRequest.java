package org.gelato.ce.it.badinput;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;

/**
 * A SOAP call that is too large, sent by a client that reads the response before the end, as the CE need not read it to
 * refuse it.
 */
final class HugeRequest implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *([0-9]+)");
    private static final int PIECE = 1 << 16;

    private final SSLSocket socket;
    private final OutputStream out;
    private final boolean chunked;
    private final byte[] piece = new byte[PIECE];
    private long left;

    /** @param announced whether the length is in the header; in chunks of 64 KiB otherwise */
    HugeRequest(RawClient client, long bytes, boolean announced) throws IOException {
        socket = client.connect();
        out = socket.getOutputStream();
        chunked = !announced;
        left = bytes;
        Arrays.fill(piece, (byte) 'x');
        out.write(("POST " + RawClient.CREAM2 + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\n"
                        + (announced ? "Content-Length: " + bytes : "Transfer-Encoding: chunked") + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        byte[] start = ("<s:Envelope xmlns:s=\"" + RawClient.SOAP + "\"><s:Body><t:JobRegisterRequest xmlns:t=\""
                        + RawClient.TYPES + "\"><t:jobDescriptionList><t:JDL>")
                .getBytes(StandardCharsets.US_ASCII);
        write(start, start.length);
    }

    /** Sends more of the text of one element. */
    void send(long bytes) throws IOException {
        for (long rest = bytes; rest > 0; rest -= PIECE) {
            write(piece, (int) Math.min(PIECE, rest));
        }
    }

    /** Sends what is left. */
    void sendAll() throws IOException {
        send(left);
    }

    private void write(byte[] bytes, int length) throws IOException {
        if (chunked) {
            out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        out.write(bytes, 0, length);
        if (chunked) {
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        out.flush();
        left -= length;
    }

    /** The response, header and body. */
    String response() throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        while (!header.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed without a response: " + header);
            }
            header.write(b);
        }
        String head = header.toString(StandardCharsets.US_ASCII);
        Matcher length = LENGTH.matcher(head);
        if (!length.find()) {
            throw new IOException("a response without length: " + head);
        }
        return head + new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
