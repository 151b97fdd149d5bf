package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.ROOT;
import static org.gelato.ce.blahbridge.RunningHelper.failure;
import static org.gelato.ce.blahbridge.RunningHelper.get;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.HttpCall;
import org.gelato.ce.core.account.AccountCommands.HttpResponse;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.ChannelLostException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon of each account, started on demand, that speaks HTTP on a socket only the account can reach. */
class HelperAccountServiceTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String ACCOUNT = ROOT ? "nobody" : AccountCommands.SELF;

    @TempDir
    Path temporary;

    private Path base;
    private GahpChannel channel;
    private AccountCommands commands;

    @BeforeEach
    void start() throws IOException {
        start("");
    }

    private void start(String more) throws IOException {
        base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        // where the account can read it
        String name = FakeHttpDaemon.class.getName();
        Path file = base.resolve("classes").resolve(name.replace('.', '/') + ".class");
        if (Files.notExists(file)) {
            for (Path at : List.of(base.resolve("classes"), file.getParent())) {
                Files.createDirectories(at);
            }
            try (InputStream in = FakeHttpDaemon.class.getResourceAsStream("FakeHttpDaemon.class")) {
                Files.copy(in, file);
            }
            for (Path at = file; !at.equals(base); at = at.getParent()) {
                Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        String java =
                Path.of(System.getProperty("java.home"), "bin", "java").toRealPath() + " -Xshare:auto -XX:+UseSerialGC"
                        + " -XX:TieredStopAtLevel=1 -cp " + base.resolve("classes") + " " + name + " ";
        Path conf = base.resolve("helper.conf");
        Files.writeString(
                conf,
                "sandbox_root=" + base.resolve("sandbox") + "\nexecutable=/usr/bin/true\n"
                        + "service_directory=" + base.resolve("run") + "\n"
                        + "account_service=web /no/such/program {socket}\n"
                        + "account_service=web " + java + "broken unix:{socket}\n"
                        + "account_service=web " + java + "well unix:{socket}\n"
                        + "account_service=missing /no/such/program {socket}\n"
                        + "account_service=broken " + java + "broken unix:{socket}\n"
                        + "account_service=closing " + java + "closing unix:{socket}\n"
                        + "account_service=silent /usr/bin/tail -f /dev/null {socket}\n"
                        + "account_service_environment=COLOUR=red\naccount_service_environment=PATH=/bin\n" + more);
        Files.setPosixFilePermissions(conf, PosixFilePermissions.fromString("rw-r--r--"));
        channel = GahpChannel.start(
                List.of(HelperBinary.extract(base.resolve("bin")).toString(), "-c", conf.toString()));
        commands = new HelperAccountCommands(channel);
    }

    private void restart(String more) throws IOException {
        stop();
        start(more);
    }

    @AfterEach
    void stop() {
        channel.close();
    }

    private CompletableFuture<HttpResponse> send(
            String account, String service, String target, String body, Duration time) {
        return commands.http(
                account,
                new HttpCall(
                        service,
                        null,
                        body.isEmpty() ? "GET" : "POST",
                        target,
                        body.getBytes(StandardCharsets.UTF_8),
                        time,
                        100_000));
    }

    private CompletableFuture<HttpResponse> send(String target) {
        return send(ACCOUNT, "web", target, "", LONG);
    }

    private static String text(HttpResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private String about(String name) {
        return about(ACCOUNT, name);
    }

    /** The rest of the lines of a response to {@code /about} that begin so. */
    private static String lines(String response, String name) {
        return response.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .collect(Collectors.joining("\n"));
    }

    private ProcessHandle daemon() {
        return ProcessHandle.of(Long.parseLong(about("pid="))).orElseThrow();
    }

    /** A request may still meet the connection of one that is ending, and is lost with it. */
    private void awaitResponses() {
        await().atMost(LONG).until(() -> get(send("/echo")).status() == 200);
    }

    private static void assertUnknown(CompletableFuture<HttpResponse> response, String reason) {
        assertThat(get(response).status()).isEqualTo(HttpResponse.UNKNOWN);
        assertThat(text(get(response))).contains(reason);
    }

    @Test
    void aRequestIsSentWholeAndItsAnswerComesBack() {
        HttpResponse response = get(send(ACCOUNT, "web", "/echo?a=1", "{\"a\":\"é\"}", LONG));
        assertThat(response.status()).isEqualTo(200);
        assertThat(text(response))
                .isEqualTo("POST /echo?a=1 HTTP/1.1\nHost: localhost\nContent-Type: application/json\n"
                        + "Content-Length: 10\n\n{\"a\":\"é\"}");
        assertThat(text(get(send("/echo")))).isEqualTo("GET /echo HTTP/1.1\nHost: localhost\n\n");
        assertThat(get(send("/refuse")).status()).isEqualTo(400);
        assertThat(get(send("/nothing"))).satisfies(none -> {
            assertThat(none.status()).isEqualTo(304);
            assertThat(none.body()).isEmpty();
        });
        assertThat(text(get(send("/unmeasured")))).isEqualTo("to the end");
        assertThat(about("connections=")).as("kept until an answer ends it").isEqualTo("3");
    }

    @Test
    void itRunsAsTheAccountWithTheConfiguredEnvironmentAndASocketNobodyElseReaches() throws IOException {
        assertThat(about("env ").lines()).containsExactlyInAnyOrder("COLOUR=red", "PATH=/bin");
        Path socket = Path.of(about("socket="));
        assertThat(socket.getParent()).isEqualTo(base.resolve("run").resolve(ACCOUNT));
        assertThat(Files.getPosixFilePermissions(socket.getParent()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        Object uid = Files.getAttribute(socket.getParent(), "unix:uid");
        assertThat(about("Uid:").split(" ")).containsOnly(uid.toString());
        if (ROOT) {
            assertThat(uid).isNotEqualTo(0);
            assertThat(about("Gid:").split(" ")).doesNotContain("0");
            assertThat(about("Groups:").split(" ")).doesNotContain("0");
            assertThat(Files.getAttribute(base.resolve("run"), "unix:uid")).isEqualTo(0);
            assertThat(Files.getPosixFilePermissions(base.resolve("run")))
                    .isEqualTo(PosixFilePermissions.fromString("rwx--x--x"));
        }
    }

    @Test
    void rootAndAccountsThatAreNotServedHaveNone() throws IOException {
        if (ROOT) {
            assertThat(failure(send(AccountCommands.SELF, "web", "/echo", "", LONG))
                            .code())
                    .isEqualTo(Code.REFUSED);
            assertThat(failure(send("daemon", "web", "/echo", "", LONG)).code()).isEqualTo(Code.REFUSED);
        }
        assertThat(failure(send("root", "web", "/echo", "", LONG)).code()).isEqualTo(Code.REFUSED);
        assertThat(failure(send(ACCOUNT, "other", "/echo", "", LONG))).satisfies(refused -> {
            assertThat(refused.code()).isEqualTo(Code.REFUSED);
            assertThat(refused).hasMessageContaining("no such service");
        });
        assertThat(base.resolve("run")).doesNotExist();
    }

    private String about(String account, String name) {
        return lines(text(get(send(account, "web", "/about", "", LONG))), name);
    }

    @Test
    void anAccountsRequestsNeverComeToAnotherAccountsDaemon() throws IOException {
        assumeTrue(ROOT, "only root serves more than one account");
        restart("min_uid=1\n");
        List<String> accounts = List.of(ACCOUNT, "daemon");
        List<String> pids = accounts.stream().map(a -> about(a, "pid=")).toList();
        assertThat(pids).doesNotHaveDuplicates();
        List<CompletableFuture<HttpResponse>> responses = IntStream.range(0, 100)
                .mapToObj(i -> send(accounts.get(i % 2), "web", "/about", "", LONG))
                .toList();
        for (int i = 0; i < responses.size(); i++) {
            assertThat(lines(text(get(responses.get(i))), "pid=")).isEqualTo(pids.get(i % 2));
        }
        List<Path> sockets =
                accounts.stream().map(a -> Path.of(about(a, "socket="))).toList();
        for (int i = 0; i < 2; i++) {
            Path directory = base.resolve("run").resolve(accounts.get(i));
            assertThat(sockets.get(i).getParent()).isEqualTo(directory);
            assertThat(about(accounts.get(i), "Uid:").split(" "))
                    .containsOnly(Files.getAttribute(directory, "unix:uid").toString());
        }

        // As the account itself could: what is its own socket's name leads to the other's.
        String before = about("daemon", "connections=");
        Files.delete(sockets.get(0));
        Files.createSymbolicLink(sockets.get(0), sockets.get(1));
        CompletableFuture<HttpResponse> response;
        int sent = 0;
        do {
            // Ends its connection, of which there are eight at most: then one is made anew.
            response = send(ACCOUNT, "web", "/unmeasured", "", Duration.ofSeconds(2));
        } while (response.handle((good, bad) -> bad == null).join() && ++sent < 9);
        assertThat(response).isCompletedExceptionally();
        assertThat(about("daemon", "connections=")).isEqualTo(before);
    }

    @Test
    void whatIsNoRequestIsNotSent() {
        for (String target : List.of("echo", "/a b", "/a\r\nX: y", "/" + "x".repeat(1024), "/é")) {
            assertThatThrownBy(() -> get(send(target))).isInstanceOf(RuntimeException.class);
        }
        assertThatThrownBy(() -> get(commands.http(
                        ACCOUNT, new HttpCall("web", null, "GET / HTTP/1.1\r\n", "/", new byte[0], LONG, 10))))
                .isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> get(send(ACCOUNT, "../web", "/echo", "", LONG)))
                .isInstanceOf(RuntimeException.class);
        assertThat(workers()).isEmpty();
    }

    @Test
    void theDirectoryIsMadeBeforeTheRequestIsSent() {
        Path directory = base.resolve("sandbox/dteam/h1/job");
        HttpCall call = new HttpCall("web", directory, "GET", "/echo", new byte[0], LONG, 1000);
        assertThat(get(commands.http(ACCOUNT, call)).status()).isEqualTo(200);
        assertThat(get(commands.list(ACCOUNT, directory, 1))).isEmpty();
        assertThat(directory).isDirectory();
        HttpCall outside = new HttpCall("web", base.resolve("other"), "GET", "/echo", new byte[0], LONG, 1000);
        assertThat(failure(commands.http(ACCOUNT, outside)).code()).isEqualTo(Code.REFUSED);
    }

    @Test
    void oneThatEndsIsReplacedAndWhatItHadIsUnknown() throws Exception {
        ProcessHandle first = daemon();
        CompletableFuture<HttpResponse> hanging = send("/hang");
        await().atMost(LONG).until(() -> about("connections="), count -> Integer.parseInt(count) >= 2);
        first.destroyForcibly();
        first.onExit().get(1, TimeUnit.MINUTES);
        assertUnknown(hanging, "closed the connection");
        awaitResponses();
        assertThat(daemon().pid()).isNotEqualTo(first.pid());
        assertUnknown(send("/die"), "closed the connection");
        awaitResponses();
        assertThat(text(get(send("/answer-and-die")))).isEqualTo("last words");
        awaitResponses();
        assertThat(workers()).as("the worker lives on").hasSize(1);
    }

    @Test
    void whatIsNoWholeAnswerIsNone() {
        assertUnknown(send("/close"), "closed the connection");
        assertUnknown(send("/half"), "closed the connection");
        assertUnknown(send("/garbage"), "malformed");
        assertUnknown(send("/endless-head"), "malformed or too long");
        assertUnknown(send(ACCOUNT, "web", "/big", "100001", LONG), "too long");
        assertThat(get(send(ACCOUNT, "web", "/big", "100000", LONG)).body()).hasSize(100_000);
    }

    @Test
    void oneThatWasStoppedIsReplacedAtOnce() {
        ProcessHandle stopped = daemon();
        signal("STOP", stopped.pid());
        // Each thread stops when it sees the signal.
        await().atMost(LONG).until(() -> threadStates(stopped.pid()), Set.of("T")::equals);
        assertUnknown(send("/echo"), "closed the connection");
        awaitResponses();
        await().atMost(LONG).until(() -> !stopped.isAlive());
    }

    @Test
    void oneThatAnswersNothingInTimeHasEndedWhenThatIsReported() {
        ProcessHandle hanging = daemon();
        CompletableFuture<HttpResponse> other = send("/hang");
        assertUnknown(send(ACCOUNT, "web", "/hang", "", Duration.ofSeconds(1)), "no response in time");
        assertThat(hanging.isAlive()).as("it can have no further effect").isFalse();
        assertUnknown(other, "closed the connection");
        awaitResponses();
    }

    @Test
    void atMostEightAtOnceAndWhatWaitsWasNotSent() {
        about("pid=");
        List<CompletableFuture<HttpResponse>> hanging = new ArrayList<>(IntStream.range(0, 8)
                .mapToObj(i -> send(ACCOUNT, "web", "/hang", "", Duration.ofSeconds(60)))
                .toList());
        CompletableFuture<HttpResponse> waiting = send(ACCOUNT, "web", "/echo", "", Duration.ofSeconds(1));
        assertThat(failure(waiting)).satisfies(late -> {
            assertThat(late.code()).isEqualTo(Code.BUSY);
            assertThat(late).hasMessageContaining("nothing was sent");
        });
        assertThat(hanging).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void manyRequestsShareItsConnectionsAndStartNoProcess() {
        about("pid=");
        long before = execs();
        List<CompletableFuture<HttpResponse>> all = IntStream.range(0, 500)
                .mapToObj(i -> send(ACCOUNT, "web", "/echo", "{\"n\":" + i + "}", LONG))
                .toList();
        for (int i = 0; i < all.size(); i++) {
            assertThat(text(get(all.get(i)))).endsWith("{\"n\":" + i + "}");
        }
        assertThat(execs() - before).isZero();
        assertThat(Integer.parseInt(about("connections="))).isLessThanOrEqualTo(8);
    }

    @Test
    void oneThatCannotStartIsReportedWithItsLastWordsAndIsNotTriedAtOnce() {
        assertThat(failure(send(ACCOUNT, "missing", "/echo", "", LONG)))
                .hasMessageContaining("cannot start missing: No such file");
        assertThat(failure(send(ACCOUNT, "broken", "/echo", "", LONG))).satisfies(refused -> {
            assertThat(refused.code()).isEqualTo(Code.FAILED);
            assertThat(refused).hasMessageContaining("cannot start broken: fatal: no such plugin;?and more");
        });
        long before = execs();
        assertThat(failure(send(ACCOUNT, "broken", "/echo", "", LONG))).hasMessageContaining("no such plugin");
        assertThat(execs() - before).isZero();
        assertThat(failure(send(ACCOUNT, "silent", "/echo", "", Duration.ofSeconds(1)))
                        .code())
                .as("it may still come up")
                .isEqualTo(Code.BUSY);
    }

    /** It always comes before the helper's write, as it has a processor before the helper has. */
    @Test
    void oneThatClosesEachConnectionAtOnceHoldsUpNothing() {
        assumeTrue(ROOT, "only root gives priority to a process");
        send(ACCOUNT, "closing", "/echo", "", LONG);
        await().atMost(LONG).until(() -> !workers().isEmpty());
        ProcessHandle worker = workers().get(0);
        await().atMost(LONG)
                .until(
                        () -> base.resolve("run").resolve(ACCOUNT).toFile().list(),
                        all -> all != null && all.length > 0);
        ProcessHandle daemon = worker.children().findFirst().orElseThrow();
        for (ProcessHandle process : List.of(worker, daemon)) {
            assumeTrue(ran("/usr/bin/taskset", "-a", "-p", "1", Long.toString(process.pid())), "no taskset");
        }
        assumeTrue(ran("/usr/bin/chrt", "-a", "-f", "-p", "50", Long.toString(daemon.pid())), "no priority to give");

        CompletableFuture<HttpResponse> refused = send(ACCOUNT, "closing", "/echo", "", Duration.ofSeconds(2));
        assertThat(get(commands.list(ACCOUNT, base.resolve("sandbox/dteam/h1"), 1)))
                .isEmpty();
        assertThat(failure(refused)).satisfies(late -> {
            assertThat(late.code()).isEqualTo(Code.BUSY);
            assertThat(late).hasMessageContaining("nothing was sent");
        });
        assertThat(get(send("/echo")).status())
                .as("another daemon of the account")
                .isEqualTo(200);
    }

    private static boolean ran(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }

    @Test
    void itRetiresWhenIdleAndEndsWithItsWorkerAndWithTheHelper() throws Exception {
        restart("idle_seconds=1\n");
        ProcessHandle idle = daemon();
        // other work keeps the worker
        while (idle.isAlive()) {
            get(commands.run(
                    ACCOUNT,
                    new Run(List.of("/usr/bin/true"), null, java.util.Map.of(), new byte[0], List.of(), LONG, 0)));
        }
        assertThat(base.resolve("run").resolve(ACCOUNT)).isEmptyDirectory();
        restart("");
        ProcessHandle second = daemon();
        second.parent().orElseThrow().destroyForcibly();
        second.onExit().get(1, TimeUnit.MINUTES);
        await().atMost(LONG).until(() -> {
            try {
                return get(send("/echo")).status() == 200;
            } catch (ChannelLostException worker) {
                return false;
            }
        });
        ProcessHandle third = daemon();
        assertThat(sockets()).as("the killed worker's socket was removed").hasSize(1);
        ProcessHandle.of(channel.pid()).orElseThrow().destroyForcibly();
        third.onExit().get(1, TimeUnit.MINUTES);
    }

    @Test
    void aSocketThatAnotherAccountServesGetsNoRequest() throws Exception {
        assumeTrue(ROOT, "another account's socket needs root");
        CompletableFuture<HttpResponse> request = send(ACCOUNT, "silent", "/secret", "", Duration.ofSeconds(5));
        ProcessHandle helper = ProcessHandle.of(channel.pid()).orElseThrow();
        await().until(() ->
                helper.descendants().anyMatch(p -> p.info().command().orElse("").endsWith("tail")));
        Path socket = base.resolve("run")
                .resolve(ACCOUNT)
                .resolve("silent." + helper.children().findFirst().orElseThrow().pid());
        try (ServerSocketChannel stranger = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stranger.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
            try (SocketChannel one = stranger.accept()) {
                assertThat(one.read(ByteBuffer.allocate(1000)))
                        .as("bytes sent to it")
                        .isEqualTo(-1);
            }
            assertThat(failure(request)).hasMessageContaining("nothing was sent");
        }
    }

    private Set<Path> sockets() throws IOException {
        try (var all = Files.list(base.resolve("run").resolve(ACCOUNT))) {
            return all.collect(Collectors.toSet());
        }
    }

    @Test
    void aConfigurationThatMakesNoSenseEndsTheHelper() throws IOException {
        for (String line : List.of(
                "account_service=web",
                "account_service=Web /bin/x {socket}",
                "account_service=web bin/x {socket}",
                "account_service=web /bin/../x {socket}",
                "account_service=web /bin/x",
                "account_service_environment=x",
                "service_directory=run")) {
            channel.close();
            assertThatThrownBy(() -> {
                        start(line + "\n");
                        get(commands.ping());
                    })
                    .as(line)
                    .isInstanceOf(Exception.class);
        }
    }

    private static Set<String> threadStates(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return threads.map(thread -> {
                        try {
                            return Files.readString(thread.resolve("stat")).replaceFirst("(?s).*\\) (.).*", "$1");
                        } catch (IOException e) {
                            return "gone";
                        }
                    })
                    .collect(Collectors.toSet());
        }
    }

    private static void signal(String name, long pid) {
        try {
            assertThat(new ProcessBuilder("/bin/kill", "-" + name, Long.toString(pid))
                            .start()
                            .waitFor())
                    .isZero();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long execs() {
        for (String word : get(channel.ask("GELATO_STATS"))) {
            if (word.startsWith("execs=")) {
                return Long.parseLong(word.substring(6));
            }
        }
        throw new AssertionError();
    }

    private List<ProcessHandle> workers() {
        return ProcessHandle.of(channel.pid()).orElseThrow().children().toList();
    }
}
