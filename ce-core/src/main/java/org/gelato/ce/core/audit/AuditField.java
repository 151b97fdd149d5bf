package org.gelato.ce.core.audit;

import java.util.Locale;

/** The fields of a line, in their order; docs/admin/audit.md describes each. A field without a value is left out. */
public enum AuditField {
    TIME(32),
    EVENT(32),
    STATE(32),
    EXIT_CODE(64),
    REASON(512),
    DN(1024),
    FQAN(255),
    ACCOUNT(64),
    ADDRESS(64),
    CREDENTIAL(64),
    TOKEN(1024),
    JOB(255),
    BATCH_ID(64),
    DELEGATION(255),
    LEASE(255),
    ROUTES(512),
    TARGET(1024),
    COUNT(20),
    REQUEST(32);

    private final int longest;

    AuditField(int longest) {
        this.longest = longest;
    }

    /** Characters that are kept of a value. */
    public int longest() {
        return longest;
    }

    /** As it stands in the file. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
