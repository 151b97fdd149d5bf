package org.gelato.ce.ws.token;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.identity.Permission;

/**
 * The words of the claim {@code scope}.
 *
 * @param permitted what words that are exactly ours permit
 * @param anyCapability whether there is any capability, also of other services or with a path
 * @param ignored words that permit nothing and are nearly ours, cut; a few for messages
 */
record TokenScopes(Set<Permission> permitted, boolean anyCapability, List<String> ignored) {
    private static final int MAX_IGNORED = 3;
    private static final int LONGEST_IGNORED = 40;

    /** RFC 6749 section 3.3. */
    private static final Pattern SYNTAX = Pattern.compile("[\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]*");

    private static final Pattern WLCG_CAPABILITY = Pattern.compile("(compute|storage)\\..*");
    private static final Pattern NEARLY_CONDOR = Pattern.compile("(?i)condor:/?(read|write)(/.*)?");
    private static final Pattern SCITOKENS_CAPABILITY = Pattern.compile("(condor|read|write|queue|execute)(:.*)?");

    /**
     * @param scope null for none
     * @param sciTokens whether words of SciTokens count
     */
    static TokenScopes parse(String scope, boolean sciTokens) throws TokenRefusal {
        Set<Permission> permitted = EnumSet.noneOf(Permission.class);
        List<String> ignored = new ArrayList<>();
        boolean any = false;
        if (scope != null && !SYNTAX.matcher(scope).matches()) {
            throw TokenRefusal.invalid("scope", "has characters that no scope has, such as tabs");
        }
        for (String word : scope == null ? new String[0] : scope.split(" ")) {
            any |= WLCG_CAPABILITY.matcher(word).matches()
                    || (sciTokens && SCITOKENS_CAPABILITY.matcher(word).matches());
            Permission.ofScope(word).ifPresent(permitted::add);
            if (ignored.size() < MAX_IGNORED && (Permission.isNearly(word) || (sciTokens && nearlyCondor(word)))) {
                ignored.add(word.length() <= LONGEST_IGNORED ? word : word.substring(0, LONGEST_IGNORED) + "...");
            }
            if (sciTokens && word.equals("condor:/READ")) {
                permitted.add(Permission.READ);
            } else if (sciTokens && word.equals("condor:/WRITE")) {
                permitted.addAll(Set.of(Permission.CREATE, Permission.MODIFY, Permission.CANCEL));
            }
        }
        return new TokenScopes(permitted, any, ignored);
    }

    private static boolean nearlyCondor(String word) {
        return NEARLY_CONDOR.matcher(word).matches() && !word.equals("condor:/READ") && !word.equals("condor:/WRITE");
    }
}
