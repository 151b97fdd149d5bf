package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service: a command line of the administrator's that runs for as long as the helper does. */
class HelperServiceTest {
    // It does not notice that its output is no longer read.
    private static final List<String> SERVICE = List.of("/usr/bin/sleep", "8000", "9000");

    @TempDir
    Path temporary;

    private GahpChannel channel;
    private AccountCommands commands;

    @BeforeEach
    void start() throws IOException {
        Path base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        Path file = base.resolve("helper.conf");
        Files.writeString(
                file,
                "sandbox_root=" + base.resolve("sandbox") + "\nexecutable=/usr/bin/tail\n"
                        + "self_executable=/usr/bin/tail\nservice=" + String.join(" ", SERVICE)
                        + "\nservice=/usr/bin/no-such-program x\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        channel = GahpChannel.start(
                List.of(HelperBinary.extract(base.resolve("bin")).toString(), "-c", file.toString()));
        commands = new HelperAccountCommands(channel);
    }

    @AfterEach
    void stop() {
        channel.close();
    }

    private CompletableFuture<Completed> run(Map<String, String> environment, List<String> argv) {
        return commands.run(
                AccountCommands.SELF,
                new Run(argv, null, environment, new byte[0], List.of(), Duration.ofMillis(1), 100));
    }

    private ProcessHandle service() {
        return ProcessHandle.of(channel.pid())
                .orElseThrow()
                .descendants()
                .filter(p -> p.info().command().orElse("").endsWith("/sleep"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void itOutlivesTheTimeoutAndItsEndIsReported() throws Exception {
        CompletableFuture<Completed> service = run(Map.of(), SERVICE);
        assertThat(get(run(Map.of(), List.of("/usr/bin/tail", "-f", "/dev/null")))
                        .timedOut())
                .as("a command that is no service is killed at its timeout")
                .isTrue();
        assertThat(service).isNotDone();
        service().destroyForcibly();
        assertThat(get(service).exit()).isEqualTo(128 + 9);
    }

    @Test
    void itEndsWithTheHelper() throws Exception {
        run(Map.of(), SERVICE);
        get(commands.ping());
        get(run(Map.of(), List.of("/usr/bin/tail", "/dev/null")));
        ProcessHandle service = service();
        ProcessHandle.of(channel.pid()).orElseThrow().destroyForcibly();
        service.onExit().get(5, TimeUnit.MINUTES);
        assertThat(service.isAlive()).isFalse();
    }

    @Test
    void itEndsWithAHelperWhoseWholeGroupIsSignalled() throws Exception {
        run(Map.of(), SERVICE);
        get(run(Map.of(), List.of("/usr/bin/tail", "/dev/null")));
        ProcessHandle service = service();
        ProcessHandle helper = ProcessHandle.of(channel.pid()).orElseThrow();
        helper.children().forEach(ProcessHandle::destroy);
        helper.destroy();
        service.onExit().get(5, TimeUnit.MINUTES);
        assertThat(service.isAlive()).isFalse();
    }

    @Test
    void itEndsWithAKilledWorkerSoThatTheNextOneFindsItsPortFree() throws Exception {
        CompletableFuture<Completed> lost = run(Map.of(), SERVICE);
        get(run(Map.of(), List.of("/usr/bin/tail", "/dev/null")));
        ProcessHandle service = service();
        service.parent().orElseThrow().destroyForcibly();
        service.onExit().get(5, TimeUnit.MINUTES);
        assertThat(service.isAlive()).isFalse();
        assertThatThrownBy(() -> get(lost)).hasMessageContaining("died");
    }

    @Test
    void aServiceThatCannotStartReportsWhy() {
        assertThat(failure(run(Map.of(), List.of("/usr/bin/no-such-program", "x"))))
                .hasMessageContaining("No such file");
    }

    @Test
    void nothingButTheWholeLineIsAService() {
        for (List<String> other : List.of(
                List.of("/usr/bin/sleep"),
                List.of("/usr/bin/sleep", "8000"),
                List.of("/usr/bin/sleep", "8000", "9000", "1"),
                List.of("/usr/bin/sleep", "8000", "900"),
                List.of("/usr/bin/sleep", "8000 9000"),
                List.of("/usr/bin/sleep", "", "8000", "9000"))) {
            assertThat(failure(run(Map.of(), other)).code())
                    .as(other.toString())
                    .isEqualTo(Code.REFUSED);
        }
    }

    @Test
    void theCallerAddsNothingToItsEnvironment() {
        assertThat(failure(run(Map.of("LD_PRELOAD", "/tmp/x.so"), SERVICE)).code())
                .isEqualTo(Code.REFUSED);
    }
}
