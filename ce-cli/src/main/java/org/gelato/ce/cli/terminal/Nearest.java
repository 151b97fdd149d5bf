package org.gelato.ce.cli.terminal;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Finds the word that a misspelt one may have been meant for. Stateless. */
public final class Nearest {
    private static final int MAX_LENGTH = 60;

    private Nearest() {}

    /**
     * The most similar of the known words, when it differs in few letters; upper and lower case do not count.
     *
     * @return empty when none is similar
     */
    public static Optional<String> of(String word, Collection<String> known) {
        if (word.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String best = null;
        int least = Math.max(1, word.length() / 3) + 1;
        for (String candidate : known) {
            int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                best = candidate;
                least = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /**
     * What words of elsewhere stand for here.
     *
     * @param lines words with blanks between them, an equals sign, and what they stand for
     */
    public static Map<String, String> synonyms(String... lines) {
        Map<String, String> synonyms = new HashMap<>();
        for (String line : lines) {
            String[] parts = line.split("=", 2);
            for (String word : parts[0].split(" ")) {
                synonyms.put(word, parts[1]);
            }
        }
        return Map.copyOf(synonyms);
    }

    /** Letters to insert, remove, replace or swap with their neighbour (optimal string alignment). */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
