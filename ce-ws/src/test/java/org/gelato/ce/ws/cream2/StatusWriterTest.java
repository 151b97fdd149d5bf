package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.soap.WireTime;
import org.gelato.ce.ws.soap.XmlResponse;
import org.gelato.ce.ws.web.XmlText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusWriterTest {
    private static final String BASE = "https://ce.example.org:8443";
    private final JobMapping mapping = new JobMapping(URI.create(BASE), null);

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "CREAM000000001, 2026-11-25T01:02:03.004Z, , , ",
                "https://elsewhere/CREAM000000002, 2026-12-31T23:59:59.999999Z, 0, '', ''",
                "CREAM000000003, 1970-01-01T00:00:00Z, 143, 'a <b> & \"c\" ]]>', '\t two  blanks '",
                "CREAM000000004, 9999-12-31T23:59:59.100Z, W, 'é 漢 😀 \u0001\uFFFF', '&#13;'",
                "'<\"&>', 2026-11-25T10:20:30.050Z, 1, x, y",
            })
    void aResultSaysWhatTheStatusSays(String id, Instant since, String exitCode, String reason, String description)
            throws Exception {
        String local = id.substring(id.lastIndexOf('/') + 1);
        for (JobState state : JobState.values()) {
            JobStatus status = new JobStatus(state, since, exitCode, reason, description);
            ElementWriter writer = new ElementWriter();
            new StatusWriter(mapping, null).accept(new JobStatusResult(id, status, null), writer);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            writer.flush(out);
            XmlResponse result = XmlResponse.parse(out.toString(StandardCharsets.UTF_8));
            assertThat(result.attribute("jobDescriptionId")).isEqualTo(BASE + "/" + local);
            assertThat(result.names("")).containsExactly("jobStatus");
            XmlResponse written = result.at("jobStatus");
            assertThat(written.at("jobId", "id").text()).isEqualTo(local);
            assertThat(written.at("jobId", "creamURL").text()).isEqualTo(BASE + "/ce-cream/services/CREAM2");
            assertThat(written.at("name").text()).isEqualTo(state.wireName());
            assertThat(written.at("timestamp").text()).isEqualTo(WireTime.format(since));
            List<String> names = new ArrayList<>(List.of("jobId", "name", "timestamp"));
            check(names, written, "exitCode", exitCode);
            check(names, written, "failureReason", reason);
            check(names, written, "description", description);
            assertThat(written.names("")).isEqualTo(names);
        }
    }

    private static void check(List<String> names, XmlResponse written, String name, String text) {
        if (text != null) {
            names.add(name);
            assertThat(written.at(name).text()).isEqualTo(XmlText.clean(text));
        }
    }
}
