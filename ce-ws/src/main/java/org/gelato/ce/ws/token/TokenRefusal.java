package org.gelato.ce.ws.token;

/** Why a token is not accepted. The message holds nothing of the token's text and may be shown to the client. */
public final class TokenRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int MAX_DESCRIPTION = 200;

    /** What kind of refusal, and its HTTP status. */
    public enum Kind {
        /** The header is malformed, or there are several tokens. */
        INVALID_REQUEST(400),
        /** The token is malformed, has ended, is for another service, or is not signed by its issuer. */
        INVALID_TOKEN(401),
        /** The issuer's keys can't be fetched now; the token may be valid. */
        KEYS_UNAVAILABLE(503);

        private final int status;

        Kind(int status) {
            this.status = status;
        }

        /** The HTTP status of the response. */
        public int status() {
            return status;
        }
    }

    private final Kind kind;
    private final String claim;
    private final String description;
    private final transient ClaimedNames names;

    private TokenRefusal(Kind kind, String claim, String description, ClaimedNames names) {
        super(claim + ": " + description, null, false, false);
        this.kind = kind;
        this.claim = claim;
        this.description = description;
        this.names = names;
    }

    /**
     * A refusal.
     *
     * @param claim the claim, member of the header or part that is refused, such as {@code exp} or {@code signature}
     * @param description what is wrong and what to do; characters that a header can't carry are replaced
     */
    public TokenRefusal(Kind kind, String claim, String description) {
        this(kind, claim, clean(description), ClaimedNames.NONE);
    }

    static TokenRefusal invalid(String claim, String description) {
        return new TokenRefusal(Kind.INVALID_TOKEN, claim, description);
    }

    /** The same with the names the token claims. */
    TokenRefusal about(ClaimedNames whose) {
        return new TokenRefusal(kind, claim, description, whose);
    }

    public Kind kind() {
        return kind;
    }

    /** The claim, member of the header or part that is refused; never null. */
    public String claim() {
        return claim;
    }

    /** Printable ASCII without quotes and backslashes. */
    public String description() {
        return description;
    }

    /** Whose token it says it is, for the audit log; nothing of it is proved. Never null. */
    public ClaimedNames names() {
        return names == null ? ClaimedNames.NONE : names;
    }

    private static String clean(String text) {
        String plain = text.replaceAll("[^ -~]", "?").replaceAll("[\"\\\\]", "'");
        return plain.length() <= MAX_DESCRIPTION ? plain : plain.substring(0, MAX_DESCRIPTION);
    }
}
