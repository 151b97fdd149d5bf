package org.gelato.ce.lrms.condor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Records of HTCondor's event log in JSON: objects one after the other, each of several lines, in pieces that end anywhere. Used by one
 * thread at a time, in the memory of one record.
 */
final class LogRecords {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST = 64 * 1024;

    private final Consumer<JsonNode> records;
    private final ByteArrayOutputStream record = new ByteArrayOutputStream();
    private int depth;
    private boolean inText;
    private boolean escaped;

    LogRecords(Consumer<JsonNode> records) {
        this.records = records;
    }

    /** Whether all of it were records, the last one perhaps without its end; what is none is passed over. */
    boolean take(byte[] bytes, int length) {
        boolean good = true;
        for (int i = 0; i < length; i++) {
            byte b = bytes[i];
            if (depth == 0 && b != '{') {
                good &= b == '\n' || b == '\r' || b == ' ' || b == '\t';
                continue;
            }
            record.write(b);
            follow(b);
            if (depth == 0) {
                good &= complete();
            } else if (record.size() > LONGEST) {
                forget();
                good = false;
            }
        }
        return good;
    }

    private void follow(byte b) {
        if (inText) {
            inText = escaped || b != '"';
            escaped = !escaped && b == '\\';
        } else if (b == '"') {
            inText = true;
        } else if (b == '{') {
            depth++;
        } else if (b == '}') {
            depth--;
        }
    }

    private boolean complete() {
        String text = record.toString(StandardCharsets.UTF_8);
        record.reset();
        try {
            records.accept(JSON.readTree(text));
            return true;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    /** What comes next is the beginning of a record. */
    void forget() {
        record.reset();
        depth = 0;
        inText = false;
        escaped = false;
    }
}
