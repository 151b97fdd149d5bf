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
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelperAccountsTest {
    private static final String NEEDS_ROOT = "switching accounts needs root; this run is not root";

    @TempDir
    Path temporary;

    @Test
    void accountsThatAreNotServedAreRefused() throws IOException {
        try (RunningHelper helper = new RunningHelper(temporary)) {
            for (String account : List.of("root", "daemon", "no-such-account", "../x", "a b", "-x", "x".repeat(300))) {
                assertThat(failure(helper.commands.get(account, helper.home.resolve("f"), 0, 1))
                                .code())
                        .as(account)
                        .isEqualTo(Code.REFUSED);
            }
            assertThat(helper.workers()).isEmpty();
        }
    }

    @Test
    void withoutRootTheOwnNameMeansTheOwnAccount() throws IOException {
        assumeTrue(!RunningHelper.ROOT, "under root the own name is root, which is never served by name");
        try (RunningHelper helper = new RunningHelper(temporary)) {
            assertThat(get(helper.commands.run(System.getProperty("user.name"), helper.bash("echo me")))
                            .stdout())
                    .isEqualTo("me\n");
            helper.run("echo the same worker");
            assertThat(helper.stats()).containsEntry("forks", 1L);
        }
    }

    @Test
    void aWorkerIsItsAccountAndCannotGoBack() throws IOException {
        assumeTrue(RunningHelper.ROOT, NEEDS_ROOT);
        try (RunningHelper helper = new RunningHelper(temporary)) {
            String status = helper.run(
                            "id -u; grep -E '^(Uid|Gid|CapEff|CapPrm|SigIgn|SigBlk):' /proc/self/status; ls /proc/self/fd")
                    .stdout();
            assertThat(status)
                    .startsWith("65534\n")
                    .contains("Uid:\t65534\t65534\t65534\t65534")
                    .contains("Gid:\t65534\t65534\t65534\t65534")
                    .contains("CapEff:\t0000000000000000")
                    .contains("CapPrm:\t0000000000000000")
                    .contains("SigBlk:\t0000000000000000")
                    .containsPattern("SigIgn:\t0000000[01][08]0000000") // 32 and 33 belong to the C library
                    .endsWith("\n0\n1\n2\n3\n"); // 3 is ls's own
            long worker = helper.workers().get(0).pid();
            assertThat(Files.readString(Path.of("/proc/" + worker + "/status"))).contains("Uid:\t65534\t65534\t65534");
            assertThat(Files.getAttribute(Path.of("/proc/" + worker + "/mem"), "unix:uid"))
                    .as("other processes of the account cannot read the worker's memory")
                    .isEqualTo(0);
        }
    }

    @Test
    void homesAreMadeForTheirAccountAndForeignOnesAreRefused() throws IOException {
        assumeTrue(RunningHelper.ROOT, NEEDS_ROOT);
        try (RunningHelper helper = new RunningHelper(temporary)) {
            helper.put(helper.home.resolve("d/f"), "x");
            assertThat(Files.getAttribute(helper.home, "unix:uid")).isEqualTo(65534);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(helper.home)))
                    .isEqualTo("rwx------");
            assertThat(Files.getAttribute(helper.home.getParent(), "unix:uid")).isEqualTo(0);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(helper.home.getParent())))
                    .isEqualTo("rwx--x--x");

            Path foreign = helper.sandboxRoot.resolve("dteam/foreign");
            Files.createDirectory(foreign);
            Files.createSymbolicLink(helper.sandboxRoot.resolve("dteam/link"), helper.home);
            for (Path path : List.of(
                    foreign.resolve("f"),
                    helper.sandboxRoot.resolve("dteam/link/f"),
                    helper.sandboxRoot.resolve("dteam/.new.1/f"),
                    helper.sandboxRoot.resolve("f"),
                    helper.home)) {
                assertThat(failure(helper.commands.put("nobody", new FileContent(path, 0600, new byte[0])))
                                .code())
                        .as(path.toString())
                        .isEqualTo(Code.REFUSED);
            }
            assertThat(failure(helper.commands.renameAway("nobody", helper.home.resolve("d"), foreign.resolve("d")))
                            .code())
                    .isEqualTo(Code.REFUSED);
            assertThat(foreign).isEmptyDirectory();
        }
    }

    @Test
    void whatAKilledHelperLeftIsNobodysHome() throws IOException {
        assumeTrue(RunningHelper.ROOT, NEEDS_ROOT);
        try (RunningHelper helper = new RunningHelper(temporary)) {
            helper.put(helper.home.resolve("f"), "x");
            Path vo = helper.home.getParent();
            for (String name : List.of(".new." + helper.channel.pid(), ".new." + helper.channel.pid() + ".0")) {
                Path left = Files.createDirectory(vo.resolve(name));
                Files.setPosixFilePermissions(left, PosixFilePermissions.fromString("rwxrwxrwx"));
                Files.writeString(left.resolve("planted"), "another account's");
            }
            Path empty = Files.createDirectory(vo.resolve(".new." + helper.channel.pid() + ".1"));
            Files.setPosixFilePermissions(empty, PosixFilePermissions.fromString("rwxrwxrwx"));

            Path home = vo.resolve("h2");
            get(helper.commands.makeDirectory(helper.account, home));

            assertThat(home).isEmptyDirectory();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                    .isEqualTo("rwx------");
            assertThat(Files.getAttribute(home, "unix:uid")).isEqualTo(65534);
            assertThat(empty).doesNotExist();
        }
    }

    @Test
    void asRootOnlyProgramsAreRun() throws IOException {
        assumeTrue(RunningHelper.ROOT, NEEDS_ROOT);
        try (RunningHelper helper = new RunningHelper(temporary)) {
            Run id = new Run(
                    List.of("/usr/bin/id", "-u"), null, Map.of(), new byte[0], List.of(), Duration.ofSeconds(5), 10);
            assertThat(get(helper.commands.run(AccountCommands.SELF, id)).stdout())
                    .isEqualTo("0\n");
            FileContent file = new FileContent(helper.home.resolve("f"), 0600, new byte[0]);
            assertThat(failure(helper.commands.put(AccountCommands.SELF, file)).code())
                    .isEqualTo(Code.REFUSED);
            assertThat(failure(helper.commands.signal(AccountCommands.SELF, 99999, 9))
                            .code())
                    .isEqualTo(Code.REFUSED);
            assertThat(failure(helper.commands.spawn(AccountCommands.SELF, helper.spawnOf(":")))
                            .code())
                    .isEqualTo(Code.REFUSED);
            Run withFile = new Run(
                    List.of("/usr/bin/id"), null, Map.of(), new byte[0], List.of(file), Duration.ofSeconds(5), 10);
            assertThat(failure(helper.commands.run(AccountCommands.SELF, withFile))
                            .code())
                    .isEqualTo(Code.REFUSED);
        }
    }

    @Test
    void aConfigurationFileIsObeyedAndItsFaultsAreNamed() throws IOException {
        Path base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        Path program = HelperBinary.extract(base.resolve("bin"));
        Path file = base.resolve("helper.conf");
        Files.writeString(
                file,
                "# demo\nsandbox_root = " + base.resolve("sandbox") + "\nmin_uid=1000\nallowed_group=root\n"
                        + "executable=/usr/bin/id\nself_executable=/usr/bin/uname\nidle_seconds=5\nmax_children=2\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        try (GahpChannel channel = GahpChannel.start(List.of(program.toString(), "-c", file.toString()))) {
            AccountCommands commands = new HelperAccountCommands(channel);
            Run id = new Run(List.of("/usr/bin/id"), null, Map.of(), new byte[0], List.of(), Duration.ofSeconds(5), 10);
            if (RunningHelper.ROOT) {
                assertThat(failure(commands.run("nobody", id))).hasMessageContaining("no allowed group");
                assertThat(failure(commands.run("-", id))).hasMessageContaining("own account");
            } else {
                assertThat(get(commands.run("-", id)).exit()).isZero();
            }
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThatThrownBy(() -> GahpChannel.start(List.of(program.toString(), "-c", file.toString())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not start");
        assertThatThrownBy(() -> GahpChannel.start(List.of(program.toString()))).isInstanceOf(IOException.class);
    }
}
