package org.gelato.ce.core.description;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A word of {@link ShellWords} while it is read; watches for what a shell would expand. Not thread-safe. */
final class OpenWord {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final char NONE = 0;

    private final List<ShellWords.Part> parts = new ArrayList<>();
    private final StringBuilder plain = new StringBuilder();
    private char last = NONE;
    private boolean begun;
    private boolean equality;
    private boolean assignment;
    private boolean braceOpen;
    private boolean braceDivided;

    /** An empty literal still makes a word, as {@code ''} does. */
    void literal(String text) {
        flush();
        parts.add(new ShellWords.Part.Literal(text));
        follow(NONE);
    }

    void variable(String name, boolean quoted) {
        flush();
        parts.add(new ShellWords.Part.Variable(name, quoted));
        follow(NONE);
    }

    void plain(char c) {
        if (c == '=' && !equality) {
            equality = true;
            assignment = parts.isEmpty() && NAME.matcher(plain).matches();
        }
        braceDivided |= braceOpen && (c == ',' || (c == '.' && last == '.'));
        braceOpen |= c == '{';
        plain.append(c);
        follow(c);
    }

    /** Whether a tilde would stand for a home directory here: at the beginning, and in what looks like an assignment. */
    boolean expandsTilde() {
        return !begun || (assignment && (last == '=' || last == ':'));
    }

    /** Whether a shell would make several words of this one, were this character its next. */
    boolean completesBraces(char c) {
        return c == '}' && braceDivided;
    }

    ShellWords.Word close() {
        flush();
        return new ShellWords.Word(List.copyOf(parts));
    }

    private void follow(char c) {
        begun = true;
        last = c;
    }

    private void flush() {
        if (plain.length() > 0) {
            parts.add(new ShellWords.Part.Pattern(plain.toString()));
            plain.setLength(0);
        }
    }
}
