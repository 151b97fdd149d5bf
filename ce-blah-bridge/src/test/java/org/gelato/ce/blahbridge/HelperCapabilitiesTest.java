package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.ChannelLostException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The helper made privileged by capabilities of its file: the caller is the unprivileged account daemon. */
class HelperCapabilitiesTest {
    private static final String CAPABILITIES = "cap_setuid,cap_setgid,cap_chown,cap_kill+ep";
    private static final int CALLER = 1;

    @TempDir
    static Path temporary;

    private static Path base;
    private static Path program;
    private static Path configuration;

    /** Compiled for a configuration of its own: the one of the packaged program is the host's. */
    @BeforeAll
    static void build() throws IOException {
        assumeTrue(RunningHelper.ROOT, "giving a file capabilities needs root; this run is not root");
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/setcap")), "setcap is not installed");
        base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        program = base.resolve("gelato-helper");
        configuration = base.resolve("helper.conf");
        List<String> cc = new ArrayList<>(List.of(
                "cc",
                "-std=c11",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-D_GNU_SOURCE",
                "-DGELATO_CONFIG_FILE=\"" + configuration + "\"",
                "-o",
                program.toString()));
        try (Stream<Path> sources = Files.list(Path.of("src/main/c"))) {
            sources.map(Path::toString).filter(p -> p.endsWith(".c")).forEach(cc::add);
        }
        assertThat(call(cc)).isEqualTo("0\n");
    }

    @BeforeEach
    void configure() throws IOException {
        Files.write(
                configuration,
                List.of(
                        "sandbox_root=" + base.resolve("sandbox"),
                        "min_uid=1000",
                        "executable=/bin/bash",
                        "self_executable=/usr/bin/id"));
        Files.setPosixFilePermissions(configuration, PosixFilePermissions.fromString("rw-r--r--"));
        permit(750, CAPABILITIES);
    }

    private static void permit(int mode, String capabilities) throws IOException {
        assertThat(call(List.of("chown", "root:daemon", program.toString()))).isEqualTo("0\n");
        assertThat(call(List.of("chmod", Integer.toString(mode), program.toString())))
                .isEqualTo("0\n");
        String set = call(List.of("/usr/sbin/setcap", capabilities, program.toString()));
        assumeTrue(set.equals("0\n"), "this file system takes no capabilities: " + set);
    }

    /** Exit status, then the output. */
    private static String call(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.onExit().join().exitValue() + "\n" + said;
    }

    private static List<String> line(int uid, String... arguments) {
        List<String> line =
                new ArrayList<>(List.of("/usr/bin/setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups"));
        line.add("/usr/bin/env"); // setpriv itself still has root's rights over files when it starts a program
        line.add(program.toString());
        line.addAll(List.of(arguments));
        return line;
    }

    @Test
    void itServesAccountsAndTheirCommandsHaveNothingOfItsRights() throws IOException {
        try (GahpChannel channel = GahpChannel.start(line(CALLER, "-c", configuration.toString()))) {
            AccountCommands commands = new HelperAccountCommands(channel);
            Path home = base.resolve("sandbox/dteam/h1");
            get(commands.put("nobody", new FileContent(home.resolve("d/f"), 0600, new byte[] {1})));
            assertThat(Files.getAttribute(home.resolve("d/f"), "unix:uid")).isEqualTo(65534);
            assertThat(Files.getAttribute(home.getParent(), "unix:uid")).isEqualTo(0);
            Run show = new Run(
                    List.of("/bin/bash", "-c", "echo $UID; grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status; env"),
                    home,
                    Map.of("PATH", "/usr/bin:/bin"),
                    new byte[0],
                    List.of(),
                    Duration.ofMinutes(1),
                    10_000);
            String shown = get(commands.run("nobody", show)).stdout();
            assertThat(shown).startsWith("65534\n").doesNotContain("HOME");
            assertThat(shown.lines().filter(l -> l.startsWith("Cap")))
                    .hasSize(4)
                    .allMatch(l -> l.endsWith("\t0000000000000000"));
            assertThat(failure(commands.run("daemon", show)).code()).isEqualTo(Code.REFUSED);
            assertThat(failure(commands.run("root", show)).code()).isEqualTo(Code.REFUSED);

            ProcessHandle.of(channel.pid()).orElseThrow().children().forEach(ProcessHandle::destroyForcibly);
            // the request may still meet the dying worker
            await().ignoreException(ChannelLostException.class)
                    .until(() -> get(commands.run("nobody", show)).exit() == 0);
        }
    }

    @Test
    void aCallerChoosesNeitherOptionsNorConfiguration() throws IOException {
        Path own = base.resolve("own.conf");
        Files.copy(configuration, own);
        for (List<String> line : List.of(
                line(CALLER, "-s", base.resolve("other").toString(), "-m", "1", "-x", "/bin/bash"),
                line(CALLER, "-c", own.toString()),
                line(CALLER, "-W", "-c", configuration.toString()),
                line(CALLER))) {
            assertThat(call(line)).startsWith("2\n").contains("the only arguments are: -c " + configuration);
        }
    }

    @Test
    void onlyTheGroupOfTheFileMayRunItAndOthersNever() throws IOException {
        assertThat(call(line(2, "-c", configuration.toString())))
                .startsWith("126\n")
                .contains("Permission denied");
        permit(755, CAPABILITIES);
        assertThat(call(line(CALLER, "-c", configuration.toString())))
                .startsWith("2\n")
                .contains("mode 0750");
        permit(770, CAPABILITIES);
        assertThat(call(line(CALLER, "-c", configuration.toString())))
                .startsWith("2\n")
                .contains("mode 0750");
    }

    @Test
    void missingCapabilitiesAreNamedAndSetuidIsRefused() throws IOException {
        permit(750, "cap_setuid,cap_setgid,cap_kill+ep");
        assertThat(call(line(CALLER, "-c", configuration.toString())))
                .startsWith("2\n")
                .contains("lack cap_chown");
        permit(4750, CAPABILITIES);
        assertThat(call(line(CALLER, "-c", configuration.toString())))
                .startsWith("2\n")
                .contains("setuid");
    }

    @Test
    void aConfigurationThatIsNotRootsAloneIsRefused() throws IOException {
        Files.setPosixFilePermissions(configuration, PosixFilePermissions.fromString("rw-rw-r--"));
        assertThat(call(line(CALLER, "-c", configuration.toString())))
                .startsWith("2\n")
                .contains("nobody else may write");
    }
}
