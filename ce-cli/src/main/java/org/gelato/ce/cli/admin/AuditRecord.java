package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * One line of the audit log.
 *
 * @param time when it was written
 * @param fields as in the file, {@code time} included
 */
record AuditRecord(Instant time, ObjectNode fields) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Empty for a line that was cut, or is none of the audit log. */
    static Optional<AuditRecord> parse(String line) {
        try {
            JsonNode node = JSON.readTree(line);
            return node instanceof ObjectNode fields && fields.path("event").isTextual()
                    ? Optional.of(
                            new AuditRecord(Instant.parse(fields.path("time").asText()), fields))
                    : Optional.empty();
        } catch (JsonProcessingException | DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A field's value; empty when it is absent. */
    String value(String field) {
        return fields.path(field).asText("");
    }
}
