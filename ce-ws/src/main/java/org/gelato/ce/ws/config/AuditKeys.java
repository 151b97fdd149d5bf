package org.gelato.ce.ws.config;

import org.gelato.ce.ws.audit.AuditSettings;

/** Reads where the audit log is, and that of requests. */
final class AuditKeys {
    private AuditKeys() {}

    static AuditSettings read(ConfigReader r) {
        return read(r, "gelato.audit");
    }

    static AuditSettings accessLog(ConfigReader r) {
        return read(r, "gelato.http.access-log");
    }

    private static AuditSettings read(ConfigReader r, String block) {
        return new AuditSettings(
                r.flag(block + ".enabled"),
                r.path(block + ".file"),
                r.bytes(block + ".max-file", 1L << 20, 1L << 36),
                r.number(block + ".files", 1, 1000));
    }
}
