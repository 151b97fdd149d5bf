package org.gelato.ce.it.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.accounts.LocalAccounts.Ended;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Two users with an account each, a CE with an account of its own, and a helper that sudo starts as root. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AccountsIT {
    private static final Duration LONG = Duration.ofMinutes(3);

    private static LocalAccounts accounts;
    private static UnprivilegedCe site;
    private static String service;
    private static String alice;
    private static String bob;

    @BeforeAll
    static void start() throws IOException {
        if (!System.getProperty("user.name").equals("root")) {
            Skipped.because("accounts", "accounts can be made and switched only where the tests run as root");
        }
        for (String program : List.of("/usr/bin/sudo", "/usr/bin/setpriv", "/usr/sbin/useradd")) {
            if (!Files.isExecutable(Path.of(program))) {
                Skipped.because("accounts", program + " is not installed");
            }
        }
        accounts = new LocalAccounts();
        service = accounts.makeStranger("ce");
        alice = accounts.make("001");
        bob = accounts.make("002");
        site = new UnprivilegedCe(service, bob);
        Files.writeString(
                site.ce().gridmap(),
                "\"" + dn("Alice") + "\" " + alice + "\n"
                        + Files.readString(site.ce().gridmap()));
        site.start();
    }

    @AfterAll
    static void stop() {
        if (site != null) {
            site.close();
        }
        if (accounts != null) {
            accounts.close();
        }
    }

    private static String dn(String user) {
        return DnForms.slash(site.ce().pki().user(user).subject());
    }

    private static String metric(String line) {
        try (InputStream page = site.ce().get("/metrics")) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> l.startsWith(line))
                    .map(l -> l.substring(l.lastIndexOf(' ') + 1))
                    .findFirst()
                    .orElse("0.0");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            return all.toList();
        }
    }

    private static Path homeOf(String account) throws IOException {
        int uid = LocalAccounts.uid(account);
        try (Stream<Path> homes = Files.list(site.sandboxRoot().resolve("dteam"))) {
            return homes.filter(h -> owner(h) == uid).findFirst().orElseThrow();
        }
    }

    private static int owner(Path file) {
        try {
            return (Integer) Files.getAttribute(file, "unix:uid");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String submitSleeper(SiteUser user, int seconds) {
        String id = user.submit(SiteUser.shellJob("id -un; umask; sleep " + seconds));
        user.await(id, "REALLY-RUNNING");
        return id;
    }

    @Test
    @Order(1)
    void oneJobOnTheForkSystemStartsOneCommandAndOneWorkerAndTheJvmNothing() {
        SiteUser user = site.ce().user("Bob");
        String spawned = "ce_lrms_commands_total{lrms=\"fork\",outcome=\"ok\",program=\"bash\"}";
        double before = Double.parseDouble(metric(spawned));
        double commands = Double.parseDouble(metric("ce_process_starts_total{kind=\"command\"}"));
        user.await(user.submit(SiteUser.shellJob("exit 0")), "DONE-OK");
        assertThat(Double.parseDouble(metric(spawned)) - before).isEqualTo(1);
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(
                                Double.parseDouble(metric("ce_process_starts_total{kind=\"command\"}")) - commands)
                        .isEqualTo(1));
        assertThat(metric("ce_process_starts_total{kind=\"helper\"}")).isEqualTo("1.0");
        assertThat(metric("ce_process_starts_total{kind=\"worker\"}")).isEqualTo("1.0");
        assertThat(metric("ce_helper_restarts_total")).isEqualTo("0.0");
        assertThat(Double.parseDouble(metric("process_files_open_files"))).isPositive();
        assertThat(Double.parseDouble(metric("jvm_threads_live_threads"))).isPositive();
    }

    @Test
    @Order(2)
    void filesAndProcessesOfAJobAreItsAccountsAndUnreadableForOthers() throws IOException {
        SiteUser user = site.ce().user("Alice");
        String id = submitSleeper(user, 6543);
        int uid = LocalAccounts.uid(alice);
        assertThat(LocalAccounts.processes(uid)).anyMatch(line -> line.endsWith("sleep 6543"));
        for (int other : List.of(0, LocalAccounts.uid(service), LocalAccounts.uid(bob))) {
            assertThat(LocalAccounts.processes(other)).noneMatch(line -> line.endsWith("sleep 6543"));
        }
        Path home = homeOf(alice);
        List<Path> files = files(home);
        assertThat(files).anyMatch(f -> f.toString().contains("/proxy/")).anyMatch(f -> f.endsWith("StandardOutput"));
        for (Path file : files) {
            assertThat(owner(file)).as(file.toString()).isEqualTo(uid);
            String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
            assertThat(mode).as(file.toString()).endsWith("------");
            for (String other : List.of(bob, service)) {
                Ended tried = Files.isDirectory(file)
                        ? LocalAccounts.callAs(other, "/bin/ls", file.toString())
                        : LocalAccounts.callAs(other, "/bin/cat", file.toString());
                assertThat(tried.exit()).as(other + " " + file).isNotZero();
                assertThat(tried.said()).contains("Permission denied");
            }
        }
        SiteUser thief = site.ce().user("Bob");
        Path secret = files.stream().filter(Files::isRegularFile).findFirst().orElseThrow();
        String theft = thief.submit(SiteUser.shellJob(
                "cat " + secret + " || echo refused > " + homeOf(bob).resolve("events") + "/../result"));
        thief.await(theft, "DONE-OK");
        assertThat(homeOf(bob).resolve("result")).hasContent("refused");
        long sleeper = ProcessHandle.allProcesses()
                .filter(p -> p.info().commandLine().orElse("").endsWith("sleep 6543"))
                .findFirst()
                .orElseThrow()
                .pid();
        assertThat(LocalAccounts.callAs(service, "/bin/kill", "-9", Long.toString(sleeper))
                        .said())
                .contains("not permitted");
        user.must("", "cancel", id);
        user.await(id, "CANCELLED");
        await().atMost(LONG)
                .until(() -> LocalAccounts.processes(uid).stream().noneMatch(l -> l.endsWith("sleep 6543")));
    }

    @Test
    @Order(3)
    void whoOwnsTheCesAccountGetsFromTheHelperNothingOutsideItsLists() throws IOException {
        for (List<String> line : List.of(
                List.of("/bin/bash", "-c", "id"),
                List.of(site.program().toString(), "-s", "/", "-m", "1", "-x", "/bin/bash"),
                List.of(site.program().toString(), "-c", "/etc/passwd"),
                List.of(site.program().toString()))) {
            List<String> sudo = new java.util.ArrayList<>(List.of("/usr/bin/sudo", "-n"));
            sudo.addAll(line);
            assertThat(LocalAccounts.call(LocalAccounts.as(service, sudo)).exit())
                    .as(line.toString())
                    .isEqualTo(1);
        }
        for (Path file : List.of(site.rootsConfiguration(), site.program(), site.sandboxRoot())) {
            assertThat(LocalAccounts.callAs(service, "/usr/bin/test", "-w", file.toString())
                            .exit())
                    .as(file.toString())
                    .isEqualTo(1);
        }
        new TakenOver(site, service, alice, bob, homeOf(alice), homeOf(bob)).triesEverything();
    }

    @Test
    @Order(4)
    @Tag("long")
    void theCeGoesOnWhenAWorkerIsKilled() {
        SiteUser user = site.ce().user("Alice");
        String id = submitSleeper(user, 8);
        double lost = Double.parseDouble(metric("ce_helper_workers_lost_total"));
        ProcessHandle worker = site.helperProcess()
                .orElseThrow()
                .children()
                .filter(p -> LocalAccounts.runsAs(p.pid()) == LocalAccounts.uid(alice))
                .findFirst()
                .orElseThrow();
        worker.destroyForcibly();

        String next = user.submit(SiteUser.shellJob("exit 0"));
        user.await(List.of(id, next), "DONE-OK");
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(Double.parseDouble(metric("ce_helper_workers_lost_total")) - lost)
                        .isEqualTo(1));
        assertThat(metric("ce_helper_restarts_total")).isEqualTo("0.0");
    }

    @Test
    @Order(5)
    @Tag("long")
    void theCeGoesOnWhenItsHelperIsKilled() {
        SiteUser user = site.ce().user("Alice");
        String id = submitSleeper(user, 8);
        ProcessHandle former = site.helperProcess().orElseThrow();
        former.destroyForcibly();

        String next = user.submit(SiteUser.shellJob("exit 0"));
        user.await(List.of(id, next), "DONE-OK");
        assertThat(metric("ce_helper_restarts_total")).isEqualTo("1.0");
        assertThat(metric("ce_process_starts_total{kind=\"helper\"}")).isEqualTo("2.0");
        assertThat(Double.parseDouble(metric("ce_process_starts_total{kind=\"worker\"}")))
                .isGreaterThanOrEqualTo(2);
        await().atMost(LONG).until(() -> site.ce().isReady());
        assertThat(site.helperProcess().orElseThrow().pid()).isNotEqualTo(former.pid());
    }
}
