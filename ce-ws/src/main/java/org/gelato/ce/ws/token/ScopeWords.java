package org.gelato.ce.ws.token;

import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.identity.Permission;

/**
 * The words of the claim {@code scope}.
 *
 * @param permitted what words that are exactly ours permit
 * @param anyCapability whether there is any capability, also of other services or with a path
 */
record ScopeWords(Set<Permission> permitted, boolean anyCapability) {
    /** RFC 6749 section 3.3. */
    private static final Pattern SYNTAX = Pattern.compile("[\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]*");

    private static final Pattern WLCG_CAPABILITY = Pattern.compile("(compute|storage)\\..*");
    private static final Pattern SCITOKENS_CAPABILITY = Pattern.compile("(condor|read|write|queue|execute)(:.*)?");

    /**
     * @param scope null for none
     * @param sciTokens whether words of SciTokens count
     */
    static ScopeWords parse(String scope, boolean sciTokens) throws TokenRefusal {
        Set<Permission> permitted = EnumSet.noneOf(Permission.class);
        boolean any = false;
        if (scope != null && !SYNTAX.matcher(scope).matches()) {
            throw TokenRefusal.invalid("scope", "has characters that no scope has, such as tabs");
        }
        for (String word : scope == null ? new String[0] : scope.split(" ")) {
            any |= WLCG_CAPABILITY.matcher(word).matches()
                    || (sciTokens && SCITOKENS_CAPABILITY.matcher(word).matches());
            Permission.ofScope(word).ifPresent(permitted::add);
            if (sciTokens && word.equals("condor:/READ")) {
                permitted.add(Permission.READ);
            } else if (sciTokens && word.equals("condor:/WRITE")) {
                permitted.addAll(Set.of(Permission.CREATE, Permission.MODIFY, Permission.CANCEL));
            }
        }
        return new ScopeWords(permitted, any);
    }
}
