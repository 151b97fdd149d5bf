package org.gelato.ce.core.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A group of a token, or of a rule to compare with: {@code /vo/sub} of {@code wlcg.groups}, or an entitlement
 * {@code urn:NID:NS:group:GROUP[:SUBGROUP...][:role=ROLE][#AUTHORITY]} of AARC G002 and G069. The two are never equal: an
 * entitlement may come from a user's home organisation, and its namespace says whose group it is.
 *
 * @param namespace such as {@code urn:mace:egi.eu}; null for a group of {@code wlcg.groups}
 * @param path group and subgroups, at least one
 * @param role null for none
 * @param authority null for none
 */
public record TokenGroup(String namespace, List<String> path, String role, String authority) {
    private static final Pattern WLCG = Pattern.compile("(/[a-zA-Z0-9][a-zA-Z0-9_.-]*)+");
    private static final Pattern ENTITLEMENT = Pattern.compile("[\\x21-\\x7E]{1,2000}");
    private static final Pattern ENCODED = Pattern.compile("%([0-9A-Fa-f]{2})");
    private static final Pattern BAD_ENCODING = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    private static final Pattern UNRESERVED = Pattern.compile("[A-Za-z0-9._~-]");
    private static final String ROLE = "role=";
    private static final String GROUP = "group";
    private static final String REGISTRY = "registry";

    public TokenGroup {
        path = List.copyOf(path);
    }

    /**
     * Reads a group as rules write it, in either form.
     *
     * @throws IllegalArgumentException when it is neither
     */
    public static TokenGroup parse(String text) {
        return read(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "a group is /vo/group or urn:NID:NS:group:GROUP[:SUBGROUP][:role=ROLE][#AUTHORITY]"));
    }

    /** A group in either form; empty for any other text. */
    public static Optional<TokenGroup> read(String text) {
        return wlcg(text).or(() -> entitlement(text));
    }

    /** A group in the form of {@code wlcg.groups}; empty for any other text. */
    public static Optional<TokenGroup> wlcg(String text) {
        return WLCG.matcher(text).matches()
                ? Optional.of(new TokenGroup(null, List.of(text.substring(1).split("/")), null, null))
                : Optional.empty();
    }

    /** Empty for what is another kind of entitlement. */
    public static Optional<TokenGroup> entitlement(String text) {
        if (!ENTITLEMENT.matcher(text).matches() || BAD_ENCODING.matcher(text).find()) {
            return Optional.empty();
        }
        int hash = text.indexOf('#');
        String authority = hash < 0 ? null : normal(text.substring(hash + 1));
        List<String> parts = new ArrayList<>(List.of((hash < 0 ? text : text.substring(0, hash)).split(":", -1)));
        int group = parts.indexOf(GROUP);
        boolean urn = parts.get(0).equalsIgnoreCase("urn") && group >= 3 && group < parts.size() - 1;
        if (!urn || parts.contains("") || "".equals(authority)) {
            return Optional.empty();
        }
        String namespace = "urn:" + parts.get(1).toLowerCase(Locale.ROOT) + ":"
                + parts.subList(2, group).stream().map(TokenGroup::normal).collect(Collectors.joining(":"));
        List<String> path = new ArrayList<>(parts.subList(group + 1, parts.size()));
        String last = path.get(path.size() - 1);
        String role = last.startsWith(ROLE) ? normal(last.substring(ROLE.length())) : null;
        if (role != null) {
            path.remove(path.size() - 1);
        }
        boolean bad = path.isEmpty() || "".equals(role) || path.stream().anyMatch(p -> p.startsWith(ROLE));
        return bad
                ? Optional.empty()
                : Optional.of(new TokenGroup(
                        namespace, path.stream().map(TokenGroup::normal).toList(), role, authority));
    }

    /** RFC 3986 section 6.2.2: an unreserved character stands for itself, other codes have capital letters. */
    private static String normal(String part) {
        return ENCODED.matcher(part).replaceAll(m -> {
            String plain = String.valueOf((char) Integer.parseInt(m.group(1), 16));
            return Matcher.quoteReplacement(
                    UNRESERVED.matcher(plain).matches() ? plain : m.group().toUpperCase(Locale.ROOT));
        });
    }

    /**
     * Whether a rule for this group covers a token's group: the same namespace and path, and role and authority where the rule
     * names them. A group does not cover its subgroups, nor they it.
     */
    public boolean covers(TokenGroup ofToken) {
        return Objects.equals(namespace, ofToken.namespace)
                && path.equals(ofToken.path)
                && (role == null || role.equals(ofToken.role))
                && (authority == null || authority.equals(ofToken.authority));
    }

    /** The first part; after {@code registry} the second, where there is one. */
    public String vo() {
        boolean registry = namespace != null && path.size() > 1 && path.get(0).equals(REGISTRY);
        return path.get(registry ? 1 : 0);
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        if (namespace == null) {
            return "/" + String.join("/", path);
        }
        return namespace + ":" + GROUP + ":" + String.join(":", path) + (role == null ? "" : ":" + ROLE + role)
                + (authority == null ? "" : "#" + authority);
    }
}
