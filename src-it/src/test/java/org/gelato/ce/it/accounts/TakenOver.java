package org.gelato.ce.it.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.gelato.ce.blahbridge.GahpChannel;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.AccountCommands.Spawn;

/** An attacker who has the CE's account and calls the helper directly: every verb, with everything it must refuse. */
final class TakenOver {
    private final UnprivilegedCe site;
    private final String service;
    private final String alice;
    private final String bob;
    private final Path aliceHome;
    private final Path bobHome;
    private AccountCommands helper;

    TakenOver(UnprivilegedCe site, String service, String alice, String bob, Path aliceHome, Path bobHome) {
        this.site = site;
        this.service = service;
        this.alice = alice;
        this.bob = bob;
        this.aliceHome = aliceHome;
        this.bobHome = bobHome;
    }

    void triesEverything() throws IOException {
        Path secret = Files.writeString(aliceHome.resolve("secret"), "Alice's");
        LocalAccounts.must("chown", alice, secret.toString());
        LocalAccounts.must("chmod", "600", secret.toString());
        Files.createSymbolicLink(bobHome.resolve("link"), aliceHome);
        Files.createSymbolicLink(bobHome.resolve("file"), secret);
        // Root of the host makes what Bob himself may not: a second name of Alice's file in a directory of Bob's.
        Files.createLink(bobHome.resolve("hard"), secret);
        try (GahpChannel channel = GahpChannel.start(LocalAccounts.as(service, site.helper()))) {
            helper = new HelperAccountCommands(channel);
            get(helper.put(bob, new FileContent(bobHome.resolve("part"), 0600, new byte[] {1})));
            List<String> before = tree();
            for (Path path : List.of(
                    Path.of("/etc/shadow"),
                    Path.of(site.sandboxRoot() + "/../pki/hostkey.pem"),
                    Path.of(bobHome + "/../" + aliceHome.getFileName() + "/secret"),
                    Path.of(site.sandboxRoot() + "x/secret"),
                    site.sandboxRoot().resolve("secret"),
                    site.sandboxRoot().resolve("dteam/secret"),
                    secret,
                    bobHome.resolve("link/secret"))) {
                everyVerb(path);
            }
            contents(bobHome.resolve("file"));
            contents(bobHome.resolve("hard"));
            assertThat(Files.readString(secret)).isEqualTo("Alice's");
            assertThat(tree()).isEqualTo(before);
            accounts();
            programs();
            signals();
            // A collection removes the names that can never be read, from his own directory alone.
            assertThat(get(helper.collect(bob, bobHome, 100, 1000)))
                    .noneMatch(f -> new String(f.content(), StandardCharsets.UTF_8).contains("Alice's"));
            assertThat(Files.readString(secret)).isEqualTo("Alice's");
            // and what is allowed still is
            assertThat(get(helper.run(bob, bash(bobHome, "id -un"))).stdout().strip())
                    .isEqualTo(bob);
        } finally {
            for (String name : List.of("link", "file", "hard", "part", "o")) {
                Files.deleteIfExists(bobHome.resolve(name));
            }
            Files.deleteIfExists(secret);
        }
    }

    /** Names, owners and modes below the sandbox root. */
    private List<String> tree() throws IOException {
        try (Stream<Path> all = Files.walk(site.sandboxRoot())) {
            // An output of Bob's own, in his own home, may be made before the rest of a request is refused.
            return all.filter(p -> !p.toString().contains("/events") && !p.equals(bobHome.resolve("o")))
                    .map(TakenOver::owned)
                    .sorted()
                    .toList();
        }
    }

    private static String owned(Path path) {
        try {
            Map<String, Object> what =
                    Files.readAttributes(path, "unix:uid,gid,mode,size,ino", LinkOption.NOFOLLOW_LINKS);
            return path + " " + new TreeMap<>(what);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void everyVerb(Path path) {
        FileContent content = new FileContent(path, 0600, new byte[] {1});
        Path own = bobHome.resolve("own");
        refused(path, "put", helper.put(bob, content));
        refused(path, "get", helper.get(bob, path, 0, 100));
        refused(path, "append", helper.append(bob, path, 0, new byte[] {1}));
        refused(path, "append at the end", helper.append(bob, path, 7, new byte[] {1}));
        refused(path, "finish to", helper.finish(bob, bobHome.resolve("part"), path, 1));
        refused(path, "finish from", helper.finish(bob, path, own, 7));
        refused(path, "stat", helper.stat(bob, path));
        refused(path, "rename from", helper.renameAway(bob, path, own));
        refused(path, "rename to", helper.renameAway(bob, bobHome.resolve("hard"), path));
        refused(path, "remove", helper.remove(bob, path));
        // Directories right below the root and a VO's are homes to be: those the helper makes for whom it serves.
        boolean above = path.getParent().equals(site.sandboxRoot())
                || path.getParent().equals(site.sandboxRoot().resolve("dteam"));
        refused(path, "make a directory", helper.makeDirectory(bob, above ? path.getParent() : path.resolve("d")));
        refused(path, "list", helper.list(bob, path.getParent(), 10));
        refused(path, "collect", helper.collect(bob, path.getParent(), 10, 100));
        refused(path, "discard", helper.discard(bob, path.getParent(), List.of("secret", "shadow", "hostkey.pem")));
        refused(path, "run there", helper.run(bob, bash(path.getParent(), ":")));
        Run run = bash(bobHome, ":");
        refused(path, "run with a file there", helper.run(bob, with(run, content)));
        refused(path, "spawn with output there", helper.spawn(bob, spawn(path, bobHome.resolve("e"))));
        refused(path, "spawn with errors there", helper.spawn(bob, spawn(bobHome.resolve("o"), path)));
    }

    /** A name of a file that is not his, in his own directory. */
    private void contents(Path path) {
        denied("get", helper.get(bob, path, 0, 100));
        denied("append", helper.append(bob, path, 7, new byte[] {1}));
        denied("finish from", helper.finish(bob, path, bobHome.resolve("taken"), 7));
        denied("spawn with output there", helper.spawn(bob, spawn(path, bobHome.resolve("e"))));
    }

    private void accounts() {
        for (String account : List.of("root", "daemon", "nobody", service, "0", "../" + bob)) {
            refused(bobHome, "run as " + account, helper.run(account, bash(null, "id")));
            refused(bobHome, "file of " + account, helper.get(account, bobHome.resolve("hard"), 0, 1));
        }
        refused(bobHome, "run as root's own", helper.run(AccountCommands.SELF, bash(null, "id")));
        refused(
                bobHome,
                "signal as root's own",
                helper.signal(AccountCommands.SELF, site.ce().process().pid(), 9));
    }

    private void programs() {
        for (List<String> argv : List.of(
                List.of("/bin/cat", "/etc/passwd"),
                List.of("bash"),
                List.of("/bin/../bin/bash"),
                List.of("/bin/bash/"))) {
            refused(
                    bobHome,
                    argv.toString(),
                    helper.run(
                            bob, new Run(argv, bobHome, Map.of(), new byte[0], List.of(), Duration.ofMinutes(1), 100)));
        }
    }

    private static Run bash(Path directory, String script) {
        return new Run(
                List.of("/bin/bash", "-c", script),
                directory,
                Map.of("PATH", "/usr/bin:/bin"),
                new byte[0],
                List.of(),
                Duration.ofMinutes(1),
                1000);
    }

    private static Run with(Run run, FileContent file) {
        return new Run(
                run.argv(), run.cwd(), run.environment(), run.stdin(), List.of(file), run.timeout(), run.maxOutput());
    }

    private Spawn spawn(Path out, Path err) {
        return new Spawn(List.of("/bin/bash", "-c", ":"), bobHome, Map.of(), List.of(), out, err);
    }

    /** Only a job's own account signals it. */
    private void signals() {
        long job = get(helper.spawn(
                alice,
                new Spawn(
                        List.of("/bin/bash", "-c", "exec sleep 7654"),
                        aliceHome,
                        Map.of("PATH", "/usr/bin:/bin"),
                        List.of(),
                        aliceHome.resolve("signals.out"),
                        aliceHome.resolve("signals.err"))));
        ProcessHandle process = ProcessHandle.of(job).orElseThrow();
        ProcessHandle roots = rootsGroup();
        long notALeader = site.ce().process().pid();
        for (int signal : List.of(9, 15, 19)) {
            refused(bobHome, "signal Alice's", helper.signal(bob, job, signal));
            refused(bobHome, "signal root's", helper.signal(bob, roots.pid(), signal));
            refused(bobHome, "signal everybody", helper.signal(bob, 1, signal));
            // Groups are signalled: a process that leads none gets no signal, like a job that has ended.
            get(helper.signal(bob, notALeader, signal));
        }
        assertThat(process.isAlive()).isTrue();
        assertThat(roots.isAlive()).isTrue();
        assertThat(site.ce().process().isAlive()).isTrue();
        roots.destroyForcibly();
        get(helper.signal(alice, job, 9));
        process.onExit().orTimeout(5, TimeUnit.MINUTES).join();
        get(helper.remove(alice, aliceHome.resolve("signals.out")));
        get(helper.remove(alice, aliceHome.resolve("signals.err")));
    }

    /** A process of root's that leads a group of its own; it reports so, for before that there is no group. */
    private static ProcessHandle rootsGroup() {
        try {
            Process leader =
                    new ProcessBuilder("/usr/bin/setsid", "/bin/sh", "-c", "echo; exec /bin/sleep 600").start();
            assertThat(leader.getInputStream().read()).isEqualTo('\n');
            return leader.toHandle();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By the helper's own rules, before anything was tried. */
    private static void refused(Path path, String what, CompletableFuture<?> response) {
        assertThat(failure(what + " " + path, response)).as(what + " " + path).isEqualTo(Code.REFUSED);
    }

    /** By the rules, or by the kernel when the account tried. */
    private static void denied(String what, CompletableFuture<?> response) {
        assertThat(failure(what, response)).as(what).isIn(Code.REFUSED, Code.FAILED);
    }

    private static Code failure(String what, CompletableFuture<?> response) {
        try {
            Object got = get(response);
            throw new AssertionError(what + " was done: " + got);
        } catch (AccountCommandException e) {
            assertThat(e.getMessage()).as(what).isNotEmpty();
            return e.code();
        }
    }

    private static <T> T get(CompletableFuture<T> response) {
        try {
            return response.get(5, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException r ? r : new IllegalStateException(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
