package org.gelato.ce.ws.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether the installed server knows the commands we block by these names. It says so before the login already: to a command
 * it knows that the client must log in (530), to one it does not know or has blocked that there is none (500). It does so only
 * where anonymous clients have access, or it returns 530 for everything.
 */
class BlockedCommandsTest {
    private static final Path SERVER = Path.of("/usr/sbin/globus-gridftp-server");

    @TempDir
    Path directory;

    @Test
    void eachBlockedCommandIsOneTheServerHasWithoutTheBlock() throws Exception {
        assumeThat(SERVER).isExecutable();
        assertThat(answers(false)).as("not blocked").allMatch(response -> response.startsWith("530"));
        assertThat(answers(true)).as("blocked").allMatch(response -> response.startsWith("500"));
    }

    private List<String> answers(boolean blocked) throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        GridFtpConfig config = new GridFtpConfig(
                true, "localhost", "127.0.0.1", port, SERVER, "", 10, null, directory, directory, directory);
        String text = new ServerConfiguration(config).text();
        Path file = directory.resolve(blocked + ".conf");
        text = text.replace("allow_anonymous 0", "allow_anonymous 1\nanonymous_user nobody");
        Files.writeString(file, blocked ? text : text.replaceAll("disable_command_list.*\n", ""));
        Process server = new ProcessBuilder(SERVER.toString(), "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(blocked + ".out").toFile())
                .start();
        try (Socket socket = connected(port)) {
            socket.setSoTimeout(20_000);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(in.readLine()).startsWith("220");
            List<String> responses = new ArrayList<>();
            for (String command : ServerConfiguration.BLOCKED) {
                OutputStream out = socket.getOutputStream();
                out.write((command + " a b\r\n").getBytes(StandardCharsets.US_ASCII));
                out.flush();
                responses.add(in.readLine() + " for " + command);
            }
            return responses;
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static Socket connected(int port) {
        return Awaitility.await()
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> new Socket(InetAddress.getLoopbackAddress(), port), Socket::isConnected);
    }
}
