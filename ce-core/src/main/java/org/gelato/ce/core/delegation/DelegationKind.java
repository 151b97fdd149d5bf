package org.gelato.ce.core.delegation;

/** What a client has delegated. */
public enum DelegationKind {
    /** A proxy certificate and its key; its end ends the jobs that use it. */
    X509(0, "x509"),
    /** A bearer token (JWT) for other services; jobs outlive it. */
    JWT(1, "jwt");

    private final int code;
    private final String wireName;

    DelegationKind(int code, String wireName) {
        this.code = code;
        this.wireName = wireName;
    }

    /** The kind's number in the database. */
    int code() {
        return code;
    }

    /** The kind's name in ARC REST 1.1. */
    public String wireName() {
        return wireName;
    }

    static DelegationKind ofCode(int code) {
        for (DelegationKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("delegation of an unknown kind: " + code);
    }
}
