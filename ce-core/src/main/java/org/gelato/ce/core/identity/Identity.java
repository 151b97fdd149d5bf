package org.gelato.ce.core.identity;

import java.util.List;

/**
 * Who a caller is, by one kind of credential. The owner of jobs is kind, {@link #subject()} and {@link #group()} together, so that
 * a name of one kind is never another identity of another kind.
 */
public sealed interface Identity permits GridIdentity, LinkedIdentity, TokenIdentity {
    /** The kinds of credentials there are. The ordinals are the codes in the database: never reorder them. */
    enum Kind {
        /** A certificate or proxy certificate; the subject is its DN, the group its primary FQAN. */
        X509,
        /** A bearer token; the subject is its issuer and name, the group the one by which it is mapped. */
        TOKEN;

        public int code() {
            return ordinal();
        }

        /** @throws ArrayIndexOutOfBoundsException for a code the database should not hold */
        public static Kind ofCode(int code) {
            return values()[code];
        }
    }

    Kind kind();

    /** The user or service; never null, unique within the kind. */
    String subject();

    /** What the caller acts for; the empty string for nothing. */
    String group();

    /** The virtual organisation; null without one. */
    String vo();

    /** Whose the jobs are that the caller registers. */
    default Owner owner() {
        return new Owner(subject(), group(), vo());
    }

    /** Whether the credential may not be used to register jobs. */
    default boolean limited() {
        return false;
    }

    /** Whether the credential is a bearer token, also where the owner is the user of a DN; else it is a certificate. */
    default boolean byToken() {
        return false;
    }

    /** Whether the credential may be used for operations of this kind. */
    default boolean permits(Permission permission) {
        return true;
    }

    /**
     * Words of the credential's scopes that permit nothing here, though they may be meant to: a permission with a path, or in
     * another letter case. Few, short, printable ASCII; empty but for tokens.
     */
    default List<String> ignoredScopes() {
        return List.of();
    }
}
