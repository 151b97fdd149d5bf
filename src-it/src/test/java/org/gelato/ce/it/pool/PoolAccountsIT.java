package org.gelato.ce.it.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.SiteUser.Outcome;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A VO mapped to a pool of two accounts: who gets one, keeps it, and who comes too late. Only root may switch accounts. */
class PoolAccountsIT {
    private static final List<String> POOL = List.of("dteam001", "dteam002");
    private static final String JDL = "[ Executable = \"/usr/bin/id\"; Arguments = \"-un\"; StdOutput = \"who\";"
            + " OutputSandbox = {\"who\"}; OutputSandboxBaseDestURI = \"gsiftp://localhost\"; ]";

    private static Path gridmapdir;
    private static SiteCe ce;

    @BeforeAll
    static void start() throws Exception {
        if (!System.getProperty("user.name").equals("root")) {
            Skipped.because("pool-accounts", "jobs can run as other accounts only where the tests run as root");
        }
        for (String account : POOL) {
            if (!exists(account)) {
                Skipped.because("pool-accounts", "account " + account + " could not be made");
            }
        }
        gridmapdir = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-gridmapdir-");
        Files.setPosixFilePermissions(gridmapdir, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String account : POOL) {
            Files.createFile(gridmapdir.resolve(account));
        }
        ce = new SiteCe("pool", "fork", ".dteam", Map.of("gelato.authorization.gridmapdir", gridmapdir.toString()));
        Files.writeString(ce.base().resolve("admins"), dn("Admin") + "\n");
        Files.writeString(
                ce.gridmap(), "\"" + dn("Admin") + "\" " + JobAccount.name() + "\n" + Files.readString(ce.gridmap()));
        ce.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (ce != null) {
            ce.close();
        }
        if (gridmapdir != null) {
            SiteCe.remove(gridmapdir);
        }
    }

    private static boolean exists(String account) throws Exception {
        return new ProcessBuilder(
                                "/bin/sh",
                                "-c",
                                "id " + account + " || useradd --no-create-home --shell /usr/sbin/nologin " + account)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static String dn(String user) {
        return DnForms.slash(ce.pki().user(user).subject());
    }

    /** Runs a job; returns the account it ran as, which the CE names too. */
    private static String account(SiteUser user) throws IOException {
        String id = user.must(JDL, "submit", "--wait", "-").out().strip();
        String named = user.info(id).path("localUser").asText();
        JsonNode output = user.must("", "output", "--json", id).json();
        Path said = Path.of(output.at("/jobs/0/files/0/path").asText());
        assertThat(said).hasContent(named);
        return named;
    }

    private static Outcome explain(String user) {
        return ce.user("Admin").run("", "explain", "--json", "--dn", dn(user), "--fqan", "/dteam");
    }

    @Test
    void eachUserKeepsAnAccountAndTheThirdIsTooLate() throws IOException {
        assertThat(explain("Alice").json().path("leased").asBoolean(true))
                .as("explaining leases nothing")
                .isFalse();
        String alice = account(ce.user("Alice"));
        String bob = account(ce.user("Bob"));
        assertThat(List.of(alice, bob)).containsExactlyInAnyOrderElementsOf(POOL);

        Outcome late = ce.user("Carol").run(JDL, "submit", "-");
        assertThat(late.exit()).isEqualTo(1);
        assertThat(late.err()).contains("pool dteam", "all 2 are leased");
        Outcome why = explain("Carol");
        assertThat(why.exit()).isEqualTo(1);
        assertThat(why.json().path("refusal").asText()).contains("all 2 are leased");

        ce.stop();
        ce.start();
        assertThat(account(ce.user("Bob"))).isEqualTo(bob);
        assertThat(account(ce.user("Alice"))).isEqualTo(alice);
        JsonNode shown = explain("Alice").json();
        assertThat(shown.path("account").asText()).isEqualTo(alice);
        assertThat(shown.path("pool").asText()).isEqualTo("dteam");
        assertThat(shown.path("leased").asBoolean()).isTrue();
        Path lease = Path.of(shown.path("lease").asText());
        assertThat(Files.isSameFile(lease, gridmapdir.resolve(alice))).isTrue();
    }
}
