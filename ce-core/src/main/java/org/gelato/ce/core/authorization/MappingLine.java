package org.gelato.ce.core.authorization;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What a usable line of the grid-mapfile gives.
 *
 * @param number of the line, from 1
 * @param text of the line, stripped
 * @param target an account, or a pool without its dot
 * @param pool whether it is a pool
 */
record MappingLine(int number, String text, String target, boolean pool) {
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,31}");

    private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

    /**
     * @param rest what follows the name in the line
     * @param superuser whether an account has all rights (uid 0)
     * @param pools whether there is a gridmapdir
     * @throws IllegalArgumentException when that gives no account
     */
    static MappingLine of(int number, String text, String rest, Predicate<String> superuser, boolean pools) {
        // Several accounts may be listed for the user to choose from; there is no choosing here, the first is the
        // default.
        String target = COMMA.split(rest, 2)[0];
        if (target.isEmpty()) {
            throw new IllegalArgumentException("no account after the name");
        }
        for (String one : COMMA.split(rest, -1)) {
            checkName(one, text);
        }
        boolean pool = target.startsWith(".");
        String name = pool ? target.substring(1) : target;
        if (pool && !pools) {
            throw new IllegalArgumentException(
                    "pool accounts need authorization.gridmapdir, which is not set: " + target);
        }
        if (!pool && superuser.test(name)) {
            throw new IllegalArgumentException("no grid user may become the superuser account " + name);
        }
        return new MappingLine(number, text, name, pool);
    }

    /** Without quotes a name ends at its first blank, and its next word would be taken for an account. */
    private static void checkName(String account, String text) {
        boolean pool = account.startsWith(".");
        if (ACCOUNT.matcher(pool ? account.substring(1) : account).matches()) {
            return;
        }
        throw new IllegalArgumentException(
                account.chars().anyMatch(Character::isWhitespace)
                        ? "more than one account after the name; put a name with blanks in double quotes: " + text
                        : (pool ? "not a pool name: " : "not an account name: ") + account);
    }
}
