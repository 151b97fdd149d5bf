package org.gelato.ce.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ce}: as a launcher of jars alone, and as the way to a single test in a clone. */
class CeScriptIT {
    private static final Path CLONE = Path.of("").toAbsolutePath().getParent();

    @TempDir
    private Path installed;

    @BeforeEach
    void install() throws IOException {
        Files.copy(CLONE.resolve("ce"), installed.resolve("ce"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectory(installed.resolve("lib"));
        Files.createSymbolicLink(installed.resolve("lib/ce-ws"), CLONE.resolve("ce-ws/target"));
    }

    @Test
    void anInstalledOneRunsTheServer() throws Exception {
        Outcome help = run(installed, "server", "--help");
        assertThat(help.text).contains("Usage: ce server", "run", "check");
        assertThat(help.exit).isZero();
        assertThat(run(installed, "server", "check", "--config", "/nonexistent").exit)
                .isEqualTo(1);
    }

    @Test
    void commandsThatNeedTheSourcesReportSo() throws Exception {
        for (String command : List.of("demo", "test", "perf")) {
            assertThat(run(installed, command))
                    .isEqualTo(new Outcome(
                            1,
                            "ce: " + command + " needs a clone of Gelato CE's sources, and " + installed.toRealPath()
                                    + " is none (no dev/ in it): run ./ce " + command + " in a clone\n"));
        }
    }

    @Test
    void missingJarsAreNamedWithTheirPlaces() throws Exception {
        Outcome status = run(installed, "status", "CREAM000000001");
        assertThat(status.text)
                .startsWith("ce: no jars of ce-cli, neither in " + installed.toRealPath() + "/lib/ce-cli nor in ");
        assertThat(status.exit).isEqualTo(1);
    }

    @Test
    void helpNeedsNothing() throws Exception {
        Outcome help = run(installed, "help");
        assertThat(help.text)
                .startsWith("ce submits jobs to a Computing Element")
                .doesNotContain("--only CLASS[#METHOD]");
        assertThat(help.exit).isZero();
    }

    @Test
    void anUnknownTestClassIsRefusedBeforeAnythingRuns() throws Exception {
        assertThat(run(CLONE, "test", "--only", "CeScriptITest#runs")).isEqualTo(new Outcome(1, """
                        ce: test --only: no test class is called CeScriptITest; near it are:
                            org.gelato.ce.it.cli.CeScriptIT (src-it)
                        """));
        assertThat(run(CLONE, "test", "--only", "Zebra").text)
                .startsWith("ce: test --only: no test class in */src/test/java is called");
    }

    @Test
    void ofSeveralTestClassesThePackageIsRequested() throws Exception {
        Outcome refused = run(CLONE, "test", "--only", "DelegationServiceTest");
        assertThat(refused.text)
                .contains(
                        "several test classes are called DelegationServiceTest",
                        "org.gelato.ce.core.delegation.DelegationServiceTest (ce-core)",
                        "org.gelato.ce.ws.cream2.DelegationServiceTest (ce-ws)");
        assertThat(refused.exit).isEqualTo(1);
    }

    private record Outcome(int exit, String text) {}

    private static Outcome run(Path home, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(home.resolve("ce").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("CE_JAVA_OPTS");
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), text);
    }
}
