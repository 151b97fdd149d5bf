package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainTest extends ServerFixture {
    private static final String PATH = "/ce-cream/admin/explain";

    @Test
    void anAdministratorGetsTheExplanation() throws Exception {
        HttpResponse<String> response = get(
                PATH + "?dn=%2FO%3Dx%2FCN%3DSome%20Body&fqan=%2Fdteam&fqan=%2Fdteam%2FRole%3Dp", "X-Caller", "admin");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response).path("dn").asText()).isEqualTo("CN=Some Body,O=x");
        assertThat(json(response).path("fqans")).hasToString("[\"/dteam\",\"/dteam/Role=p\"]");
        assertThat(json(response).path("authorized").asBoolean()).isTrue();
        assertThat(json(response).path("banned").isNull()).isTrue();
    }

    @Test
    void aJobIsExplainedWithTheUser() throws Exception {
        HttpResponse<String> response = get(PATH + "?dn=CN%3Da&queue=long&cores=8", "X-Caller", "admin");
        assertThat(json(response).at("/routes/names")).hasToString("[\"long\"]");
        assertThat(json(response).at("/routes/values/0/value").asInt()).isEqualTo(8);
        assertThat(json(get(PATH + "?dn=CN%3Da&queue=long", "X-Caller", "admin"))
                        .at("/routes/values/0/value")
                        .asInt())
                .isEqualTo(1);
        assertThat(json(get(PATH + "?dn=CN%3Da", "X-Caller", "admin"))
                        .path("routes")
                        .isNull())
                .isTrue();
    }

    @Test
    void aFullDiskIsNamedToTheAdministrator() throws Exception {
        HttpResponse<String> response = get(PATH + "?dn=%2FO%3Dx%2FCN%3Dfull", "X-Caller", "admin");
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(json(response).path("error").asText())
                .isEqualTo(
                        "/var/spool/x: No space left on device; correct that on the CE's host and repeat the command");
    }

    @Test
    void otherCallersAreRefused() throws Exception {
        HttpResponse<String> user = get(PATH + "?dn=CN%3Da", "X-Caller", "alice");
        assertThat(user.statusCode()).isEqualTo(403);
        assertThat(json(user).path("error").asText())
                .startsWith("only administrators of this CE may request how a user is authorized: '/CN=")
                .contains("' is not in the file of gelato.authorization.admins");
        HttpResponse<String> nobody = get(PATH + "?dn=CN%3Da");
        assertThat(nobody.statusCode()).isEqualTo(403);
        assertThat(json(nobody).path("error").asText()).isEqualTo("a client certificate is needed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?dn=",
                "?dn=CN%3Da&dn=CN%3Db",
                "?fqan=%2Fdteam",
                "?dn=garbage",
                "?dn=%2FFOO%3Dx",
                "?dn=CN%3Da&queue=no",
                "?dn=CN%3Da&cores=8",
                "?dn=CN%3Da&queue=long&cores=0"
            })
    void aQuestionThatIsNoneIsRefused(String query) throws Exception {
        assertThat(get(PATH + query, "X-Caller", "admin").statusCode()).isEqualTo(400);
    }
}
