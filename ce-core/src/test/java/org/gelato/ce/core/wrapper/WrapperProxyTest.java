package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.peer.FakeGrid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job's proxy and its guard, with certificates that say their end in a line of their own. */
class WrapperProxyTest {
    private static final Duration LONG = Duration.ofDays(1);
    private static final Duration NEAR = Duration.ofMinutes(30);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    private WrapperRun job;
    private FakeGrid grid;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        grid = new FakeGrid(job.root, job::command);
        job.command("openssl", "sed -n 's/^end: /notAfter=/p'");
    }

    private static String certificate(Duration left, String more) {
        String end = DateTimeFormatter.ofPattern("MMM d HH:mm:ss yyyy 'GMT'", Locale.ROOT)
                .withZone(ZoneOffset.UTC)
                .format(Instant.now().plus(left));
        return "-----BEGIN CERTIFICATE-----\nend: " + end + "\n" + more + "\n-----END CERTIFICATE-----\n";
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    private WrapperEvent last() throws IOException {
        return WrapperRun.read(job.sandbox.resolve("exit"));
    }

    @Test
    void jobHasACopyOfItsOwn() throws IOException {
        job.proxy = file("it's", certificate(LONG, "mine"));
        Ended ended = job.run(shell(
                "stat -c %a \"$X509_USER_PROXY\"; grep mine \"$X509_USER_PROXY\"; ls -A; : > \"$X509_USER_PROXY\"",
                ""));
        assertThat(ended.stderr()).isEmpty();
        assertThat(ended.status()).isZero();
        assertThat(job.output("out")).isEqualTo("600\nmine\nerr\nout\n");
        assertThat(Files.readString(job.proxy)).contains("mine");
    }

    @Test
    void renewedProxyTakesThePlaceOfTheOld() throws IOException {
        job.proxy = file("proxy", certificate(NEAR, "old"));
        Path renewed = file("new", certificate(LONG, "renewed"));
        job.run(shell(
                "mv '" + renewed + "' '" + job.proxy
                        + "'; for i in {1..3000}; do grep -s renewed \"$X509_USER_PROXY\" && break;"
                        + " /bin/sleep 0.02; done; stat -c %a \"$X509_USER_PROXY\"",
                ""));
        assertThat(job.output("out")).isEqualTo("renewed\n600\n");
        assertThat(last().exitCode()).isZero();
        assertThat(grid.slept()).allMatch(seconds -> Integer.parseInt(seconds) >= 60);
    }

    /** Bash sends TERM to the process group of a shell that can start no process, and ends it with 254. */
    @Test
    void aGuardThatMeetsALimitOnProcessesBeginsAnew() throws IOException {
        Path ended = directory.resolve("ended");
        job.replaced.put(
                "sleep \"$pause\"\n__gelato_left=",
                "[[ -e '" + ended + "' ]] || { : > '" + ended + "'; kill -s TERM -- \"-$BASHPID\"; exit 254; }\n"
                        + "sleep \"$pause\"\n__gelato_left=");
        job.proxy = file("proxy", certificate(NEAR, "old"));
        Path renewed = file("new", certificate(LONG, "renewed"));
        job.run(shell(
                "until [ -e '" + ended + "' ]; do /bin/sleep 0.02; done; mv '" + renewed + "' '" + job.proxy
                        + "'; for i in {1..3000}; do grep -s renewed \"$X509_USER_PROXY\" && break;"
                        + " /bin/sleep 0.02; done",
                ""));
        assertThat(job.output("out")).isEqualTo("renewed\n");
    }

    @Test
    void shorterProxyIsNoRenewal() throws IOException {
        job.proxy = file("proxy", certificate(NEAR, "old"));
        Path shorter = file("new", certificate(Duration.ofMinutes(10), "shorter") + certificate(LONG, ""));
        job.run(shell(
                "mv '" + shorter + "' '" + job.proxy + "'; n=$(wc -l < '" + directory + "/slept');"
                        + " for i in {1..3000}; do [ $(wc -l < '" + directory
                        + "/slept') -gt $((n + 3)) ] && break; /bin/sleep 0.02; done;"
                        + " grep -e shorter -e old \"$X509_USER_PROXY\"",
                ""));
        assertThat(job.output("out")).isEqualTo("old\n");
    }

    @Test
    void proxyNobodyRenewsIsOnlyWaitedFor() throws IOException {
        job.guard = null;
        job.proxy = file("proxy", certificate(NEAR, "old"));
        Path longer = file("new", certificate(LONG, "renewed"));
        job.run(shell(
                "mv '" + longer + "' '" + job.proxy + "'; for i in {1..3000}; do [ $(wc -l < '" + directory
                        + "/slept') -gt 3 ] && break; /bin/sleep 0.02; done;"
                        + " grep -e renewed -e old \"$X509_USER_PROXY\"",
                ""));
        assertThat(job.output("out")).isEqualTo("old\n");
        assertThat(grid.slept())
                .hasSizeGreaterThan(3)
                .allMatch(seconds -> Integer.parseInt(seconds) > 1700, "the whole rest of the proxy's time");
    }

    @Test
    void jobEndsWithItsProxy() throws IOException {
        job.proxy = file("proxy", certificate(NEAR, "old"));
        Path gone = file("gone", certificate(Duration.ofMinutes(-1), "gone"));
        Ended ended = job.run(shell(
                "trap : TERM; echo begun; cat '" + gone + "' > '" + job.proxy + "'; cat '" + gone
                        + "' > \"$X509_USER_PROXY\";" + " while :; do /bin/sleep 300; done",
                "OutputSandbox = \"out\"; OutputSandboxBaseDestURI = \"gsiftp://h\";"));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(last().kind()).isEqualTo(WrapperEvent.Kind.DONE);
        assertThat(last().exitCode()).isEqualTo(2);
        assertThat(last().reason()).isEqualTo("Proxy is expired");
        assertThat(job.spooled()).hasSize(3);
        assertThat(job.output("out")).isEqualTo("begun\n");
        assertThat(grid.copies()).isEmpty();
    }

    /** The job, or a tool of its, writes it in place: what is read meanwhile has no end. */
    @Test
    void aProxyThatIsHalfWrittenIsStillLookedAfter() throws IOException {
        job.proxy = file("proxy", certificate(NEAR, "old"));
        Path gone = file("gone", certificate(Duration.ofMinutes(-1), "gone"));
        job.run(shell(
                "trap : TERM; : > '" + job.proxy + "'; : > \"$X509_USER_PROXY\"; for i in {1..3000}; do [ $(cat '"
                        + directory + "/slept' | wc -l) -gt 3 ] && break; /bin/sleep 0.02; done; cat '" + gone
                        + "' > \"$X509_USER_PROXY\"; for i in {1..3000}; do /bin/sleep 0.02; done",
                ""));
        assertThat(last().reason()).isEqualTo("Proxy is expired");
    }

    /** Without this it slept until the proxy's end, and then signalled whoever had the payload's number. */
    @Test
    void guardEndsWithAWrapperThatWasKilled() throws IOException {
        Files.delete(directory.resolve("bin/sleep"));
        job.proxy = file("proxy", certificate(LONG, ""));
        Path ready = directory.resolve("ready");
        WrapperRun.Running running = job.start(
                shell("echo $$ > '" + ready + ".new'; mv '" + ready + ".new' '" + ready + "'; exec sleep 300", ""));
        await().atMost(PATIENCE).until(() -> Files.exists(ready));
        ProcessHandle payload = ProcessHandle.of(
                        Long.parseLong(Files.readString(ready).strip()))
                .orElseThrow();
        try {
            List<ProcessHandle> beside = beside(running.process);
            assertThat(beside)
                    .as("the guard, what it waits with, who looks after it")
                    .hasSizeGreaterThanOrEqualTo(2);

            running.process.destroyForcibly();

            await().atMost(PATIENCE).until(() -> beside.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(payload.isAlive()).as("it is the batch system's to end").isTrue();
        } finally {
            payload.destroyForcibly();
        }
    }

    /** Processes of this job's script that are no children of the wrapper, and theirs. */
    private List<ProcessHandle> beside(Process wrapper) {
        List<ProcessHandle> own = wrapper.descendants().toList();
        return ProcessHandle.allProcesses()
                .filter(p -> p.pid() != wrapper.pid() && !own.contains(p))
                .filter(p -> commandLine(p)
                        .contains(job.sandbox.resolve("wrapper.sh").toString()))
                .flatMap(p -> Stream.concat(Stream.of(p), p.descendants()))
                .distinct()
                .toList();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void proxysEndSignalsNobodyWhoGotThePayloadsNumber() throws IOException {
        Process bystander = new ProcessBuilder("setsid", "sleep", "300").start();
        try {
            job.proxy = file("proxy", certificate(NEAR, "old"));
            Path gone = file("gone", certificate(Duration.ofMinutes(-1), "gone"));
            job.run(shell(
                    "s=${X509_USER_PROXY%/*}; echo " + bystander.pid() + " > $s/payload; cat '" + gone + "' > '"
                            + job.proxy + "'; cp '" + gone + "' new; mv new \"$X509_USER_PROXY\";"
                            + " until [ -e $s/expired ]; do /bin/sleep 0.02; done",
                    ""));
            assertThat(last().reason()).isEqualTo("Proxy is expired");
            assertThat(bystander.isAlive()).isTrue();
        } finally {
            bystander.destroyForcibly();
        }
    }

    @Test
    void expiredProxyStartsNothing() throws IOException {
        job.proxy = file("proxy", certificate(LONG, "") + certificate(Duration.ofMinutes(-1), "issuer"));
        job.run(shell("echo ran", ""));
        assertThat(last().reason()).isEqualTo("Proxy is expired");
        assertThat(last().exitCode()).as("the payload did not run").isNull();
        assertThat(job.sandbox.resolve("OSB/out")).doesNotExist();
    }

    /** Reading certificates takes longer than all else that a wrapper does. */
    @Test
    void farFromTheEndTheCeKnowsNoCertificateIsRead() throws IOException {
        job.command("openssl", "echo read >> '" + directory + "/slept'");
        job.proxy = file("proxy", certificate(LONG, ""));
        job.proxyEnd = Instant.now().plus(LONG);
        job.run(shell("until [ -s '" + directory + "/slept' ]; do /bin/sleep 0.02; done", ""));
        assertThat(last().exitCode()).isZero();
        assertThat(grid.slept().get(0)).as("first the guard waits").matches("[0-9]+");
        assertThat(Long.parseLong(grid.slept().get(0)))
                .isBetween(
                        LONG.minusMinutes(61).toSeconds(), LONG.minusMinutes(47).toSeconds());
    }

    @Test
    void nearTheEndTheCeKnowsTheProxyItselfCounts() throws IOException {
        job.proxy = file("proxy", certificate(LONG, "renewed since"));
        job.proxyEnd = Instant.now().minusSeconds(5);
        job.run(shell("echo ran", ""));
        assertThat(job.output("out")).isEqualTo("ran\n");
        job.proxy = file("proxy", certificate(Duration.ofMinutes(-1), ""));
        Files.delete(job.sandbox.resolve("exit"));
        Files.delete(job.sandbox.resolve("claim/owner"));
        Files.delete(job.sandbox.resolve("claim"));
        job.run(shell("echo ran", ""));
        assertThat(last().reason()).isEqualTo("Proxy is expired");
    }

    @Test
    void noTryAfterTheProxysEnd() throws IOException {
        job.proxy = file("proxy", certificate(Duration.ofHours(2), ""));
        job.environment.put("GLITE_LOCAL_COPY_RETRY_FIRST_WAIT_ISB", "5000");
        grid.fail(9);
        job.run(shell(":", "InputSandbox = \"gsiftp://h/in\";"));
        assertThat(grid.copies()).hasSize(2);
        assertThat(last().reason())
                .isEqualTo("Cannot move ISB (retry_copy gsiftp://h/in): the proxy ends before the next try,"
                        + " error: end of file from server");
    }

    @Test
    void proxyComesFromTheCeWhereTheNodeCannotReadIt() throws IOException {
        AtomicReference<String> authorization = new AtomicReference<>();
        AtomicReference<String> path = new AtomicReference<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
            path.set(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(certificate(LONG, "sent").getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
        try {
            job.proxy = directory.resolve("not/shared");
            job.proxyUrl = "http://127.0.0.1:" + server.getAddress().getPort() + "/ce-cream/proxy/CREAM000000042";
            Ended ended = job.run(shell("grep sent \"$X509_USER_PROXY\"; stat -c %a \"$X509_USER_PROXY\"", ""));
            assertThat(ended.stderr()).isEmpty();
            assertThat(job.output("out")).isEqualTo("sent\n600\n");
            assertThat(authorization.get()).isEqualTo("Bearer " + WrapperRun.TOKEN);
            assertThat(path.get()).isEqualTo("/ce-cream/proxy/CREAM000000042");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void proxyThatCannotBeHadIsAReason() throws IOException {
        job.proxy = directory.resolve("not/shared");
        job.command("curl", "printf '%s\\n' \"$@\" > '" + directory + "/args'; exit 22");
        job.run(shell("echo ran", ""));
        assertThat(last().reason()).startsWith("Cannot get the proxy: ");
        assertThat(Files.readString(directory.resolve("args")))
                .doesNotContain("s3cr3t")
                .contains(job.proxyUrl);
    }

    @Test
    void otherToolsTellTheTimeToo() throws IOException {
        job.proxy = file("proxy", "opaque");
        job.command("grid-proxy-info", "[[ $1 == -file && $3 == -timeleft ]] && echo -1");
        Files.delete(directory.resolve("bin/openssl"));
        withoutOpenssl();
        job.run(shell("echo ran", ""));
        assertThat(last().reason()).isEqualTo("Proxy is expired");
    }

    @Test
    void withoutAToolNobodyLooksAfterTheProxy() throws IOException {
        job.proxy = file("proxy", "opaque");
        Ended ended = job.run(shell("echo ran", ""));
        assertThat(ended.stderr()).isEqualTo("Nobody can tell when the proxy ends, it is not looked after\n");
        assertThat(job.output("out")).isEqualTo("ran\n");
    }

    @Test
    void realOpensslReadsRealCertificates() throws Exception {
        Files.delete(directory.resolve("bin/openssl"));
        job.proxy = directory.resolve("real");
        int status = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "ec",
                        "-pkeyopt",
                        "ec_paramgen_curve:P-256",
                        "-nodes",
                        "-days",
                        "1",
                        "-subj",
                        "/CN=x",
                        "-keyout",
                        "/dev/null",
                        "-out",
                        job.proxy.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("made").toFile())
                .start()
                .waitFor();
        assertThat(status).isZero();
        Ended ended = job.run(shell("echo ran", ""));
        assertThat(ended.stderr()).isEmpty();
        assertThat(job.output("out")).isEqualTo("ran\n");
    }

    /** A path with all commands of the system but openssl. */
    private void withoutOpenssl() throws IOException {
        Path bin = Files.createDirectories(directory.resolve("some"));
        try (var commands = Files.list(Path.of("/usr/bin"))) {
            for (Path command : commands.toList()) {
                if (!command.endsWith("openssl")) {
                    Files.createSymbolicLink(bin.resolve(command.getFileName()), command);
                }
            }
        }
        job.environment.put("PATH", directory.resolve("bin") + ":" + bin);
    }
}
