package org.gelato.ce.ws.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
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
            try (Stream<Path> all = Files.walk(root)) {
                for (Path p : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(p);
                }
            }
        }
    }
}
