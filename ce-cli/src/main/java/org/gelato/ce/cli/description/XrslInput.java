package org.gelato.ce.cli.description;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Language;

/**
 * The input files of an xRSL description that have no source, or one on this machine: the pairs of {@code inputfiles}. All else is
 * passed over word by word. One instance per text.
 */
final class XrslInput {
    /** Kinds of words beside the characters that stand for themselves. */
    private static final char END = 0;

    private static final char WORD = 'w';
    private static final String SPECIAL = "+&|()=<>!\"'^#$";

    private final String text;
    private final List<LocalItem> items = new ArrayList<>();
    private int at;
    private char kind;
    private String word;
    private final Set<String> attributes = new HashSet<>();

    private XrslInput(String text) {
        this.text = text;
    }

    static List<LocalItem> of(String text) {
        XrslInput input = new XrslInput(text);
        input.read();
        return List.copyOf(input.items);
    }

    /** @param attribute in small letters */
    static boolean sets(String text, String attribute) {
        XrslInput input = new XrslInput(text);
        input.read();
        return input.attributes.contains(attribute);
    }

    private void read() {
        next();
        if (kind == '+') {
            throw SessionDescriptions.several(Language.XRSL);
        }
        while (kind != END) {
            boolean opens = kind == '(';
            next();
            String attribute =
                    opens && kind == WORD ? word.toLowerCase(Locale.ROOT).replace("_", "") : "";
            attributes.add(attribute);
            if (attribute.equals("inputfiles")) {
                next();
                if (kind == '=') {
                    next();
                    pairs();
                }
            }
        }
    }

    /** Up to the bracket that closes the attribute. */
    private void pairs() {
        while (kind == '(') {
            List<String> pair = new ArrayList<>();
            for (next(); kind == WORD; next()) {
                pair.add(word);
            }
            if (kind != ')') {
                throw error(
                        "inputfiles: only names and sources in quotes can be worked out here, no variables and no '#'");
            }
            next();
            if (!pair.isEmpty() && !pair.get(0).isBlank()) {
                LocalItem item = LocalItem.of(pair.get(0), pair.size() > 1 ? pair.get(1) : null);
                if (item != null) {
                    items.add(item);
                }
            }
        }
    }

    private void next() {
        skip();
        if (at >= text.length()) {
            kind = END;
            return;
        }
        char c = text.charAt(at);
        if (c == '"' || c == '\'') {
            quoted(c, at + 1);
        } else if (c == '^' && at + 1 < text.length()) {
            quoted(text.charAt(at + 1), at + 2);
        } else if (SPECIAL.indexOf(c) >= 0) {
            kind = c;
            at++;
        } else {
            int start = at;
            while (at < text.length() && !blank(text.charAt(at)) && SPECIAL.indexOf(text.charAt(at)) < 0) {
                at++;
            }
            kind = WORD;
            word = text.substring(start, at);
        }
    }

    /** A closing quote that stands for itself is doubled. */
    private void quoted(char quote, int from) {
        StringBuilder value = new StringBuilder();
        int i = from;
        while (true) {
            int end = text.indexOf(quote, i);
            if (end < 0) {
                throw error("the quoted text that begins here has no end");
            }
            value.append(text, i, end);
            if (end + 1 >= text.length() || text.charAt(end + 1) != quote) {
                at = end + 1;
                kind = WORD;
                word = value.toString();
                return;
            }
            value.append(quote);
            i = end + 2;
        }
    }

    /** Blanks and comments. */
    private void skip() {
        while (at < text.length()) {
            if (text.startsWith("(*", at)) {
                int end = text.indexOf("*)", at + 2);
                if (end < 0) {
                    throw error("the comment that begins here has no end");
                }
                at = end + 2;
            } else if (blank(text.charAt(at))) {
                at++;
            } else {
                return;
            }
        }
    }

    private static boolean blank(char c) {
        return c <= ' ' || c == '\uFEFF';
    }

    private CliException error(String reason) {
        long line = text.substring(0, Math.min(at, text.length()))
                        .chars()
                        .filter(c -> c == '\n')
                        .count()
                + 1;
        return new CliException("line " + line + ": " + reason);
    }
}
