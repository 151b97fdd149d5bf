package org.gelato.ce.ws.push;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageLevel;

/**
 * Which of the messages that a caller may read are wanted. Keys and level choose among messages of jobs; notices of the CE are always
 * taken, as they say what is missing.
 *
 * @param keys that are wanted exactly; all messages where this and {@code prefixes} are empty
 * @param prefixes of keys that are wanted
 * @param least level that is wanted
 * @param output whether output is wanted
 */
record MessageFilter(Set<String> keys, Set<String> prefixes, MessageLevel least, boolean output) {
    private static final int MAX_KEYS = 100;
    private static final int MAX_CHARACTERS = 64;

    MessageFilter {
        keys = Set.copyOf(keys);
        prefixes = Set.copyOf(prefixes);
    }

    /**
     * The filter of a request.
     *
     * @param keys names, or their beginnings with an asterisk behind
     * @param level null for all
     * @throws IllegalArgumentException with a text for the client
     */
    static MessageFilter of(List<String> keys, String level, boolean output) {
        if (keys.size() > MAX_KEYS) {
            throw new IllegalArgumentException("more than " + MAX_KEYS + " keys: use a prefix such as step*");
        }
        Set<String> exact = new HashSet<>();
        Set<String> prefixes = new HashSet<>();
        for (String key : keys) {
            if (key.isEmpty() || key.length() > MAX_CHARACTERS + 1) {
                throw new IllegalArgumentException(
                        "key is a name of 1 to " + MAX_CHARACTERS + " characters, or a prefix with * behind");
            }
            if (key.endsWith("*")) {
                prefixes.add(key.substring(0, key.length() - 1));
            } else {
                exact.add(key);
            }
        }
        MessageLevel least = level == null
                ? MessageLevel.DEBUG
                : MessageLevel.ofName(level)
                        .orElseThrow(
                                () -> new IllegalArgumentException("level is one of debug, info, warning and error"));
        return new MessageFilter(exact, prefixes, least, output);
    }

    /** Whether nothing is left out. */
    boolean takesAll() {
        return output && least == MessageLevel.DEBUG && keys.isEmpty() && prefixes.isEmpty();
    }

    boolean takes(Message message) {
        return switch (message.kind()) {
            case NOTICE -> true;
            case STDOUT, STDERR -> output;
            case TEXT -> message.level().compareTo(least) >= 0 && takesKey(message.key());
        };
    }

    private boolean takesKey(String key) {
        if (keys.isEmpty() && prefixes.isEmpty()) {
            return true;
        }
        return key != null && (keys.contains(key) || prefixes.stream().anyMatch(key::startsWith));
    }
}
