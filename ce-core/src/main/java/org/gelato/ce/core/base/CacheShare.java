package org.gelato.ce.core.base;

/**
 * How the one budget for caches is divided: a sixteenth of the heap, of which each cache has a fixed part. So who fills one cache
 * displaces entries of that cache alone, and all of them together never take more, whatever clients send. What is displaced is found out
 * again. Each share has one cache in a process.
 */
public enum CacheShare {
    /** Certificate chains that were validated, with their attributes. */
    CHAINS("chains", 34),
    /** Tokens that were verified. */
    TOKENS("tokens", 15),
    /** Whom the audit log has as mapped. */
    MAPPED("mapped", 5),
    /** Rows of subjects, owners, accounts, queues by their names. */
    OWNERS("owners", 15),
    /** Owners by their rows. */
    NAMES("names", 6),
    /** Local accounts by their rows. */
    ACCOUNTS("accounts", 2),
    /** VOs of owners by the owners' rows. */
    VOS("vos", 2),
    /** Delegations that registrations named. */
    DELEGATIONS("delegations", 5),
    /** Files of wrapper scripts that were checked. */
    SCRIPTS("scripts", 5),
    /** Jobs known to have a row for messages. */
    MESSAGE_ROWS("message-rows", 5),
    /** Digests of output files. */
    DIGESTS("digests", 5),
    /** Accounts of connections from this host. */
    LOCAL_PEERS("local-peers", 1);

    private static final int OF_HEAP = 16;

    private final String label;
    private final int percent;

    CacheShare(String label, int percent) {
        this.label = label;
        this.percent = percent;
    }

    /** Its name in metrics. */
    public String label() {
        return label;
    }

    /** Most bytes of the cache. */
    public long bytes() {
        return budget() * percent / 100;
    }

    /** Bytes of all caches together, at the most. */
    static long budget() {
        return Runtime.getRuntime().maxMemory() / OF_HEAP;
    }
}
