package org.gelato.ce.ws.token;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads JSON that two readers can't understand differently: valid UTF-8, one object, no member twice (however its name is
 * escaped), of bounded depth.
 */
final class StrictJson {
    private static final int MAX_DEPTH = 16;
    private static final int MAX_NAME = 256;
    private static final int MAX_NUMBER = 64;

    private static final ObjectReader READER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNameLength(MAX_NAME)
                            .maxNumberLength(MAX_NUMBER)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    // What the parser remembers of names is not to be filled by tokens.
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build()
            .readerFor(JsonNode.class);

    private StrictJson() {}

    /** @throws IllegalArgumentException what is wrong, without any of the text */
    static JsonNode object(byte[] utf8) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("is not valid UTF-8", e);
        }
        JsonNode node;
        try {
            node = READER.readValue(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    String.valueOf(e.getOriginalMessage()).startsWith("Duplicate")
                            ? "has a member twice"
                            : "is not one JSON object of bounded depth",
                    e);
        }
        if (node == null || !node.isObject()) {
            throw new IllegalArgumentException("is not a JSON object");
        }
        return node;
    }
}
