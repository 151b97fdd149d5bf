package org.gelato.ce.ws.config;

import org.gelato.ce.ws.audit.AuditSettings;

/** Reads where the audit log is. */
final class AuditKeys {
    private AuditKeys() {}

    static AuditSettings read(ConfigReader r) {
        return new AuditSettings(
                r.flag("gelato.audit.enabled"),
                r.path("gelato.audit.file"),
                r.bytes("gelato.audit.max-file", 1L << 20, 1L << 36),
                r.number("gelato.audit.files", 1, 1000));
    }
}
