package org.gelato.ce.core.identity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The content of a grid-mapfile: {@code "DN or FQAN pattern" account} per line. The first line that fits wins; DNs are
 * asked before attributes. A line that can't be used is left out and named in {@link #complaints}; the others hold.
 * Immutable.
 *
 * @param accountByDn by {@link DnForms#comparable}
 * @param rules for FQANs, in the order of the file
 * @param complaints one text per line left out
 */
record Gridmap(Map<String, String> accountByDn, List<FqanRule> rules, List<String> complaints) {
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,31}");

    Gridmap {
        accountByDn = Map.copyOf(accountByDn);
        rules = List.copyOf(rules);
        complaints = List.copyOf(complaints);
    }

    /** @param superuser whether an account has all rights (uid 0): such entries are left out */
    static Gridmap parse(String content, Predicate<String> superuser) {
        Map<String, String> accounts = new HashMap<>();
        List<FqanRule> rules = new ArrayList<>();
        List<String> complaints = new ArrayList<>();
        int number = 0;
        for (String line : content.lines().toList()) {
            number++;
            if (line.isBlank() || line.stripLeading().startsWith("#")) {
                continue;
            }
            try {
                QuotedName entry = QuotedName.at(line.strip());
                String account = account(entry.rest(), superuser);
                if (entry.name().startsWith("/") && !DnForms.looksLikeSlash(entry.name())) {
                    rules.add(FqanRule.of(entry.name(), account));
                } else {
                    accounts.putIfAbsent(DnForms.comparable(entry.name()), account);
                }
            } catch (IllegalArgumentException e) {
                complaints.add("line " + number + ": " + e.getMessage());
            }
        }
        return new Gridmap(accounts, rules, complaints);
    }

    private static String account(String text, Predicate<String> superuser) {
        // Several accounts may be listed for the user to choose from; there is no choosing here, the first is the
        // default.
        String account = text.split("[,\\s]", 2)[0];
        if (account.isEmpty()) {
            throw new IllegalArgumentException("no account after the name");
        }
        if (account.startsWith(".")) {
            throw new IllegalArgumentException("pool accounts are not offered, name one account instead of " + account);
        }
        if (!ACCOUNT.matcher(account).matches()) {
            throw new IllegalArgumentException("not an account name: " + account);
        }
        if (superuser.test(account)) {
            throw new IllegalArgumentException("no grid user may become the superuser account " + account);
        }
        return account;
    }

    /** The account of the DN itself, else of the first FQAN that has one. */
    Optional<String> account(GridIdentity identity) {
        String own = accountByDn.get(DnForms.comparable(identity.dn()));
        if (own != null) {
            return Optional.of(own);
        }
        return identity.fqans().stream()
                .flatMap(fqan -> rules.stream().filter(r -> r.matches(fqan)).limit(1))
                .map(FqanRule::account)
                .findFirst();
    }
}
