package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rule for logrotate, read by logrotate itself. */
class LogrotateTest {
    private static final Path LOGROTATE = Path.of("/usr/sbin/logrotate");

    @TempDir
    private Path host;

    /** The rule named one place of the access log, and "ce server init" chose another. */
    @Test
    void bothLogsAreRotatedWhereverAnInitHasPutThem() throws Exception {
        assumeTrue(Files.isExecutable(LOGROTATE), "logrotate is not installed");
        String[] logs = {"var/log/gelato/audit.log", "var/log/gelato/access.log", "var/lib/gelato/access.log"};
        for (String log : logs) {
            Files.createDirectories(host.resolve(log).getParent());
            Files.writeString(host.resolve(log), "a line of " + log + "\n");
        }
        // The real directories are of the account gelato alone.
        Files.setPosixFilePermissions(host, PosixFilePermissions.fromString("rwxr-xr-x"));
        rotate();
        for (String log : logs) {
            assertThat(host.resolve(log)).as("made anew by the next line").doesNotExist();
            try (Stream<Path> all = Files.list(host.resolve(log).getParent())) {
                String name = host.resolve(log).getFileName() + "-";
                assertThat(all.filter(file -> file.getFileName().toString().startsWith(name)))
                        .singleElement()
                        .satisfies(rotated -> assertThat(rotated).hasContent("a line of " + log));
            }
        }
    }

    private void rotate() throws IOException, InterruptedException {
        GroupPrincipal group = (GroupPrincipal) Files.getAttribute(host, "posix:group");
        Path rule = Files.writeString(
                host.resolve("rule"),
                (Files.readString(Path.of("src/main/files/gelato-ce.logrotate"))
                                + Files.readString(Path.of("src/main/files/gelato-ce-home.logrotate")))
                        .replaceAll("(?<=^|\\s)/var/", host + "/var/")
                        .replace(
                                "su gelato gelato", "su " + Files.getOwner(host).getName() + " " + group.getName()));
        Files.setPosixFilePermissions(rule, PosixFilePermissions.fromString("rw-r--r--"));
        Process process = new ProcessBuilder(
                        LOGROTATE.toString(),
                        "--force",
                        "--state",
                        host.resolve("state").toString(),
                        rule.toString())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
