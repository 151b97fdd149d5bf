package org.gelato.ce.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.it.site.SiteCe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code ./ce demo --token}, with the jars of the clone in an installation of its own. */
class DemoTokenIT {
    private static final Path CLONE = Path.of("").toAbsolutePath().getParent();
    private static final Pattern OK =
            Pattern.compile("DEMO OK (https://localhost:[0-9]+/CREAM[0-9]{9}) DONE-OK exit=0");

    @TempDir
    private Path installed;

    private Path demo;

    @BeforeEach
    void install() throws IOException {
        // Else the demo keeps its state elsewhere, as the jobs' account can't pass.
        Files.setPosixFilePermissions(installed, PosixFilePermissions.fromString("rwx--x--x"));
        demo = installed.resolve("target/demo");
        Files.createDirectories(demo);
        Files.createDirectories(SiteCe.cache());
        Files.createSymbolicLink(demo.resolve("cache"), SiteCe.cache());
        Files.copy(CLONE.resolve("ce"), installed.resolve("ce"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectory(installed.resolve("lib"));
        for (String part : List.of("ce-ws", "ce-cli")) {
            Files.createSymbolicLink(
                    installed.resolve("lib").resolve(part), CLONE.resolve(part).resolve("target"));
        }
    }

    @AfterEach
    void stop() {
        run("--stop");
    }

    @Test
    void aTokenAloneRunsTheJobOverArcRest() {
        List<String> lines = run("--token");
        Matcher ok = OK.matcher(lines.get(lines.size() - 1));
        assertThat(ok.matches()).as(String.join("\n", lines)).isTrue();
        assertThat(lines)
                .contains("submitted " + ok.group(1), "stopped   no process is left")
                .anyMatch(line -> line.startsWith("purged "))
                .anyMatch(line -> line.startsWith("output    env.err (0 bytes), env.out (0 bytes) in "));
        // ARC REST does not know when the others began; CREAM2 does.
        assertThat(lines.stream()
                        .filter(line -> line.matches(" +[0-9:.]+  [A-Z-]+"))
                        .map(line -> line.replaceFirst(".* ", "")))
                .containsExactly("REGISTERED", "RUNNING", "DONE-OK");
        assertThat(demo.resolve("proxy.pem")).doesNotExist();
        assertThat(demo.resolve("token")).doesNotExist();
    }

    @Test
    void aKeptOneIsUsedByItsEnvironment() throws Exception {
        // Of an earlier demo; commands must not take it.
        Files.writeString(demo.resolve("proxy.pem"), "none");
        List<String> lines = run("--token", "--keep");
        Matcher ok = OK.matcher(lines.get(lines.size() - 1));
        assertThat(ok.matches()).as(String.join("\n", lines)).isTrue();
        Path token = demo.resolve("token");
        assertThat(lines).anyMatch(line -> line.startsWith("          token      " + token + " until "));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
                .isEqualTo("rw-------");
        assertThat(String.join("\n", lines))
                .doesNotContain(Files.readString(token).strip());

        assertThat(shell("export BEARER_TOKEN=another; . target/demo/env.sh; ./ce list"))
                .isEqualTo(ok.group(1) + "\n");

        assertThat(run("--stop")).containsExactly("stopped");
        assertThat(token).doesNotExist();
    }

    private List<String> run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new CommandLine(new Demo(installed, new PrintStream(out, true, StandardCharsets.UTF_8))).execute(arguments);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** What a script prints, errors too. */
    private String shell(String script) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", "-c", script)
                .directory(installed.toFile())
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .put("XDG_CACHE_HOME", installed.resolve("archives").toString());
        builder.environment().remove("CE_JAVA_OPTS");
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }
}
