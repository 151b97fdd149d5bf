package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenApiDocumentTest {
    private static JsonNode paths() throws IOException {
        try (InputStream in = OpenApiDocumentTest.class.getResourceAsStream("openapi.json")) {
            return new ObjectMapper().readTree(in).path("paths");
        }
    }

    /** A generator leaves out operations with a body of types that it does not know, such as PEM. */
    @ParameterizedTest
    @CsvSource({
        "/{version}/jobs, post",
        "/{version}/delegations/{delegation}, put",
        "/{version}/jobs/{job}/session/{path}, put"
    })
    void aGeneratedClientCanSendTheBody(String path, String method) throws IOException {
        assertThat(paths().path(path)
                        .path(method)
                        .path("requestBody")
                        .path("content")
                        .path("application/octet-stream")
                        .path("schema")
                        .path("format")
                        .asText())
                .isEqualTo("binary");
    }

    /** One that takes the first type of a body, as openapi-generator for Java does, sends descriptions and lists alike. */
    @Test
    void theFirstTypeOfABodyWithDescriptionsIsText() throws IOException {
        JsonNode content =
                paths().path("/{version}/jobs").path("post").path("requestBody").path("content");
        assertThat(content.fieldNames().next()).isEqualTo("application/xml");
        assertThat(content.path("application/xml").path("schema").path("type").asText())
                .isEqualTo("string");
    }

    @Test
    void everyOperationHasAnIdThatIsItsMethodInGeneratedClients() throws IOException {
        assertThat(paths().findValuesAsText("operationId"))
                .doesNotHaveDuplicates()
                .contains("putDelegation", "actOnJobs");
    }
}
