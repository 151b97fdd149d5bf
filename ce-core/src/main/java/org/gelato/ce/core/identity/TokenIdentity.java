package org.gelato.ce.core.identity;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Who shows a verified bearer token (docs/admin/tokens.md).
 *
 * @param issuer the claim {@code iss}, of a configured issuer: an https URL without comma
 * @param name the claim {@code sub}: 1 to 255 printable ASCII characters, unique within the issuer
 * @param vo that the site configured for the issuer; null without one, then it is that of the group by which the caller was mapped, or of
 *     the primary group
 * @param permissions of the token's capability scopes
 * @param ignoredScopes as of {@link Identity#ignoredScopes}
 * @param capable whether the token has capability scopes, for whatever service: then {@link #permissions} alone count, and no group
 * @param groups the token's groups, the primary one first
 * @param group the group by which the caller was mapped; the empty text when none was needed
 * @param jti the token's number; null without one
 * @param notAfter its end
 */
public record TokenIdentity(
        String issuer,
        String name,
        String vo,
        Set<Permission> permissions,
        List<String> ignoredScopes,
        boolean capable,
        List<TokenGroup> groups,
        String group,
        String jti,
        Instant notAfter)
        implements Identity {
    private static final Pattern SUBJECT = Pattern.compile("https://[\\x21-\\x7E&&[^,]]+,[\\x20-\\x7E]{1,255}");

    public TokenIdentity {
        permissions = Set.copyOf(permissions);
        ignoredScopes = List.copyOf(ignoredScopes);
        groups = List.copyOf(groups);
    }

    /** A token without ignored scopes. */
    public TokenIdentity(
            String issuer,
            String name,
            String vo,
            Set<Permission> permissions,
            boolean capable,
            List<TokenGroup> groups,
            String group,
            String jti,
            Instant notAfter) {
        this(issuer, name, vo, permissions, List.of(), capable, groups, group, jti, notAfter);
    }

    /** The VO configured for the issuer, else that of the group that mapped the caller, else of the primary group; null without one. */
    @Override
    public String vo() {
        if (vo != null || groups.isEmpty()) {
            return vo;
        }
        return group.isEmpty() ? groups.get(0).vo() : TokenGroup.parse(group).vo();
    }

    /** Whether a text has the form of {@link #subject()}; a DN never has. */
    public static boolean isSubject(String text) {
        return SUBJECT.matcher(text).matches();
    }

    @Override
    public Kind kind() {
        return Kind.TOKEN;
    }

    /**
     * Issuer, comma, name: different for different pairs, as an issuer has no comma, and never a DN, as the first {@code =} of a DN
     * comes before any colon.
     */
    @Override
    public String subject() {
        return issuer + "," + name;
    }

    @Override
    public boolean byToken() {
        return true;
    }

    /** A token without capabilities permits everything to whom the site's rules map by its name or group. */
    @Override
    public boolean permits(Permission permission) {
        return !capable || permissions.contains(permission);
    }

    /** The groups that count: beside capabilities none does. */
    public List<TokenGroup> countedGroups() {
        return capable ? List.of() : groups;
    }

    /** The same, mapped by a group; null for none. */
    public TokenIdentity mappedBy(String by) {
        return new TokenIdentity(
                issuer, name, vo, permissions, ignoredScopes, capable, groups, by == null ? "" : by, jti, notAfter);
    }
}
