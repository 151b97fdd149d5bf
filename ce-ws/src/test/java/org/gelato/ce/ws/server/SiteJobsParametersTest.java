package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteJobsParametersTest extends ServerFixture {
    private static final String PATH = "/ce-cream/admin/jobs";

    @Test
    void otherCallersAreRefused() throws Exception {
        HttpResponse<String> user = get(PATH, "X-Caller", "alice");
        assertThat(user.statusCode()).isEqualTo(403);
        assertThat(json(user).path("error").asText())
                .startsWith("only administrators of this CE may request the jobs of all users: '/CN=")
                .contains("' is not in the file of gelato.authorization.admins");
        assertThat(get(PATH).statusCode()).isEqualTo(403);
    }

    /** As the dashboard does; no other page of administrators is, and nothing is changed. */
    @Test
    void whoMaySeeAllJobsElsewhereNeedsNoCertificate() throws Exception {
        assertThat(get(PATH + "?job=CREAM1", "X-Here", "yes").statusCode()).isEqualTo(400);
        assertThat(get(PATH + "?job=CREAM1", "X-Here", "yes", "Authorization", "Bearer x")
                        .statusCode())
                .as("whoever says who he is")
                .isEqualTo(403);
        assertThat(get("/ce-cream/admin/bans", "X-Here", "yes").statusCode()).isEqualTo(403);
        assertThat(get("/ce-cream/admin/drains", "X-Here", "yes").statusCode()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?dn=garbage",
                "?dn=",
                "?vo=a&vo=b",
                "?state=IDLE&state=nonsense",
                "?before=yesterday",
                "?before=%2B1000000000-12-31T00:00:00Z",
                "?before=1969-12-31T00:00:00Z",
                "?at=noon",
                "?batch=",
                "?job=CREAM1",
                "?after=x",
                "?after=-1",
                "?after=99999999999"
            })
    void anInvalidParameterIsNamed(String query) throws Exception {
        HttpResponse<String> response = get(PATH + query, "X-Caller", "admin");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).path("error").asText()).isNotBlank();
    }
}
