package org.gelato.ce.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code ./ce demo --token}, with the jars of the clone in an installation of its own. */
class DemoTokenIT {
    private static final Path CLONE = Path.of("").toAbsolutePath().getParent();
    private static final Pattern OK =
            Pattern.compile("DEMO OK (https://localhost:[0-9]+/CREAM[0-9]{9}) DONE-OK exit=0");

    private static final Duration PATIENCE = Duration.ofMinutes(4);

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
                .anyMatch(line -> line.startsWith("output    env.err (0 bytes), env.out ("))
                .anyMatch(line -> line.startsWith("printed   Hello from the worker node "));
        // ARC REST does not know when the others began; CREAM2 does. A job that runs at once was never seen to wait.
        assertThat(lines.stream()
                        .filter(line -> line.matches(" +[0-9:.]+  [A-Z-]+"))
                        .map(line -> line.replaceFirst(".* ", ""))
                        .filter(state -> !state.equals("IDLE")))
                .containsExactly("REGISTERED", "RUNNING", "DONE-OK");
        assertThat(demo.resolve("proxy.pem")).doesNotExist();
        assertThat(demo.resolve("token")).doesNotExist();
    }

    @Test
    @Tag("long")
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
                .contains(ok.group(1) + "\n");
        assertThat(shell(". target/demo/env.sh; ./ce usage")).contains("jobs");

        aJobIsFollowedWhileItRuns();

        assertThat(run("--stop")).containsExactly("stopped");
        assertThat(token).doesNotExist();
    }

    private void aJobIsFollowedWhileItRuns() throws Exception {
        Path go = installed.resolve("go");
        String job = SiteUser.shellJob("for i in 1 2 3; do echo line$i; gelato-message text$i; done; while [ ! -e " + go
                + " ]; do sleep 0.2; done; echo line4; gelato-message text4; exit 3");
        Files.writeString(installed.resolve("live.jdl"), job.replaceFirst("]$", "LiveOutput = true; ]"));
        Path seen = installed.resolve("seen");
        Process following = script(". target/demo/env.sh; exec ./ce follow \"$(./ce submit live.jdl)\"")
                .redirectOutput(seen.toFile())
                .start();
        await("what the job sends first")
                .atMost(PATIENCE)
                .until(() -> !following.isAlive()
                        || (Files.readString(seen).contains("line3")
                                && Files.readString(seen).contains("text3")));
        assertThat(following.isAlive()).as(Files.readString(seen)).isTrue();
        Files.createFile(go);

        assertThat(following.waitFor()).isEqualTo(1);
        List<String> all = Files.readAllLines(seen);
        assertThat(all)
                .filteredOn(line -> line.startsWith("| line"))
                .containsExactly("| line1", "| line2", "| line3", "| line4");
        assertThat(all)
                .filteredOn(line -> line.contains(" INFO "))
                .extracting(line -> line.replaceFirst(".* INFO ", ""))
                .containsExactly("text1", "text2", "text3", "text4");
        assertThat(all).last().asString().endsWith(" DONE-OK exit=3");
    }

    private List<String> run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new CommandLine(new Demo(installed, new PrintStream(out, true, StandardCharsets.UTF_8))).execute(arguments);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** What a script prints, errors too. */
    private String shell(String text) throws IOException, InterruptedException {
        Process process = script(text).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }

    private ProcessBuilder script(String script) {
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", "-c", script)
                .directory(installed.toFile())
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .put("XDG_CACHE_HOME", installed.resolve("archives").toString());
        builder.environment().remove("CE_JAVA_OPTS");
        return builder;
    }
}
