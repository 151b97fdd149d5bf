package org.gelato.ce.it.history.nemesis;

/** Who vouches for an owner: one of two CAs, or an issuer of tokens. */
public enum Authority {
    CA,
    /** Nobody's but that of some users, so that it can be missed. */
    OTHER_CA,
    ISSUER
}
