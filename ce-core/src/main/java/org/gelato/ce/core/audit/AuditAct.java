package org.gelato.ce.core.audit;

import java.util.EnumMap;
import java.util.Map;
import org.gelato.ce.core.identity.Caller;

/**
 * What was done, or refused. No proxy, key, token or job description is ever in it. Immutable.
 *
 * @param caller who did it by a request; null for what the CE did by itself, which names no request whatever thread reports it
 * @param details without those that have no value
 */
public record AuditAct(AuditEvent event, Caller caller, Map<AuditField, String> details) {
    public AuditAct {
        details = Map.copyOf(details);
    }

    /** By a caller's request. */
    public static AuditAct by(Caller caller, AuditEvent event) {
        return new AuditAct(event, caller, Map.of());
    }

    /** By the CE itself. */
    public static AuditAct own(AuditEvent event) {
        return new AuditAct(event, null, Map.of());
    }

    /** @param value null and the empty text leave the field out */
    public AuditAct with(AuditField field, String value) {
        if (value == null || value.isEmpty()) {
            return this;
        }
        Map<AuditField, String> more = new EnumMap<>(AuditField.class);
        more.putAll(details);
        more.put(field, value);
        return new AuditAct(event, caller, more);
    }
}
