package org.gelato.ce.core.identity;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bans of administrators at one moment. Immutable; finding one reads neither disk nor database. */
public final class BanSet {
    /** No bans. */
    public static final BanSet NONE = new BanSet(List.of());

    private final List<Ban> all;
    private final Map<Ban.Kind, Map<String, Ban>> byKey = new HashMap<>();

    public BanSet(Collection<Ban> bans) {
        all = List.copyOf(bans);
        for (Ban.Kind kind : Ban.Kind.values()) {
            byKey.put(kind, new HashMap<>());
        }
        all.forEach(ban -> byKey.get(ban.kind()).put(Ban.key(ban.kind(), ban.name()), ban));
    }

    /** All bans. */
    public List<Ban> all() {
        return all;
    }

    /** The ban that concerns a token, by its subject, one of its groups or its VO; null when none does. */
    public Ban of(TokenIdentity token) {
        if (all.isEmpty()) {
            return null;
        }
        Ban found = byKey.get(Ban.Kind.DN).get(Ban.key(Ban.Kind.DN, token.subject()));
        for (TokenGroup group : token.groups()) {
            found = found == null ? byKey.get(Ban.Kind.FQAN).get(group.toString()) : found;
        }
        return found == null && token.vo() != null ? byKey.get(Ban.Kind.VO).get(token.vo()) : found;
    }

    /**
     * The ban that concerns somebody; null when none does.
     *
     * @param dn RFC 2253
     * @param fqans his attributes; an empty text counts as none
     */
    public Ban of(String dn, Collection<String> fqans) {
        if (all.isEmpty()) {
            return null;
        }
        Map<String, Ban> dns = byKey.get(Ban.Kind.DN);
        Ban found = dns.isEmpty() ? null : dns.get(Ban.key(Ban.Kind.DN, dn));
        for (String fqan : fqans) {
            if (found == null && !fqan.isEmpty()) {
                found = byKey.get(Ban.Kind.FQAN).get(Fqans.normalised(fqan));
            }
            if (found == null && fqan.length() > 1) {
                found = byKey.get(Ban.Kind.VO).get(fqan.split("/", 3)[1]);
            }
        }
        return found;
    }
}
