package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only root decides what runs as root, whatever account the JVM has: program, arguments, environment. */
class HelperOwnAccountTest {
    private static final String ENV = "/usr/bin/env";

    @TempDir
    Path temporary;

    private GahpChannel channel;
    private AccountCommands commands;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(RunningHelper.ROOT, "only root may become other accounts");
        channel = started("executable=/usr/bin/env\nself_executable=/usr/bin/env\n"
                + "self_executable=/usr/bin/printf ping\nself_executable=/usr/bin/printf -- --name=*\n"
                + "self_environment=SLURM_CONF=/etc/slurm/slurm.conf\nself_environment=LANG=C\n");
        commands = new HelperAccountCommands(channel);
    }

    @AfterEach
    void stop() {
        if (channel != null) {
            channel.close();
        }
    }

    private GahpChannel started(String lines) throws IOException {
        Path base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        Path file = base.resolve("helper.conf");
        Files.writeString(file, "sandbox_root=" + base.resolve("sandbox") + "\n" + lines);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return GahpChannel.start(
                List.of(HelperBinary.extract(base.resolve("bin")).toString(), "-c", file.toString()));
    }

    private CompletableFuture<Completed> run(String account, Map<String, String> environment, String... argv) {
        return commands.run(
                account,
                new Run(List.of(argv), null, environment, new byte[0], List.of(), Duration.ofSeconds(60), 1000));
    }

    @Test
    void aTakenOverCallerCannotChooseWhatTheLoaderOrAProgramLoads() {
        for (Map<String, String> environment : List.of(
                Map.of("LD_PRELOAD", "/tmp/x.so"),
                Map.of("SLURM_CONF", "/tmp/slurm.conf"),
                Map.of("SLURM_CONF", ""),
                Map.of("PATH", "/tmp"),
                Map.of("LANG", "C", "GCONV_PATH", "/tmp"))) {
            assertThat(failure(run(AccountCommands.SELF, environment, ENV)))
                    .as(environment.toString())
                    .hasMessageContaining("environment")
                    .extracting("code")
                    .isEqualTo(Code.REFUSED);
        }
    }

    @Test
    void theVariablesOfRootsConfigurationArePassed() {
        assertThat(get(run(AccountCommands.SELF, Map.of("SLURM_CONF", "/etc/slurm/slurm.conf"), ENV))
                        .stdout())
                .isEqualTo("SLURM_CONF=/etc/slurm/slurm.conf\n");
        assertThat(get(run(AccountCommands.SELF, Map.of(), ENV)).stdout()).isEmpty();
    }

    @Test
    void anotherAccountHasNothingToWinByItsEnvironment() {
        assertThat(get(run("nobody", Map.of("LD_BIND_NOW", "1"), ENV)).stdout()).isEqualTo("LD_BIND_NOW=1\n");
    }

    @Test
    void aLineWithArgumentsAllowsTheseAlone() {
        assertThat(get(run(AccountCommands.SELF, Map.of(), "/usr/bin/printf", "ping"))
                        .stdout())
                .isEqualTo("ping");
        assertThat(get(run(AccountCommands.SELF, Map.of(), "/usr/bin/printf", "--", "--name=a b,c"))
                        .stdout())
                .isEqualTo("--name=a b,c");
        for (List<String> other : List.of(
                List.of("/usr/bin/printf"),
                List.of("/usr/bin/printf", "pong"),
                List.of("/usr/bin/printf", "ping", "x"),
                List.of("/usr/bin/printf", "ping x"),
                List.of("/usr/bin/printf", "--"),
                List.of("/usr/bin/printf", "--", "--name"),
                List.of("/usr/bin/printf", "--", "--name=a", "x"),
                List.of("/usr/bin/printf", "--", "--file=/etc/shadow"))) {
            assertThat(failure(run(AccountCommands.SELF, Map.of(), other.toArray(String[]::new)))
                            .code())
                    .as(other.toString())
                    .isEqualTo(Code.REFUSED);
        }
    }

    @Test
    void aVariableWithoutAValueIsAFaultOfTheConfiguration() {
        for (String line : List.of("self_environment=LANG", "self_environment==C", "self_executable=printf x")) {
            assertThatThrownBy(() -> started(line + "\n").close())
                    .as(line)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("did not start");
        }
    }
}
