package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.service.SiteAdministration;
import org.gelato.ce.ws.web.ControlKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Who can read the CE's key drains and bans, as {@code ce server drain} does; nobody else, and nothing else. */
class RootOnTheHostTest extends ServerFixture {
    private static final String DRAINS = "/ce-cream/admin/drains";
    private static final String BANS = "/ce-cream/admin/bans";

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @TempDir
    private Path home;

    private TestCe ce;

    @BeforeEach
    @Override
    void start() {
        ce = new TestCe(DB.database(), new FakeLrms(), "h");
        fake.control = new SiteAdministration(
                DB.database(), ce.admission, ce.jobStore, ce.jobCommands, Optional::empty, Set.of(), ce.trail);
        fake.root = ControlKey.make(home)::isShownBy;
        super.start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private HttpResponse<String> by(String method, String path, String... headers) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri(path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .headers(headers)
                        .build(),
                BodyHandlers.ofString());
    }

    /** As {@code ce server drain} does it. */
    private String key() {
        return ControlKey.read(home);
    }

    @Test
    void rootDrainsAndBansAndEndsBoth() throws Exception {
        String key = key();
        assertThat(by("PUT", DRAINS + "?queue=long&reason=disks", ControlKey.HEADER, key)
                        .statusCode())
                .isEqualTo(200);
        assertThat(fake.control.drains())
                .extracting(Drain::name, Drain::by)
                .containsExactly(tuple("long", "CN=root on the CE's host"));
        assertThat(json(by("DELETE", DRAINS + "?queue=long", ControlKey.HEADER, key))
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(by("PUT", BANS + "?vo=cms", ControlKey.HEADER, key, "X-Caller", "alice")
                        .statusCode())
                .as("a credential beside the key")
                .isEqualTo(200);
        assertThat(fake.control.bans())
                .extracting(Ban::name, Ban::by)
                .containsExactly(tuple("cms", "CN=root on the CE's host"));
        assertThat(json(by("DELETE", BANS + "?vo=cms", ControlKey.HEADER, key))
                        .path("changed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void whoHasNotTheKeyIsRefused() throws Exception {
        String key = key();
        String wrong = (key.startsWith("0") ? "1" : "0") + key.substring(1);
        for (String method : Set.of("GET", "PUT", "DELETE")) {
            for (String path : Set.of(DRAINS + "?vo=cms", BANS + "?vo=cms")) {
                assertThat(by(method, path, "X-Here", "yes").statusCode())
                        .as(method + " of an account of this host")
                        .isEqualTo(403);
                assertThat(by(method, path, ControlKey.HEADER, wrong).statusCode())
                        .as(method + " with another key")
                        .isEqualTo(403);
                assertThat(by(method, path, ControlKey.HEADER, "").statusCode())
                        .as(method + " with an empty key")
                        .isEqualTo(403);
            }
        }
        for (String path : Set.of("/ce-cream/admin/jobs?job=CREAM1", "/ce-cream/admin/explain?dn=CN=x")) {
            assertThat(get(path, ControlKey.HEADER, key).statusCode())
                    .as("%s with the key of drains and bans", path)
                    .isEqualTo(403);
        }
        assertThat(fake.control.drains()).isEmpty();
        assertThat(fake.control.bans()).isEmpty();
    }

    @Test
    void theKeyIsForItsOwnerAloneAndNewAtEachStart() throws Exception {
        Path file = home.resolve("control.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        String before = key();

        ControlKey.make(home);

        assertThat(key()).isNotEqualTo(before);
        assertThat(by("PUT", BANS + "?vo=cms", ControlKey.HEADER, before).statusCode())
                .isEqualTo(403);
    }

    /** Root would send what is in the file of somebody else. */
    @Test
    void whatIsNoKeyIsNotRead() throws Exception {
        Path file = home.resolve("control.key");
        Path other = Files.writeString(home.resolve("other"), key());
        Files.delete(file);
        assertThatThrownBy(this::key).hasMessageContaining("does not exist; run this as root");
        Files.createSymbolicLink(file, other);
        assertThatThrownBy(this::key).hasMessageContaining("is not a regular file");
        Files.delete(file);
        Files.writeString(file, "root:$6$salt");
        assertThatThrownBy(this::key).hasMessageContaining("has no key").hasMessageNotContaining("salt");
        assertThat(by("PUT", BANS + "?vo=cms", ControlKey.HEADER, "root:$6$salt")
                        .statusCode())
                .isEqualTo(403);
    }
}
