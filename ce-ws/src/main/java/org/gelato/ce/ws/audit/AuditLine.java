package org.gelato.ce.ws.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.ws.web.Authentication;
import org.gelato.ce.ws.web.RequestContext;

/** A line of the audit log in the making. Values are cut to their field's length when they are set. Not thread-safe. */
final class AuditLine {
    private static final ObjectMapper JSON = new ObjectMapper(
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build());
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final Map<AuditField, String> values = new EnumMap<>(AuditField.class);

    AuditLine(AuditEvent event) {
        with(AuditField.EVENT, event.text());
    }

    /** A line about the request that this thread serves; its caller, when it is known, is in it. */
    static AuditLine ofRequest(AuditEvent event) {
        AuditLine line = new AuditLine(event);
        RequestContext request = RequestContext.current();
        if (request != null) {
            line.with(AuditField.ADDRESS, request.address()).with(AuditField.REQUEST, request.id());
            Authentication sender = request.authentication();
            if (sender != null) {
                line.with(AuditField.CREDENTIAL, sender.credential().fingerprint());
            }
            if (sender instanceof Authentication.Accepted accepted) {
                line.with(accepted.caller());
            }
        }
        return line;
    }

    /** An act that the core reports. */
    static AuditLine of(AuditAct act) {
        AuditLine line = act.caller() == null
                ? new AuditLine(act.event())
                : ofRequest(act.event()).with(act.caller());
        act.details().forEach(line::with);
        return line;
    }

    AuditLine with(Caller caller) {
        return with(AuditField.DN, caller.identity().subject())
                .with(AuditField.FQAN, caller.identity().group())
                .with(AuditField.ACCOUNT, caller.account());
    }

    /** @param value null and the empty text leave the field out */
    AuditLine with(AuditField field, String value) {
        if (value != null && !value.isEmpty()) {
            // JSON needs no escape for DEL, and terminals obey it.
            values.put(field, JobStore.cut(value, field.longest()).replace('\u007f', '?'));
        }
        return this;
    }

    /** Null when the field has no value. */
    String value(AuditField field) {
        return values.get(field);
    }

    /** The JSON, without control characters and with nothing but ASCII. */
    String json(Instant at) {
        with(AuditField.TIME, TIME.format(at));
        Map<String, String> texts = new LinkedHashMap<>();
        values.forEach((field, value) -> texts.put(field.text(), value));
        try {
            return JSON.writeValueAsString(texts);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a map of texts cannot be written as JSON", e);
        }
    }
}
