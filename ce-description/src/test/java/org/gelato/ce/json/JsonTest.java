package org.gelato.ce.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static final String JOB =
            "{\"id\":\"CREAM123456789\",\"dn\":\"CN=Bob\",\"account\":\"dteam001\",\"state\":\"IDLE\","
                    + "\"since\":\"2026-01-31T12:00:00.500Z\",\"registered\":\"2026-01-31T11:00:00Z\",\"lrms\":\"slurm\","
                    + "\"queue\":\"long\",\"lrmsJobId\":\"4711\"}";

    @Test
    void whatIsAbsentStaysAbsent() throws Exception {
        assertThat(Json.MAPPER.writeValueAsString(Json.MAPPER.readValue(JOB, SiteJob.class)))
                .isEqualTo(JOB);
        assertThat(Json.MAPPER.writeValueAsString(
                        Json.MAPPER.readValue("{\"jobs\":[" + JOB + "]}", SiteJob.Page.class)))
                .isEqualTo("{\"jobs\":[" + JOB + "]}");
    }

    @Test
    void whatALaterCeAddsIsPassedOver() throws Exception {
        SiteJob job = Json.MAPPER.readValue(JOB.replace("{", "{\"new\":[1],"), SiteJob.class);
        assertThat(job.lrmsJobId()).isEqualTo("4711");
    }

    @Test
    void aDocumentWithoutWhatItMustHaveIsRefused() {
        refused(JOB.replace("\"id\"", "\"no\""), "id");
        refused(JOB.replace("2026-01-31T11:00:00Z", "yesterday"), "yesterday");
        assertThatThrownBy(() -> Json.MAPPER.readValue("{\"next\":7}", SiteJob.Page.class))
                .isInstanceOf(JsonProcessingException.class);
        assertThatThrownBy(() -> Json.MAPPER.readValue("{\"dn\":\"CN=Bob\"}", Explanation.class))
                .isInstanceOf(JsonProcessingException.class)
                .hasMessageContaining("authorized");
    }

    /** As a server that is none of ours may send them. */
    @Test
    void whatIsNullOrOfAnotherTypeIsRefused() {
        refused(JOB.replace("\"CREAM123456789\"", "null"), "a job without id");
        refused(JOB.replace("\"2026-01-31T11:00:00Z\"", "null"), "registered");
        for (String page : List.of(
                "{\"jobs\":null}", "{\"jobs\":[null]}", "{\"jobs\":[],\"next\":\"\"}", "{\"jobs\":[],\"next\":1.9}")) {
            assertThatThrownBy(() -> Json.MAPPER.readValue(page, SiteJob.Page.class))
                    .as(page)
                    .isInstanceOf(JsonProcessingException.class);
        }
        for (String authorized : List.of("1", "\"true\"")) {
            assertThatThrownBy(() -> Json.MAPPER.readValue(
                            "{\"dn\":\"CN=Bob\",\"authorized\":" + authorized + "}", Explanation.class))
                    .as(authorized)
                    .isInstanceOf(JsonProcessingException.class);
        }
    }

    @Test
    void listsThatAreNotThereAreEmptyAndPagesMayBeginAnywhere() throws Exception {
        Explanation explanation = Json.MAPPER.readValue("{\"dn\":\"CN=Bob\",\"authorized\":true}", Explanation.class);
        assertThat(explanation.fqans()).isEmpty();
        assertThat(explanation.steps()).isEmpty();
        assertThat(Json.MAPPER
                        .readValue("{\"jobs\":[],\"next\":5000000000}", SiteJob.Page.class)
                        .next())
                .isEqualTo(5_000_000_000L);
    }

    private static void refused(String json, String why) {
        assertThatThrownBy(() -> Json.MAPPER.readValue(json, SiteJob.class))
                .isInstanceOf(JsonProcessingException.class)
                .hasMessageContaining(why);
    }
}
