package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts of the packages on a host of files: their paths lie in a directory, and what they call on the host notes its words. */
class MaintainerScriptsTest {
    private static final Path MAIN = Path.of("src/main");

    @TempDir
    private Path host;

    @BeforeEach
    void makeHost() throws IOException {
        for (String directory :
                List.of("bin", "run/systemd/system", "proc/4711", "var/lib/gelato", "var/lib/gelato-sandbox/job")) {
            Files.createDirectories(host.resolve(directory));
        }
        command("systemctl", "exit 0");
        command("getent", "exit 0");
        command("deluser", "exit 0");
        command("userdel", "exit 0");
        command("groupdel", "exit 0");
        command("mountpoint", "exit 1");
        // Accounts of the packages are not those of this machine.
        command("install", "set -- $(printf '%s\n' \"$@\" | sed -e '/^-[og]$/,+1d'); exec /usr/bin/install \"$@\"");
        command("chown", "exit 0");
        command("chgrp", "exit 0");
        command("setcap", "exit 0");
    }

    /** The script that gives the helper its right, where the packages have it. */
    private void helperRight() throws IOException {
        Path directory = Files.createDirectories(host.resolve("usr/libexec/gelato"));
        Files.createFile(directory.resolve("gelato-helper"));
        Path script = Files.writeString(directory.resolve("helper-right"), ofHost("files/helper-right"));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String ofHost(String script) throws IOException {
        return Files.readString(MAIN.resolve(script))
                .replaceAll("(?<![A-Za-z0-9])/(run|var|etc|usr|proc)/", host + "/$1/");
    }

    /** A command of the host. */
    private void command(String name, String body) throws IOException {
        Path file = Files.writeString(
                host.resolve("bin").resolve(name),
                "#!/bin/sh\necho " + name + " \"$@\" >>" + journal() + "\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path journal() {
        return host.resolve("journal");
    }

    private List<String> called(String name) throws IOException {
        return Files.exists(journal())
                ? Files.readAllLines(journal()).stream()
                        .filter(line -> line.startsWith(name + " "))
                        .toList()
                : List.of();
    }

    private int run(String script, String... arguments) throws IOException, InterruptedException {
        Path file = Files.writeString(host.resolve("script"), ofHost(script));
        List<String> line = new ArrayList<>(List.of("/bin/sh", file.toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("MAINPID", "4711");
        builder.environment().put("PATH", host.resolve("bin") + ":/usr/bin:/bin");
        builder.redirectOutput(host.resolve("output").toFile());
        Process process = builder.start();
        process.getOutputStream().close();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    private String output() throws IOException {
        return Files.readString(host.resolve("output"), StandardCharsets.UTF_8);
    }

    @Test
    void aServerThatWasStoppedForAnUpgradeThatFailedRunsAgain() throws Exception {
        assertThat(run("deb/gelato-ce/prerm", "upgrade", "0.11.0")).isZero();
        assertThat(called("systemctl")).endsWith("systemctl stop gelato-ce.service");
        assertThat(run("deb/gelato-ce/postinst", "abort-upgrade", "0.11.0")).isZero();
        assertThat(called("systemctl")).endsWith("systemctl start gelato-ce.service");
    }

    @Test
    void aServerThatDidNotRunIsNotStartedByAnUpgradeThatFailed() throws Exception {
        command("systemctl", "[ \"$1\" != is-active ]");
        assertThat(run("deb/gelato-ce/prerm", "upgrade", "0.11.0")).isZero();
        assertThat(run("deb/gelato-ce/postinst", "abort-upgrade", "0.11.0")).isZero();
        assertThat(called("systemctl")).noneMatch(line -> line.contains("start"));
    }

    @Test
    void aFirstInstallationBringsTheFilesOfTheSiteAndNoLaterOneTouchesThem() throws Exception {
        Files.createDirectories(host.resolve("usr/share/gelato/site"));
        helperRight();
        for (String file : List.of("gelato.conf", "gelato-ce.default")) {
            Files.writeString(host.resolve("usr/share/gelato/site").resolve(file), "of the package\n");
        }
        assertThat(run("deb/gelato-ce/postinst", "configure", "")).as(output()).isZero();
        Path configuration = host.resolve("etc/gelato/gelato.conf");
        Path environment = host.resolve("etc/default/gelato-ce");
        assertThat(configuration).hasContent("of the package");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(configuration)))
                .isEqualTo("rw-r-----");
        assertThat(environment).hasContent("of the package");

        Files.writeString(configuration, "of init\n");
        Files.delete(environment);
        assertThat(run("deb/gelato-ce/postinst", "configure", "0.10.0"))
                .as(output())
                .isZero();
        assertThat(configuration).hasContent("of init");
        assertThat(environment).doesNotExist();
        assertThat(run("deb/gelato-ce/postrm", "purge")).isZero();
        assertThat(host.resolve("etc/gelato")).doesNotExist();
    }

    @Test
    void aFileThatWasThereBeforeTheFirstInstallationStays() throws Exception {
        Path configuration = host.resolve("etc/gelato/gelato.conf");
        Files.createDirectories(configuration.getParent());
        Files.writeString(configuration, "of the site\n");
        Files.setPosixFilePermissions(configuration, PosixFilePermissions.fromString("rw-------"));
        Files.createDirectories(host.resolve("usr/share/gelato/site"));
        helperRight();
        Files.writeString(host.resolve("usr/share/gelato/site/gelato-ce.default"), "");
        assertThat(run("deb/gelato-ce/postinst", "configure", "")).as(output()).isZero();
        assertThat(configuration).hasContent("of the site");
        if (Files.getOwner(configuration).getName().equals("root")) {
            assertThat(called("chgrp")).containsExactly("chgrp gelato " + configuration);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(configuration)))
                    .isEqualTo("rw-r-----");
        }
    }

    @ParameterizedTest
    @CsvSource({"etc/default, yes, true", "etc/sysconfig, yes, true", "etc/sysconfig, no, false"})
    void theHelperHasItsRightAsTheAdministratorSaysOnEitherSystem(String directory, String value, boolean given)
            throws Exception {
        helperRight();
        Files.writeString(
                Files.createDirectories(host.resolve(directory)).resolve("gelato-ce"),
                "#HELPER_CAPABILITIES=yes\nHELPER_CAPABILITIES=" + value + "\n");
        Path helper = host.resolve("usr/libexec/gelato/gelato-helper");
        assertThat(run("files/helper-right")).as(output()).isZero();
        assertThat(called("setcap"))
                .containsExactly(
                        given ? "setcap cap_setuid,cap_setgid,cap_chown,cap_kill+ep " + helper : "setcap -r " + helper);
        assertThat(called("chown")).containsExactly("chown root:" + (given ? "gelato" : "root") + " " + helper);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(helper)))
                .isEqualTo(given ? "rwxr-x---" : "rwxr-xr-x");
    }

    /** EL's package has the variables in another place. */
    @ParameterizedTest
    @CsvSource({"etc/default", "etc/sysconfig"})
    void aServerThatDoesNotRespondNamesTheFileThatIsThere(String directory) throws Exception {
        Path file = Files.createFile(
                Files.createDirectories(host.resolve(directory)).resolve("gelato-ce"));
        command("curl", "echo 000");
        assertThat(run("files/wait-ready", "0")).isEqualTo(1);
        assertThat(output()).contains("GELATO_URL in " + file + "\n");
    }

    @Test
    void theClientHasItsArchiveMadeAndTakesItAway() throws Exception {
        Path archives = Files.createDirectories(host.resolve("var/cache/gelato-client"));
        Files.createDirectories(host.resolve("usr/share/gelato"));
        Files.writeString(
                host.resolve("usr/share/gelato/ce"),
                "make_client_archive() { echo made; echo >>" + archives + "/new; }\n");
        for (List<String> call : List.of(List.of("configure", "0.10.0"), List.of("triggered", "/usr/lib/jvm"))) {
            assertThat(run("deb/gelato-client/postinst", call.toArray(String[]::new)))
                    .isZero();
            assertThat(output()).isEmpty();
        }
        assertThat(archives.resolve("new")).hasContent("\n\n");
        Files.delete(host.resolve("usr/share/gelato/ce"));
        assertThat(run("deb/gelato-client/postinst", "configure", ""))
                .as("without an archive")
                .isZero();
        assertThat(run("deb/gelato-client/postrm", "upgrade")).isZero();
        assertThat(archives).exists();
        assertThat(run("deb/gelato-client/postrm", "remove")).isZero();
        assertThat(archives).doesNotExist();
    }

    @Test
    void aPurgeLeavesJobDirectoriesThatOtherHostsMayShare() throws Exception {
        command("mountpoint", "case $2 in */gelato-sandbox) exit 0 ;; *) exit 1 ;; esac");
        assertThat(run("deb/gelato-ce/postrm", "purge")).isZero();
        assertThat(host.resolve("var/lib/gelato-sandbox/job")).exists();
        assertThat(host.resolve("var/lib/gelato")).doesNotExist();
        assertThat(output()).contains("gelato-sandbox stays");
    }

    @Test
    void aPurgeRemovesLocalJobDirectories() throws Exception {
        assertThat(run("deb/gelato-ce/postrm", "purge")).isZero();
        assertThat(host.resolve("var/lib/gelato-sandbox")).doesNotExist();
        assertThat(called("deluser")).hasSize(1);
    }

    @Test
    void anAccountThatCannotBeRemovedFailsNoPurge() throws Exception {
        command("deluser", "exit 1");
        command("groupdel", "exit 6");
        assertThat(run("deb/gelato-ce/postrm", "purge")).isZero();
        assertThat(output()).contains("the account gelato stays", "the group gelato stays");
    }

    /** systemd would end the server, which serves, after the time for its start. */
    @Test
    void aServerThatAnswersSlowlyIsWaitedForByTheClock() throws Exception {
        Path clock = Files.writeString(host.resolve("clock"), "1000\n");
        String tick = "echo $(($(cat " + clock + ") + %d)) >" + clock + ".next; mv " + clock + ".next " + clock;
        command("date", "cat " + clock);
        command("sleep", String.format(tick, 1));
        command("curl", String.format(tick, 5) + "; case \"$*\" in */health/live) echo 200 ;; *) echo 000 ;; esac");
        assertThat(run("files/wait-ready", "300")).isZero();
        assertThat(output()).contains("is not ready");
        assertThat(Integer.parseInt(Files.readString(clock).strip())).isLessThan(1000 + 300 + 12);
    }

    /** A refused start is reported at once. */
    @Test
    void aServerThatEndedIsNotWaitedFor() throws Exception {
        Files.delete(host.resolve("proc/4711"));
        command("sleep", "exit 1");
        assertThat(run("files/wait-ready", "300")).isOne();
        assertThat(output()).contains("gelato-ce ended");
        assertThat(called("sleep")).isEmpty();
    }

    /** systemd would end it in the middle of a change, again and again. */
    @Test
    void anUpgradeOfTheSchemaIsWaitedFor() throws Exception {
        Path clock = Files.writeString(host.resolve("clock"), "1000\n");
        Path names = Files.createDirectories(host.resolve("proc/4711/task/4713"));
        Files.writeString(names.resolve("comm"), "schema-upgrade\n");
        command("date", "cat " + clock);
        command(
                "sleep",
                "now=$(($(cat " + clock + ") + 200)); echo $now >" + clock + "; [ $now -lt 9000 ] || rm -f " + names
                        + "/comm");
        command("curl", "[ $(cat " + clock + ") -ge 9200 ] && echo 200 || echo 000");
        assertThat(run("files/wait-ready", "300")).isZero();

        Files.writeString(clock, "1000\n");
        command("curl", "echo 000");
        assertThat(run("files/wait-ready", "300")).isOne();
        assertThat(Integer.parseInt(Files.readString(clock).strip())).isLessThan(1000 + 300 + 201);
    }

    /** A CE that listens there alone was restarted for ever, as was one where clients use a proxy. */
    @ParameterizedTest
    @CsvSource({
        "0300007F, 127.0.0.3",
        "0000000000000000FFFF00000300007F, 127.0.0.3",
        "B80D01200000000000000000150000AF, [2001:0DB8:0000:0000:0000:0000:AF00:0015]",
        "00000000, localhost",
        "00000000000000000000000000000000, localhost",
        "00000000000000000000000001000000, localhost",
    })
    void theAddressOfTheConfigurationIsAsked(String listening, String host) throws Exception {
        command("curl", "echo 200");
        Files.createDirectories(this.host.resolve("proc/net"));
        Files.writeString(
                this.host.resolve("proc/net").resolve(listening.length() == 8 ? "tcp" : "tcp6"),
                "   0: " + listening + ":20FB 00000000:0000 0A 00000000:00000000 00:00000000 00000000 "
                        + Files.getAttribute(this.host, "unix:uid") + " 0 1\n");
        assertThat(run("files/wait-ready", "300")).isZero();
        assertThat(called("curl"))
                .singleElement()
                .asString()
                .contains("--noproxy *")
                .endsWith("https://" + host + ":8443/health/ready");
    }

    /** A look-alike on the port made the start of the service a success. */
    @Test
    void whoListensOnThePortAsAnotherAccountIsNotTheServer() throws Exception {
        String mine = Files.getAttribute(host, "unix:uid").toString();
        Path clock = Files.writeString(host.resolve("clock"), "1000\n");
        command("date", "cat " + clock);
        command("sleep", "echo 2000 >" + clock);
        command("curl", "echo 200");
        Path table = host.resolve("proc/net");
        Files.createDirectories(table);
        for (String uid : List.of("61238", mine)) {
            Files.writeString(
                    table.resolve("tcp6"),
                    "  sl  local_address rem_address st tx_queue tr tm->when retrnsmt   uid\n"
                            + "   0: 00000000000000000000000000000000:20FB 00000000000000000000000000000000:0000 0A"
                            + " 00000000:00000000 00:00000000 00000000 " + uid + " 0 1\n");
            Files.copy(table.resolve("tcp6"), table.resolve("tcp"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            Files.writeString(clock, "1000\n");
            assertThat(run("files/wait-ready", "300")).isEqualTo(uid.equals(mine) ? 0 : 1);
            assertThat(called("curl").isEmpty())
                    .as("nothing is sent to another")
                    .isEqualTo(!uid.equals(mine));
        }
    }
}
