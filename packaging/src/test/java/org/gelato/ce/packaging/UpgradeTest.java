package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Upgrades by dpkg itself, in a directory, without a terminal. */
class UpgradeTest {
    private static final Path DPKG = Path.of("/usr/bin/dpkg");
    private static final String CONFIGURATION = "/etc/gelato/gelato.conf";
    private static final String AS_CONFFILE = "gelato-ce config 0644 root:root " + CONFIGURATION + " gelato.conf";
    private static final String AS_SITE = "gelato-ce site 0644 root:root " + CONFIGURATION + " gelato.conf";
    private static final String TEMPLATE =
            "gelato-ce file 0644 root:root /usr/share/gelato/site/gelato.conf gelato.conf";

    @TempDir
    private Path directory;

    private Path root;
    private Path written;

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(Files.isExecutable(DPKG), "this host has no dpkg");
        root = directory.resolve("root");
        Files.createDirectories(root.resolve("var/lib/dpkg/updates"));
        Files.createDirectories(root.resolve("var/lib/dpkg/info"));
        Files.createFile(root.resolve("var/lib/dpkg/status"));
        Files.createFile(root.resolve("var/lib/dpkg/available"));
        Files.createDirectories(root.resolve("var/log"));
        Files.createDirectories(directory.resolve("control"));
        Files.writeString(
                directory.resolve("control/control"),
                "Package: gelato-ce\nVersion: [[version]]\nSection: net\nPriority: optional\nArchitecture: all\n"
                        + "Maintainer: Nobody <nobody@localhost>\nDescription: a package\n");
        written = root.resolve(CONFIGURATION.substring(1));
    }

    /** The exit status of the installation of a package with these lines. */
    private int install(String version, String template, String... lines) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("gelato.conf"), template);
        Path deb = directory.resolve(version + ".deb");
        DebianPackage.write(
                directory.resolve("control"),
                Contents.files(Contents.lines(List.of(lines), "deb"), directory),
                version,
                Instant.EPOCH,
                deb);
        return dpkg("--install", deb.toString());
    }

    private int dpkg(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(
                List.of(DPKG.toString(), "--root=" + root, "--force-not-root", "--log=" + directory.resolve("log")));
        line.addAll(List.of(words));
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("said").toFile()))
                .start();
        return process.waitFor();
    }

    private String said() throws IOException {
        return Files.readString(directory.resolve("said"), StandardCharsets.UTF_8);
    }

    /** So it was: dpkg asks, nobody answers, and the package stays half installed. */
    @Test
    void aChangedConffileEndsAnUpgradeWithoutATerminal() throws Exception {
        assertThat(install("1", "one\n", AS_CONFFILE)).as(said()).isZero();
        Files.writeString(written, "of init\n");
        assertThat(install("2", "two\n", AS_CONFFILE)).isNotZero();
        assertThat(said()).contains("conffile");
    }

    @Test
    void anUpgradeFromAPackageWithAConffileAsksNothingAndKeepsWhatInitWrote() throws Exception {
        assertThat(install("1", "one\n", AS_CONFFILE)).as(said()).isZero();
        Files.writeString(written, "of init\n");
        assertThat(install("2", "two\n", AS_SITE, TEMPLATE)).as(said()).isZero();
        assertThat(written).hasContent("of init");
        assertThat(install("3", "three\n", AS_SITE, TEMPLATE)).as(said()).isZero();
        assertThat(written).hasContent("of init");
        assertThat(root.resolve("usr/share/gelato/site/gelato.conf")).hasContent("three");
    }

    @Test
    void aConffileThatNobodyChangedStays() throws Exception {
        assertThat(install("1", "one\n", AS_CONFFILE)).as(said()).isZero();
        assertThat(install("2", "two\n", AS_SITE, TEMPLATE)).as(said()).isZero();
        assertThat(written).hasContent("one");
    }

    @Test
    void anUpgradeThatWasStuckAtTheQuestionIsCompletedByTheNext() throws Exception {
        assertThat(install("1", "one\n", AS_CONFFILE)).as(said()).isZero();
        Files.writeString(written, "of init\n");
        assertThat(install("2", "two\n", AS_CONFFILE)).isNotZero();
        assertThat(install("3", "three\n", AS_SITE, TEMPLATE)).as(said()).isZero();
        assertThat(written).hasContent("of init");
        assertThat(dpkg("--configure", "--pending")).as(said()).isZero();
    }
}
