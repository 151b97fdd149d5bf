package org.gelato.ce.ws.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.testkit.token.IssuerServer;
import org.gelato.ce.testkit.token.TestIssuer;
import org.junit.jupiter.api.Test;

/** What the check finds on the way of one user's job. */
class ServerTraceTest extends CheckedSite {
    private String trace(String... user) {
        List<ServerTrace.Step> steps =
                ServerTrace.steps(file, user[0], List.of(user).subList(1, user.length));
        assertThat(steps.subList(0, steps.size() - 1)).allMatch(ServerTrace.Step::passed);
        return steps.get(steps.size() - 1).text();
    }

    @Test
    void aTraceEndsWhereAUsersJobWouldStop() throws Exception {
        assertThat(trace("/DC=test/CN=b")).startsWith("STOP mapping: ");
        assertThat(trace("/DC=test/CN=b", "/dteam")).doesNotStartWith("STOP mapping");
        assertThat(trace("/DC=test/CN=b", "/unknown"))
                .startsWith("STOP VOMS attributes: ")
                .contains("unknown has no .lsc");
        write("bans", "\"/DC=test/CN=a\"\n");
        assertThat(trace("/DC=test/CN=a"))
                .startsWith("STOP ban list: banned by ")
                .contains("bans:1");
        write("bans", "who knows\n");
        assertThat(trace("/DC=test/CN=a")).startsWith("STOP lists of users: ");
        write("bans", "");
        write("map", "\"/DC=test/CN=a\" daemon\n");
        assertThat(trace("/DC=test/CN=a")).startsWith("STOP account: the helper does not serve daemon");
        assertThatThrownBy(() -> trace("nobody")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTraceOfATokenEndsWhereItsJobWouldStop() throws Exception {
        TestIssuer issuer = TestIssuer.create("https://iam.example.org/", clock);
        String ann = issuer.name() + ",ann";
        assertThat(trace(ann, "compute.create"))
                .startsWith("STOP issuer: no token of " + issuer.name())
                .contains("gelato.tokens.issuers");
        Files.writeString(
                file,
                Files.readString(file) + "gelato.tokens.issuers = [{ issuer = \"" + issuer.name()
                        + "\", keys = \"keys.json\", vo = cms }]\n");
        assertThat(trace(ann, "compute.create"))
                .startsWith("STOP issuer: the keys of " + issuer.name())
                .contains("keys.json");
        issuer.writeJwks(site.resolve("keys.json"));
        assertThat(trace(ann, "compute.create")).startsWith("STOP mapping: " + ann);
        write("map", "\"" + issuer.name() + ",ann\" daemon\n\"" + issuer.name() + " group=/cms\" daemon\n");
        assertThat(trace(ann, "compute.read", "compute.modify"))
                .startsWith("STOP scopes: the token permits compute.read, compute.modify alone")
                .contains("compute.create");
        assertThat(trace(ann, "compute.create")).startsWith("STOP account: the helper does not serve daemon");
        assertThat(trace(issuer.name() + ",bob", "/cms")).startsWith("STOP account");
        assertThat(trace(issuer.name() + ",bob", "/other")).startsWith("STOP mapping");
        write("bans", "\"" + ann + "\"\n");
        assertThat(trace(ann, "compute.create")).startsWith("STOP ban list: ").contains("bans:1");
    }

    @Test
    void aTraceOfATokenFetchesTheKeysOfItsIssuer() throws Exception {
        long before = leftovers();
        try (IssuerServer server = new IssuerServer(pki.user("localhost"))) {
            TestIssuer issuer = TestIssuer.create(server.url(), clock);
            Files.writeString(
                    file,
                    Files.readString(file) + "gelato.tokens.issuers = [{ issuer = \"" + issuer.name() + "\" }]\n");
            write("map", "\"/DC=test/CN=a\" " + account + "\n");
            assertThat(trace(issuer.name() + ",ann")).startsWith("STOP issuer: the keys of " + issuer.name());
            server.serve(issuer);
            List<ServerTrace.Step> steps = ServerTrace.steps(file, issuer.name() + ",ann", List.of("compute.create"));
            assertThat(steps.get(0).text()).startsWith("ok   issuer: ").contains("by 2 keys fetched now");
        }
        assertThat(leftovers()).isEqualTo(before);
    }

    @Test
    void aTraceWalksToTheBatchSystem() throws Exception {
        Path root = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-trace-");
        try {
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
            set("sandbox-root", root.resolve("sandbox").toString());
            assertThat(trace("/DC=test/CN=a")).startsWith("ok   batch system: " + account);
            TestIssuer issuer = TestIssuer.create("https://iam.example.org/", clock);
            issuer.writeJwks(site.resolve("keys.json"));
            Files.writeString(
                    file,
                    Files.readString(file) + "gelato.tokens.issuers = [{ issuer = \"" + issuer.name()
                            + "\", keys = \"keys.json\", vo = cms }]\n");
            write("map", "\"" + issuer.name() + "\" " + account + "\n\"/DC=test/CN=a\" " + account + "\n");
            List<ServerTrace.Step> steps = ServerTrace.steps(file, issuer.name() + ",ann", List.of("compute.create"));
            assertThat(steps)
                    .allMatch(ServerTrace.Step::passed)
                    .extracting(ServerTrace.Step::name)
                    .containsExactly("issuer", "ban list", "mapping", "scopes", "account", "sandbox", "batch system");
            assertThat(steps.get(5).what())
                    .contains(root.resolve("sandbox").resolve("cms").toString());
            slurm("echo 'Unable to contact slurm controller' >&2; exit 1");
            assertThat(trace("/DC=test/CN=a")).startsWith("STOP batch system: ");
        } finally {
            deleteAll(root);
        }
    }

    /** Right after its hand-over a job may not be shown by its name yet, or the batch system may not respond once. */
    @Test
    void aJobIsFoundByItsNameOnceItIsShownByIt() throws Exception {
        Path root = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-trace-");
        try {
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
            set("sandbox-root", root.resolve("sandbox").toString());
            set("sandbox.shared", "false");
            assertThat(TestJob.steps(file, account, Duration.ofSeconds(60), (config, accounts) -> new Shown("failed")))
                    .last()
                    .extracting(ServerTrace.Step::text)
                    .asString()
                    .startsWith("STOP run: 101 is FAILED (errno=13: 'Permission denied')")
                    .contains("run jobs as " + account);
            for (String byName : List.of("absent found", "unknown found", "unknown", "unknown absent")) {
                List<ServerTrace.Step> steps =
                        TestJob.steps(file, account, Duration.ofSeconds(60), (config, accounts) -> new Shown(byName));
                assertThat(steps)
                        .as(byName)
                        .extracting(ServerTrace.Step::name)
                        .contains("files")
                        .matches(names -> names.contains("look-up") == byName.endsWith("absent"), "look-up is a stop");
            }
        } finally {
            deleteAll(root);
        }
    }

    /** Shows its job by its name as each word says, one a turn, and as ended with the last. */
    private static final class Shown extends FakeLrms {
        private final List<String> byName;
        private int turn;

        Shown(String byName) {
            this.byName = List.of(byName.split(" "));
        }

        @Override
        public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
            Lookup one = lookups.iterator().next();
            String tag = one.tag();
            if (one.lrmsId() != null) {
                if (byName.contains("failed")) {
                    turn = 1;
                    return CompletableFuture.completedFuture(Map.of(
                            tag,
                            new LrmsJob(
                                    "101", tag, LrmsJob.State.FAILED, null, "errno=13: 'Permission denied'", "wn1")));
                }
                LrmsJob.State state = ++turn < byName.size() ? LrmsJob.State.RUNNING : LrmsJob.State.DONE;
                return CompletableFuture.completedFuture(
                        Map.of(tag, new LrmsJob(one.lrmsId(), tag, state, 0, null, "wn1")));
            }
            return CompletableFuture.completedFuture(
                    switch (byName.get(turn - 1)) {
                        case "absent" -> Map.of();
                        case "failed" -> Map.of();
                        case "unknown" -> Map.of(tag, LrmsJob.unreadable(tag, "no response"));
                        default -> Map.of(tag, new LrmsJob("101", tag, LrmsJob.State.RUNNING, null, null, "wn1"));
                    });
        }
    }
}
