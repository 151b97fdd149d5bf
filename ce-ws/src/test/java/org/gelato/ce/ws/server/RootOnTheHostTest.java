package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.service.SiteAdministration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Root on the CE's host drains and bans without credentials, as {@code ce server drain} does; nobody else, and nothing else. */
class RootOnTheHostTest extends ServerFixture {
    private static final String DRAINS = "/ce-cream/admin/drains";
    private static final String BANS = "/ce-cream/admin/bans";

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private TestCe ce;

    @BeforeEach
    @Override
    void start() {
        ce = new TestCe(DB.database(), new FakeLrms(), "h");
        fake.control = new SiteAdministration(
                DB.database(), ce.admission, ce.jobStore, ce.jobCommands, Optional::empty, Set.of(), ce.trail);
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

    @Test
    void rootDrainsAndBansAndEndsBoth() throws Exception {
        assertThat(by("PUT", DRAINS + "?queue=long&reason=disks", "X-Root", "yes")
                        .statusCode())
                .isEqualTo(200);
        assertThat(fake.control.drains())
                .extracting(Drain::name, Drain::by)
                .containsExactly(tuple("long", "CN=root on the CE's host"));
        assertThat(json(by("DELETE", DRAINS + "?queue=long", "X-Root", "yes"))
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(by("PUT", BANS + "?vo=cms", "X-Root", "yes").statusCode()).isEqualTo(200);
        assertThat(fake.control.bans()).extracting(Ban::name).containsExactly("cms");
        assertThat(json(by("DELETE", BANS + "?vo=cms", "X-Root", "yes"))
                        .path("changed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void othersAndCredentialsOfOthersAreRefused() throws Exception {
        for (String method : Set.of("GET", "PUT", "DELETE")) {
            for (String path : Set.of(DRAINS + "?vo=cms", BANS + "?vo=cms")) {
                assertThat(by(method, path, "X-Here", "yes").statusCode())
                        .as(method + " of another account")
                        .isEqualTo(403);
                assertThat(by(method, path, "X-Root", "yes", "Authorization", "Bearer x")
                                .statusCode())
                        .as(method + " of root who says who he is")
                        .isEqualTo(403);
            }
        }
        assertThat(get("/ce-cream/admin/jobs?job=CREAM1", "X-Root", "yes").statusCode())
                .isEqualTo(403);
        assertThat(fake.control.drains()).isEmpty();
        assertThat(fake.control.bans()).isEmpty();
    }
}
