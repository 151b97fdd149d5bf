package org.gelato.ce.core.audit;

import java.util.Locale;

/** The kinds of lines of the audit log; docs/admin/audit.md describes each. */
public enum AuditEvent {
    REFUSED,
    BANNED,
    MAPPED,
    REGISTER,
    START,
    CANCEL,
    PURGE,
    SUSPEND,
    RESUME,
    SET_LEASE,
    DELEGATION_REQUEST,
    DELEGATION_PUT,
    DELEGATION_DESTROY,
    LEASE_SET,
    LEASE_DELETE,
    HANDED_OVER,
    ADOPTED,
    END,
    SUBMISSION_ENABLED,
    SUBMISSION_DISABLED,
    DRAIN,
    ENABLE,
    BAN,
    UNBAN,
    EXPLAIN,
    LIST_JOBS,
    PUBLISH_USAGE,
    SUPPRESSED;

    /** As it stands in the file. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
