package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import javax.xml.parsers.DocumentBuilderFactory;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobStatusResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

class StatusWriterTest {
    private final JobMapping mapping = new JobMapping(URI.create("https://ce.example.org:8443"), null, null);

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
    void aResultIsTheSameDocumentAsByTheGeneratedClasses(
            String id, Instant since, String exitCode, String reason, String description) throws Exception {
        for (JobState state : JobState.values()) {
            JobStatus status = new JobStatus(state, since, exitCode, reason, description);
            JobStatusResult result = new JobStatusResult(id, status, null);
            Document generated = document(ResultWriter.STATUS.by(this::byGeneratedClasses), result);
            Document written = document(new StatusWriter(mapping, null), result);
            assertThat(written.isEqualNode(generated))
                    .as(written.getDocumentElement().getTextContent() + " is "
                            + generated.getDocumentElement().getTextContent())
                    .isTrue();
        }
    }

    private org.gelato.ce.ws.cream2.wsdl.JobStatusResult byGeneratedClasses(JobStatusResult result) {
        org.gelato.ce.ws.cream2.wsdl.JobStatusResult wire = new org.gelato.ce.ws.cream2.wsdl.JobStatusResult();
        wire.setJobDescriptionId(mapping.resultRef(result.id()));
        wire.setJobStatus(mapping.status(result.id(), result.status()));
        return wire;
    }

    private static Document document(SlicedResponse.Writer<JobStatusResult> writer, JobStatusResult result)
            throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        text(out, "<all xmlns=\"" + Cream2Operation.TYPES + "\">");
        writer.write(result, out);
        text(out, "</all>");
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(out.toByteArray()));
    }

    private static void text(ByteArrayOutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
