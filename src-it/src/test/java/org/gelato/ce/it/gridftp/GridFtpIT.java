package org.gelato.ce.it.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.gridftp.OldClient.Job;
import org.gelato.ce.it.gridftp.OldClient.Outcome;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.pki.PemFile;
import org.gelato.ce.testkit.site.FreePort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Debian's GridFTP server below a whole CE, used by Debian's client. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GridFtpIT {
    private static final Path SERVER = Path.of("/usr/sbin/globus-gridftp-server");
    private static final String OTHER_ACCOUNT = "dteam002";
    private static final boolean ROOT = System.getProperty("user.name").equals("root");
    private static final String JDL = "[ Executable = \"job.sh\"; InputSandbox = {\"job.sh\"};"
            + " StdOutput = \"job.out\"; StdError = \"job.err\"; OutputSandbox = {\"job.out\"};"
            + " OutputSandboxBaseDestURI = \"gsiftp://localhost\"; BatchSystem = \"fork\"; QueueName = \"long\"; ]";

    private static SiteCe ce;
    private static int port;
    private static ServerProcesses servers;
    private static Job ended;

    @BeforeAll
    static void start() throws Exception {
        for (Path program : List.of(SERVER, OldClient.URL_COPY)) {
            if (!Files.isExecutable(program)) {
                Skipped.because("GridFtp", program + " is not installed");
            }
        }
        port = FreePort.choose();
        ce = new SiteCe(
                "gridftp",
                "fork",
                ROOT ? "nobody" : System.getProperty("user.name"),
                Map.of("gelato.gridftp.enabled", true, "gelato.gridftp.port", port));
        if (hasOtherAccount()) {
            String bob = DnForms.slash(ce.pki().user("Bob").subject());
            Files.writeString(
                    ce.gridmap(),
                    "\"" + bob + "\" " + OTHER_ACCOUNT + "\n\"/dteam/Role=production\" " + OTHER_ACCOUNT + "\n"
                            + Files.readString(ce.gridmap()));
        }
        ce.start();
        servers = new ServerProcesses(ce.base().resolve("state/gridftp/gridftp.conf"));
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static boolean hasOtherAccount() throws Exception {
        if (!ROOT) {
            return false;
        }
        ProcessBuilder make = new ProcessBuilder(
                "/bin/sh",
                "-c",
                "id " + OTHER_ACCOUNT + " || useradd --no-create-home --shell /usr/sbin/nologin " + OTHER_ACCOUNT);
        return make.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static Path file(String name, String content) throws IOException {
        return Files.writeString(ce.base().resolve(name), content);
    }

    private static String local(Path file) {
        return "file://" + file;
    }

    @Test
    @Order(1)
    void aJobIsFedAndItsOutputFetchedByGridFtp() throws Exception {
        OldClient alice = new OldClient(ce, "Alice");
        Job job = alice.register(JDL);
        assertThat(job.input()).matches("gsiftp://localhost:" + port + "/.*/" + job.id() + "/ISB");

        alice.mustCopy(local(file("job.sh", "#!/bin/sh\necho done by $(id -un)\n")), job.input() + "/job.sh");
        alice.start(job);
        alice.user().await("https://localhost:" + ce.port() + "/" + job.id(), "DONE-OK");

        assertThat(alice.outputUri(job)).isEqualTo(job.output()).endsWith(job.id() + "/OSB");
        Path target = Files.createDirectories(ce.base().resolve("fetched"));
        alice.mustCopy("-r", job.output() + "/", local(target) + "/");
        assertThat(target.resolve("job.out")).hasContent("done by " + ce.account());
        ended = job;
    }

    @Test
    @Order(2)
    void theWrapperCanBeReadForTheNamesOfOutputFiles() throws Exception {
        OldClient alice = new OldClient(ce, "Alice");
        Path wrapper = ce.base().resolve("wrapper");
        alice.mustCopy(ended.output().replaceFirst("/OSB$", "/" + ended.id() + "_jobWrapper.sh"), local(wrapper));
        assertThat(Files.readAllLines(wrapper))
                .anyMatch(l -> l.startsWith("__output_file_dest[0]=") && l.contains("/OSB/job.out"));
    }

    @Test
    @Order(3)
    void anotherAccountMayNotLookIntoTheSandbox() throws Exception {
        assumeTrue(hasOtherAccount(), "only root has other accounts to switch to");
        OldClient bob = new OldClient(ce, "Bob");
        Job own = bob.register(JDL);
        bob.mustCopy(local(file("bob.sh", "#!/bin/sh\n")), own.input() + "/job.sh");

        Path target = ce.base().resolve("stolen");
        Outcome outcome = bob.copy(ended.output() + "/job.out", local(target));
        assertThat(outcome.exit()).isNotZero();
        assertThat(outcome.text()).contains("Permission denied");
        assertThat(target)
                .satisfiesAnyOf(
                        t -> assertThat(t).doesNotExist(), t -> assertThat(t).isEmptyFile());
    }

    @Test
    @Order(4)
    void whoHasTwoAccountsIsTheOneThatRegisteredLastAndCanAskForTheOther() throws Exception {
        assumeTrue(hasOtherAccount(), "only root has other accounts to switch to");
        OldClient member = new OldClient(ce, "Dave");
        OldClient producer = new OldClient(ce, "Dave", "/dteam/Role=production", "/dteam");
        String script = local(file("dave.sh", "#!/bin/sh\n"));
        Job asMember = member.register(JDL);
        member.mustCopy(script, asMember.input() + "/job.sh");
        Job asProducer = producer.register(JDL);
        producer.mustCopy(script, asProducer.input() + "/job.sh");

        assertThat(member.copy(script, asMember.input() + "/again").exit()).isNotZero();
        member.mustCopy(script, asMember.input().replace("gsiftp://", "gsiftp://" + ce.account() + "@") + "/again");
        member.register(JDL);
        member.mustCopy(script, asMember.input() + "/more");
    }

    @Test
    @Order(4)
    void aNameBeyondAsciiIsMapped() throws Exception {
        OldClient zoe = new OldClient(ce, "Zo\u00eb");
        Job job = zoe.register(JDL);
        zoe.mustCopy(local(file("zoe.sh", "#!/bin/sh\n")), job.input() + "/job.sh");
    }

    @Test
    @Order(4)
    void nothingOutsideTheSandboxesIsServed() throws Exception {
        OldClient alice = new OldClient(ce, "Alice");
        for (String path : List.of("/etc/hostname", "/etc/passwd", ce.base() + "/sandbox/../grid-mapfile")) {
            Outcome outcome = alice.copy(
                    "gsiftp://localhost:" + port + path, local(ce.base().resolve("outside")));
            assertThat(outcome.exit()).as(path).isNotZero();
        }
        Outcome write = alice.copy(local(file("in", "x")), "gsiftp://localhost:" + port + "/var/tmp/gelato-outside");
        assertThat(write.exit()).isNotZero();
        assertThat(write.text()).contains("not allowed");
    }

    @Test
    @Order(5)
    void whoNeverCameToTheCeIsUnknown() throws Exception {
        Outcome outcome = new OldClient(ce, "Stranger").copy("-list", ended.output() + "/");
        assertThat(outcome.exit()).isNotZero();
        assertThat(outcome.text()).contains("530");
    }

    @Test
    @Order(6)
    void aBannedUserIsLockedOut() throws Exception {
        OldClient carol = new OldClient(ce, "Carol");
        Job job = carol.register(JDL);
        carol.mustCopy(local(file("carol.sh", "#!/bin/sh\n")), job.input() + "/job.sh");

        Files.writeString(
                ce.base().resolve("ban"),
                "\"" + DnForms.slash(carol.credential().subject()) + "\"\n");

        Awaitility.await("Carol is refused")
                .until(() -> carol.copy("-list", job.input() + "/").text().contains("530"));
    }

    /** One of a CA that the client does not know shows which one the server has. */
    @Test
    @Order(6)
    void aNewHostCertificateCountsForTheServerThatRuns() throws Exception {
        ProcessHandle server = onlyServer();
        GridCredential usual = ce.pki().host();
        OldClient alice = new OldClient(ce, "Alice");
        install(GridPki.open(ce.base().resolve("other-pki"), "localhost").host());
        Awaitility.await("refused by the client")
                .atMost(Duration.ofMinutes(2))
                .until(() -> alice.copy("-list", ended.output() + "/").exit() != 0);
        install(usual);
        Awaitility.await("served again")
                .atMost(Duration.ofMinutes(2))
                .until(() -> alice.copy("-list", ended.output() + "/").exit() == 0);
        assertThat(servers.listener().pid()).isEqualTo(server.pid());
    }

    private static void install(GridCredential host) throws IOException {
        Files.writeString(ce.pki().hostCertificate(), host.chainPem());
        Files.writeString(ce.pki().hostKey(), PemFile.encode(List.of(host.key())));
    }

    @Test
    @Order(7)
    void aServerThatDiedIsStartedAgain() throws Exception {
        ProcessHandle first = onlyServer();
        anotherFollows(first, first);
    }

    /** The kernel ends the server with the worker that runs it. */
    @Test
    @Order(7)
    void aServerWhoseWorkerWasKilledIsStartedAgain() throws Exception {
        ProcessHandle first = onlyServer();
        anotherFollows(first, first.parent().orElseThrow());
    }

    /** The server, once the connections of one that was killed before are over. */
    private ProcessHandle onlyServer() {
        return Awaitility.await("one server").ignoreExceptions().until(servers::listener, server -> true);
    }

    private void anotherFollows(ProcessHandle first, ProcessHandle killed) throws Exception {
        killed.destroyForcibly();
        OldClient alice = new OldClient(ce, "Alice");
        // Served, and not only there: a process is before its port, and readiness is some seconds old.
        Awaitility.await("another server")
                .ignoreExceptions()
                .until(() -> servers.listener().pid() != first.pid()
                        && alice.copy("-list", ended.output() + "/").exit() == 0);
    }

    @Test
    @Order(8)
    @Tag("long")
    void aKilledCeLeavesNoServerAndTheNextOneKnowsItsUsers() throws Exception {
        ce.kill();
        Awaitility.await("no server").until(() -> servers.all().isEmpty());
        ce.start();
        assertThat(servers.listener().isAlive()).isTrue();
        new OldClient(ce, "Alice").mustCopy("-list", ended.output() + "/");
    }

    @Test
    @Order(9)
    void aStoppedCeTakesItsServerAlong() {
        assertThat(servers.listener().isAlive()).isTrue();
        ce.stop();
        assertThat(servers.all()).isEmpty();
    }
}
