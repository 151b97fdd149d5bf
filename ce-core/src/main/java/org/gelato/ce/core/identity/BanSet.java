package org.gelato.ce.core.identity;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bans of administrators at one moment. Immutable; finding one reads neither disk nor database. */
public final class BanSet {
    public static final BanSet NONE = new BanSet(List.of());

    private final List<Ban> all;
    private final Map<Ban.Kind, Map<String, Ban>> byKey = new HashMap<>();
    /** Bans of attributes that groups of tokens may be. */
    private final Map<TokenGroup, Ban> groups = new HashMap<>();

    public BanSet(Collection<Ban> bans) {
        all = List.copyOf(bans);
        for (Ban.Kind kind : Ban.Kind.values()) {
            byKey.put(kind, new HashMap<>());
        }
        for (Ban ban : all) {
            byKey.get(ban.kind()).put(Ban.key(ban.kind(), ban.name()), ban);
            if (ban.kind() == Ban.Kind.FQAN) {
                TokenGroup.read(ban.name()).ifPresent(group -> groups.put(group, ban));
            }
        }
    }

    /** All bans, in the order of their file or table. */
    public List<Ban> all() {
        return all;
    }

    /** The ban that concerns the holder of a proxy or token; of a token by its subject, a group, or a VO of theirs or its own; null when none does. */
    public Ban of(Identity who) {
        return who instanceof TokenIdentity token
                ? ofToken(token.subject(), token.groups(), token.vo())
                : of(who.subject(), ((GridIdentity) who).fqans());
    }

    /**
     * The ban that concerns the owner of jobs; null when none does. What else its holder may have shown is not known.
     */
    public Ban ofOwner(Identity.Kind kind, Owner owner) {
        String subject = owner.subject();
        String group = owner.group();
        if (kind == Identity.Kind.TOKEN) {
            return ofToken(subject, group.isEmpty() ? List.of() : List.of(TokenGroup.parse(group)), owner.vo());
        }
        return of(subject, List.of(group));
    }

    private Ban ofToken(String subject, List<TokenGroup> groups, String vo) {
        Ban found = byKey.get(Ban.Kind.DN).get(Ban.key(Ban.Kind.DN, subject));
        for (TokenGroup group : groups) {
            found = found == null ? ofGroup(group) : found;
            found = found == null ? byKey.get(Ban.Kind.VO).get(group.vo()) : found;
        }
        return found == null && vo != null ? byKey.get(Ban.Kind.VO).get(vo) : found;
    }

    private Ban ofGroup(TokenGroup group) {
        return groups.entrySet().stream()
                .filter(banned -> banned.getKey().covers(group))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
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
                found = ofAttribute(fqan);
            }
            if (found == null && fqan.length() > 1) {
                found = byKey.get(Ban.Kind.VO).get(fqan.split("/", 3)[1]);
            }
        }
        return found;
    }

    /** One that names no capability is for all of them. */
    private Ban ofAttribute(String fqan) {
        Map<String, Ban> fqans = byKey.get(Ban.Kind.FQAN);
        Ban exact = fqans.get(Fqans.normalised(fqan));
        return exact == null ? fqans.get(Fqans.withoutCapability(fqan)) : exact;
    }
}
