package org.gelato.ce.core.delegation;

/** What a client has delegated. The ordinals are the codes in the database: never reorder them. */
public enum DelegationKind {
    /** A proxy certificate and its key; its end ends the jobs that use it. */
    X509("x509"),
    /** A bearer token (JWT) for other services; jobs outlive it. */
    JWT("jwt");

    private final String wireName;

    DelegationKind(String wireName) {
        this.wireName = wireName;
    }

    /** The kind's name in ARC REST 1.1. */
    public String wireName() {
        return wireName;
    }

    /** @throws ArrayIndexOutOfBoundsException for a code the database should not hold */
    static DelegationKind ofCode(int code) {
        return values()[code];
    }
}
