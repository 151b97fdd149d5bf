package org.gelato.ce.ws.token;

/** Which rules an issuer's tokens follow; docs/developer/protocol/tokens.md, Kinds. */
public enum TokenProfile {
    /** WLCG profile 1.x: {@code wlcg.ver}, {@code wlcg.groups}, {@code compute.*}. */
    WLCG,
    /** SciTokens 2.x: {@code ver}, {@code condor:/READ}, {@code condor:/WRITE}, {@code compute.*}. */
    SCITOKENS,
    /** EGI Check-in: groups from entitlements. */
    EGI,
    /** Each token by the rules of the version claims it has; scopes and groups of all of the above. */
    ANY;

    boolean wlcg() {
        return this == WLCG || this == ANY;
    }

    boolean sciTokens() {
        return this == SCITOKENS || this == ANY;
    }

    boolean entitlements() {
        return this == EGI || this == ANY;
    }
}
