package org.gelato.ce.blahbridge;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;

/** What stands inside one argument of the helper's own verbs: base64 content, {@code -} for none, and lists. Pure. */
final class GahpValues {
    private GahpValues() {}

    static String content(byte[] bytes) {
        return bytes.length == 0 ? "-" : Base64.getEncoder().encodeToString(bytes);
    }

    static byte[] content(String word) {
        return word.equals("-") ? new byte[0] : Base64.getDecoder().decode(word);
    }

    static String text(String word) {
        return new String(content(word), StandardCharsets.UTF_8);
    }

    /**
     * Strings each ended by NUL, as base64.
     *
     * @throws IllegalArgumentException when one of them has a NUL inside
     */
    static String list(Collection<String> items) {
        StringBuilder all = new StringBuilder();
        for (String item : items) {
            if (item.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("an argument has a NUL character");
            }
            all.append(item).append('\0');
        }
        return content(all.toString().getBytes(StandardCharsets.UTF_8));
    }
}
