package org.gelato.ce.ws.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A client on this host that is another account than the tests'. */
final class OtherAccount {
    private static final String UID = "65534";

    private OtherAccount() {}

    /** The whole response as it comes; skips the test where accounts cannot be changed. */
    static String get(int port, String path) throws IOException, InterruptedException {
        assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
                        && Files.isExecutable(Path.of("/usr/bin/setpriv")),
                "needs root and setpriv");
        Process client = new ProcessBuilder(
                        "setpriv",
                        "--reuid",
                        UID,
                        "--regid",
                        UID,
                        "--clear-groups",
                        "bash",
                        "-c",
                        "exec 3<>/dev/tcp/127.0.0.1/$0; printf 'GET %s HTTP/1.1\\r\\nHost: ce\\r\\nConnection:"
                                + " close\\r\\n\\r\\n' \"$1\" >&3; cat <&3",
                        Integer.toString(port),
                        path)
                .redirectErrorStream(true)
                .directory(Path.of("/").toFile())
                .start();
        String response = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        client.waitFor();
        return response;
    }
}
