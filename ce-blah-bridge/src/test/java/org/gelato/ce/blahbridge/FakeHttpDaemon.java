package org.gelato.ce.blahbridge;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A daemon that speaks HTTP on a Unix socket: a program of its own, which the helper's tests have started. What it does with a
 * request is said by the request's path.
 */
final class FakeHttpDaemon {
    private static final AtomicInteger CONNECTIONS = new AtomicInteger();

    private FakeHttpDaemon() {}

    public static void main(String[] args) throws Exception {
        String last = args[args.length - 1];
        if (args[0].equals("broken")) {
            System.err.println("fatal: no such plugin\n\u0007and more");
            System.exit(1);
        }
        Path path = Path.of(last.substring("unix:".length()));
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path), 64);
        while (true) {
            SocketChannel one = server.accept();
            if (args[0].equals("closing")) {
                one.close();
                continue;
            }
            CONNECTIONS.incrementAndGet();
            Thread thread = new Thread(() -> serve(one, path));
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void serve(SocketChannel channel, Path socket) {
        try (channel) {
            InputStream in = Channels.newInputStream(channel);
            while (answer(channel, in, socket)) {}
        } catch (Exception e) {
            System.err.println(e);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c; (c = in.read()) >= 0; ) {
            if (c == '\n') {
                return text.toString().strip();
            }
            text.append((char) c);
        }
        return null;
    }

    private static boolean answer(SocketChannel channel, InputStream in, Path socket) throws Exception {
        String first = line(in);
        if (first == null) {
            return false;
        }
        int length = 0;
        StringBuilder head = new StringBuilder(first);
        for (String next = line(in); !next.isEmpty(); next = line(in)) {
            head.append('\n').append(next);
            if (next.startsWith("Content-Length: ")) {
                length = Integer.parseInt(next.substring(16));
            }
        }
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        String target = first.split(" ")[1];
        switch (target.split("\\?")[0]) {
            case "/echo" -> say(channel, "200 OK", "", head + "\n\n" + body);
            case "/about" -> say(channel, "200 OK", "", about(socket));
            case "/refuse" -> {
                say(channel, "400 BAD REQUEST", "Connection: Close\r\n", "refused");
                return false;
            }
            case "/unmeasured" -> {
                write(channel, "HTTP/1.1 500 X\r\n\r\nto the end");
                return false;
            }
            case "/hang" -> Thread.sleep(Long.MAX_VALUE);
            case "/die" -> Runtime.getRuntime().halt(7);
            case "/answer-and-die" -> {
                say(channel, "200 OK", "", "last words");
                Runtime.getRuntime().halt(7);
            }
            case "/close" -> {
                return false;
            }
            case "/half" -> {
                write(channel, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
                return false;
            }
            case "/garbage" -> write(channel, "GARBAGE\r\n\r\n");
            case "/big" -> say(channel, "200 OK", "", "x".repeat(Integer.parseInt(body)));
            case "/endless-head" -> {
                write(channel, "HTTP/1.1 200 OK\r\n");
                while (true) {
                    write(channel, "X: " + "y".repeat(1000) + "\r\n");
                }
            }
            case "/nothing" -> write(channel, "HTTP/1.1 304 NOT MODIFIED\r\n\r\n");
            default -> say(channel, "404 NOT FOUND", "", "no such path");
        }
        return true;
    }

    private static String about(Path socket) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("pid=").append(ProcessHandle.current().pid()).append('\n');
        text.append("connections=").append(CONNECTIONS.get()).append('\n');
        text.append("socket=").append(socket).append('\n');
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.matches("(Uid|Gid|Groups):.*")) {
                text.append(line.replaceAll("\\s+", " ").strip()).append('\n');
            }
        }
        System.getenv()
                .forEach((name, value) -> text.append("env ")
                        .append(name)
                        .append('=')
                        .append(value)
                        .append('\n'));
        return text.toString();
    }

    private static void say(SocketChannel channel, String status, String headers, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        write(
                channel,
                "HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + bytes.length
                        + "\r\nContent-Type: application/json\r\n\r\n" + body);
    }

    private static void write(SocketChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
