package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a helper of root takes from its configuration belongs to root all the way, or it does not start and names the part that does not. */
class HelperPathsTest {
    private static final int OTHER = 65534;

    @TempDir
    Path temporary;

    private Path base;
    private Path program;
    private Path foreign;

    @BeforeEach
    void places() throws IOException {
        assumeTrue(RunningHelper.ROOT, "without root the helper works for its own account alone");
        base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        program = HelperBinary.extract(base.resolve("bin"));
        foreign = Files.createDirectories(base.resolve("foreign/inner"));
        give(foreign.getParent());
    }

    private static Path give(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", OTHER, LinkOption.NOFOLLOW_LINKS);
        return path;
    }

    private static Path open(Path directory, String mode) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
        return directory;
    }

    /** What it says when it ends at once; empty when it serves. */
    private String saidBy(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(options));
        Process helper = new ProcessBuilder(command).start();
        // The end of its input ends one that serves.
        helper.getOutputStream().close();
        String said = new String(helper.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        helper.getInputStream().readAllBytes();
        helper.waitFor();
        return said;
    }

    private String saidOfRoot(Path sandboxRoot) throws Exception {
        String before = said(TrustedPath.ofDirectory(sandboxRoot));
        String said = saidBy("-s", sandboxRoot.toString(), "-m", "1000", "-x", "/usr/bin/true");
        agree(sandboxRoot, before, said);
        return said;
    }

    private static String said(Optional<TrustedPath.Fault> fault) {
        return fault.map(f -> f.place() + " " + f.what()).orElse("");
    }

    /** What is said before a start is what the helper says. */
    private static void agree(Path path, String before, String said) {
        if (said.isEmpty()) {
            assertThat(before).as("of " + path).isEmpty();
        } else {
            assertThat(said).contains(": " + before + ";");
            assertThat(before).as("of " + path).isNotEmpty();
        }
    }

    private String saidOfProgram(Path program) throws Exception {
        String said = saidOf("self_executable=" + program + " ping");
        agree(program, said(TrustedPath.ofFile(program)), said);
        return said;
    }

    private String saidOfFile(Path file, String... lines) throws Exception {
        Files.writeString(file, "sandbox_root=" + base.resolve("sandbox") + "\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return saidBy("-c", file.toString());
    }

    private String saidOf(String... lines) throws Exception {
        return saidOfFile(base.resolve("helper.conf"), lines);
    }

    @Test
    void aSandboxRootBelowAnotherAccountsDirectoryIsRefused() throws Exception {
        Path below = foreign.resolve("sandbox");
        assertThat(saidOfRoot(below))
                .contains("sandbox_root " + below, foreign.getParent() + " belongs to uid " + OTHER);
        assertThat(below).doesNotExist();
        Files.createDirectory(below);
        assertThat(saidOfRoot(below)).contains(foreign.getParent() + " belongs to uid " + OTHER);
        Path own = give(Files.createDirectory(base.resolve("own")));
        assertThat(saidOfRoot(own)).contains(own + " belongs to uid " + OTHER);
    }

    @Test
    void aLinkOfAnotherAccountIsRefused() throws Exception {
        Path real = Files.createDirectories(base.resolve("real/sandbox"));
        Path link = give(Files.createSymbolicLink(base.resolve("link"), real));
        assertThat(saidOfRoot(link)).contains(link + " is a symbolic link of uid " + OTHER);
        Path way = give(Files.createSymbolicLink(base.resolve("way"), real.getParent()));
        assertThat(saidOfRoot(way.resolve("sandbox"))).contains(way + " is a symbolic link of uid " + OTHER);
    }

    @Test
    void aLinkOfRootIsFollowedToWhereItLeads() throws Exception {
        Path real = Files.createDirectories(base.resolve("real/sandbox"));
        assertThat(saidOfRoot(Files.createSymbolicLink(base.resolve("link"), real)))
                .isEmpty();
        assertThat(saidOfRoot(Files.createSymbolicLink(base.resolve("relative"), Path.of("./bin/../real"))
                        .resolve("sandbox")))
                .isEmpty();
        Path bad = Files.createSymbolicLink(base.resolve("bad"), foreign);
        assertThat(saidOfRoot(bad.resolve("sandbox"))).contains(foreign.getParent() + " belongs to uid " + OTHER);
        Path ring = Files.createSymbolicLink(base.resolve("ring"), base.resolve("ring"));
        assertThat(saidOfRoot(ring.resolve("sandbox"))).contains(ring + " Too many levels of symbolic links");
    }

    @Test
    void aDirectoryThatOthersWriteToIsRefusedUnlessTheyCannotReplaceWhatIsThere() throws Exception {
        Path all = open(base.resolve("all"), "rwxrwxrwx");
        assertThat(saidOfRoot(all.resolve("sandbox"))).contains(all + " can be written by others than root");
        Path group = open(base.resolve("group"), "rwxrwxr-x");
        Files.setAttribute(group, "unix:gid", OTHER);
        assertThat(saidOfRoot(group.resolve("sandbox"))).contains(group + " can be written by others than root");
        Files.setAttribute(group, "unix:gid", 0);
        assertThat(saidOfRoot(group.resolve("sandbox"))).isEmpty();
        Path sticky = open(base.resolve("sticky"), "rwxrwxrwx");
        Files.setAttribute(sticky, "unix:mode", 01777);
        assertThat(saidOfRoot(sticky.resolve("sandbox"))).isEmpty();
        Path taken = give(Files.createDirectory(sticky.resolve("taken")));
        assertThat(saidOfRoot(taken)).contains(taken + " belongs to uid " + OTHER);
        assertThat(saidOfRoot(sticky)).contains(sticky + " can be written by others than root");
    }

    @Test
    void everyOtherPathThatRootTakesIsHeldToTheSame() throws Exception {
        String reason = foreign.getParent() + " belongs to uid " + OTHER;
        assertThat(saidOf("job_cgroup=" + foreign.resolve("jobs"))).contains("job_cgroup ", reason);
        assertThat(saidOf("service_directory=" + foreign.resolve("services"))).contains("service_directory ", reason);
        assertThat(saidOf("self_executable=" + foreign.resolve("scontrol") + " ping"))
                .contains("self_executable " + foreign.resolve("scontrol") + ":", reason);
        assertThat(saidOf("self_executable=" + foreign + "/")).contains("self_executable ", reason);
        assertThat(saidOf("service=" + foreign.resolve("server") + " -c x")).contains("service ", reason);
        assertThat(saidOf("service=/bin/true -c " + foreign.resolve("server.conf")))
                .contains("service ", reason);
        assertThat(saidOfFile(foreign.resolve("helper.conf"))).contains("configuration ", reason);
        Path writable = Files.copy(Path.of("/bin/true"), base.resolve("writable"));
        Files.setPosixFilePermissions(writable, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(saidOf("self_executable=" + writable)).contains(writable + " can be written by others than root");
    }

    @Test
    void whatACheckSaysOfAProgramIsWhatTheHelperSays() throws Exception {
        Path sticky = open(base.resolve("sticky"), "rwxrwxrwx");
        Files.setAttribute(sticky, "unix:mode", 01777);
        Path writable = Files.copy(Path.of("/bin/true"), base.resolve("writable"));
        Files.setPosixFilePermissions(writable, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertThat(saidOfProgram(writable)).isEmpty();
        Files.setAttribute(writable, "unix:gid", OTHER);
        assertThat(saidOfProgram(writable)).contains("can be written by others");
        assertThat(saidOfProgram(foreign.resolve("scontrol"))).contains("belongs to uid " + OTHER);
        assertThat(saidOfProgram(sticky.resolve("scontrol")))
                .contains("is not there, and others than root can make it");
        assertThat(saidOfProgram(base.resolve("absent/scontrol"))).isEmpty();
        assertThat(saidOfProgram(
                        Files.createSymbolicLink(base.resolve("up"), Path.of("../../" + base.getRoot() + "bin/true"))))
                .isEmpty();
        assertThat(saidOfProgram(give(Files.createSymbolicLink(base.resolve("link"), Path.of("/bin/true")))))
                .contains("is a symbolic link of uid " + OTHER);
        TrustedPath.Fault fault = TrustedPath.ofDirectory(foreign).orElseThrow();
        assertThat(fault.command()).isEqualTo("chown root " + foreign.getParent());
        assertThat(fault.mode()).isEqualTo("0755");
        assertThat(TrustedPath.ofFile(writable).orElseThrow().command()).isEqualTo("chmod go-w " + writable);
    }

    @Test
    void whatAccountsRunMayBeAnAccounts() throws Exception {
        assertThat(saidOf(
                        "executable=" + foreign.resolve("sbatch"),
                        "account_service=web " + foreign.resolve("daemon") + " {socket}",
                        "self_executable=/no/such/scontrol ping",
                        "self_executable=/usr/bin/true",
                        "service=/bin/true"))
                .isEmpty();
    }
}
