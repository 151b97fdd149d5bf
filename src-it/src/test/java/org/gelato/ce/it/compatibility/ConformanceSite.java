package org.gelato.ce.it.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.awaitility.Awaitility;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.badinput.RawClient;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteDatabase;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;

/** A CE with an administrator and a banned user, on a database the tests can query. Users are made by their names. */
final class ConformanceSite implements AutoCloseable {
    private static final Path GRID_FTP = Path.of("/usr/sbin/globus-gridftp-server");

    /** Jobs that run at once. */
    static final int SLOTS = 3;

    private final SiteDatabase database = SiteDatabase.start();
    private final SiteCe ce;
    private final StrictReader cream2;
    private final StrictReader delegation;

    ConformanceSite() {
        Map<String, Object> settings = new HashMap<>(database.settings());
        settings.put("gelato.lrms.fork.slots", SLOTS);
        if (hasGridFtp()) {
            settings.put("gelato.gridftp.enabled", true);
            settings.put("gelato.gridftp.port", FreePort.choose());
        }
        ce = new SiteCe("conformance", "fork", JobAccount.name(), settings);
        try {
            Files.writeString(ce.base().resolve("admins"), slash("Admin"));
            Files.writeString(ce.base().resolve("ban"), slash("Banned"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ce.start();
        cream2 = StrictReader.cream2(wsdl(RawClient.CREAM2));
        delegation = StrictReader.delegation(wsdl(RawClient.DELEGATION));
    }

    private String slash(String user) {
        return DnForms.slash(pki().user(user).subject()) + "\n";
    }

    /** The description a service publishes. */
    String wsdl(String path) {
        try {
            return new RawClient(ce, null).get(path + "?wsdl").body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    GridPki pki() {
        return ce.pki();
    }

    SiteCe ce() {
        return ce;
    }

    SiteDatabase database() {
        return database;
    }

    private static boolean hasGridFtp() {
        return Files.isExecutable(GRID_FTP);
    }

    /** What the URI of this side of a sandbox matches, also where nothing serves it. */
    String sandboxUri(String side) {
        return "gsiftp://localhost(:[0-9]+)?/.*/" + side;
    }

    /** {@code https://host:port}. */
    String url() {
        return "https://localhost:" + ce.port();
    }

    StrictReader reader(WireOperation operation) {
        return operation.isDelegation() ? delegation : cream2;
    }

    /** A member of the VO. */
    OriginalClient user(String name) {
        return client(pki().proxy(pki().user(name)).make());
    }

    OriginalClient admin() {
        return user("Admin");
    }

    OriginalClient client(GridCredential credential) {
        return new OriginalClient(this, credential);
    }

    /**
     * Lets delegations of this id end now. Waiting for a proxy made short is no way: on a busy host it may end before it
     * is delegated, or be swept before it is requested.
     */
    void endDelegations(String id) {
        database.execute("UPDATE delegation SET expires_at = UTC_TIMESTAMP(6) - INTERVAL 1 SECOND WHERE client_id = '"
                + id + "'");
    }

    /** The subject of a user, RFC 2253. */
    String dn(String name) {
        return pki().user(name).subject();
    }

    /** Waits for what comes soon. */
    static void eventually(String what, org.awaitility.core.ThrowingRunnable check) {
        Awaitility.await(what).pollInterval(Duration.ofMillis(200)).untilAsserted(check);
    }

    /** A path below the site's directory. */
    Path file(String name) {
        return ce.base().resolve(name);
    }

    @Override
    public void close() {
        try {
            ce.close();
        } finally {
            database.close();
        }
    }
}
