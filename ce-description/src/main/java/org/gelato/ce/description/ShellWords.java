package org.gelato.ce.description;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The words of {@code Arguments} and its like, cut as a shell cuts them but without running anything: quotes and backslashes are read,
 * {@code $NAME} and {@code ${NAME}} are kept for the worker node to expand, and {@code * ? [...]} outside quotes
 * stay patterns for file names there, as the arguments always were shell text. What a shell would do beyond that is
 * refused: control operators, redirections, command and arithmetic substitution, special parameters, other forms of
 * <code>${...}</code>, and the expansion of braces and tildes.
 *
 * <p>Each instance reads one text; {@link #parse} is the way in and is stateless.
 */
public final class ShellWords {
    private static final String OPERATORS = ";&|<>()\n";
    private static final String SPECIAL_PARAMETERS = "@*#?$!-0123456789";
    /** Each is an object here and a word of the wrapper. */
    private static final int MAX_PARTS = 20_000;

    private static final String ESCAPED_IN_QUOTES = "$`\"\\";

    private final String attribute;
    private final String text;
    private final List<Word> words = new ArrayList<>();
    private int parts;
    private int at;
    private OpenWord word;

    private ShellWords(String attribute, String text) {
        this.attribute = attribute;
        this.text = text;
    }

    /**
     * One argument, or several or none when a variable outside quotes or a pattern makes it so.
     *
     * @param parts to be joined; at least one
     */
    public record Word(List<Part> parts) {}

    /** A piece of a word. */
    public sealed interface Part {
        /** A part that stands for itself. */
        record Literal(String text) implements Part {}

        /** Stood outside quotes: {@code *}, {@code ?} and {@code [...]} in it match file names. */
        record Pattern(String text) implements Part {}

        /** @param quoted whether the value stays one piece; otherwise it is split at blanks */
        record Variable(String name, boolean quoted) implements Part {}
    }

    /** A word while it is read; tracks what a shell would expand. */
    private static final class OpenWord {
        private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
        private static final char NONE = 0;

        private final List<Part> parts = new ArrayList<>();
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
            parts.add(new Part.Literal(text));
            follow(NONE);
        }

        void variable(String name, boolean quoted) {
            flush();
            parts.add(new Part.Variable(name, quoted));
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

        /** Whether a tilde would stand for a home directory here: at the beginning, and in what reads as an assignment. */
        boolean expandsTilde() {
            return !begun || (assignment && (last == '=' || last == ':'));
        }

        /** Whether a shell would make several words of this one, were this character its next. */
        boolean completesBraces(char c) {
            return c == '}' && braceDivided;
        }

        Word close() {
            flush();
            return new Word(List.copyOf(parts));
        }

        private void follow(char c) {
            begun = true;
            last = c;
        }

        private void flush() {
            if (plain.length() > 0) {
                parts.add(new Part.Pattern(plain.toString()));
                plain.setLength(0);
            }
        }
    }

    /**
     * Reads arguments.
     *
     * @param attribute they are the value of
     * @throws DescriptionException beginning with the attribute's name, when the text does not lex or contains more than words
     */
    public static List<Word> parse(String attribute, String text) throws DescriptionException {
        return new ShellWords(attribute, joined(text)).read();
    }

    /**
     * As a shell does before it cuts anything: so {@code $NA\<newline>ME} is one name.
     *
     * @return the text without its line continuations, which are each a backslash and a line break outside single quotes
     */
    private static String joined(String text) {
        if (!text.contains("\\\n")) {
            return text;
        }
        StringBuilder joined = new StringBuilder(text.length());
        char quote = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\' && quote != '\'' && at + 1 < text.length()) {
                at++;
                if (text.charAt(at) != '\n') {
                    joined.append(c).append(text.charAt(at));
                }
                continue;
            }
            if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
            }
            joined.append(c);
        }
        return joined.toString();
    }

    private List<Word> read() throws DescriptionException {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t') {
                endWord();
                at++;
            } else if (c == '\'') {
                singleQuotes();
            } else if (c == '"') {
                doubleQuotes();
            } else if (c == '\\') {
                backslash();
            } else if (c == '$') {
                dollar(false);
            } else {
                plain(c);
                at++;
            }
        }
        endWord();
        return List.copyOf(words);
    }

    private OpenWord word() {
        if (word == null) {
            word = new OpenWord();
        }
        return word;
    }

    private void endWord() throws DescriptionException {
        if (word != null) {
            Word whole = word.close();
            parts += whole.parts().size();
            if (parts > MAX_PARTS) {
                throw new DescriptionException(attribute, "more than " + MAX_PARTS + " words and pieces of words");
            }
            words.add(whole);
            word = null;
        }
    }

    private void plain(char c) throws DescriptionException {
        if (OPERATORS.indexOf(c) >= 0) {
            String shown = c == '\n' ? "a line break" : "'" + c + "'";
            throw refused("control operator " + shown + " outside quotes");
        }
        if (c == '`') {
            throw refused("command substitution with a backquote");
        }
        if (c == '#' && word == null) {
            throw refused("a comment: a word may begin with '#' in quotes only");
        }
        if (c == '~' && word().expandsTilde()) {
            throw refused("tilde expansion: write '~' in quotes, or $HOME");
        }
        if (word().completesBraces(c)) {
            throw refused("brace expansion: write braces in quotes");
        }
        word().plain(c);
    }

    private void singleQuotes() throws DescriptionException {
        int end = text.indexOf('\'', at + 1);
        if (end < 0) {
            throw refused("unbalanced quote '");
        }
        word().literal(text.substring(at + 1, end));
        at = end + 1;
    }

    private void doubleQuotes() throws DescriptionException {
        int opened = at;
        StringBuilder literal = new StringBuilder();
        word().literal("");
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at);
            if (c == '`') {
                throw refused("command substitution with a backquote");
            }
            if (c == '$') {
                append(literal);
                dollar(true);
            } else {
                boolean escape =
                        c == '\\' && at + 1 < text.length() && ESCAPED_IN_QUOTES.indexOf(text.charAt(at + 1)) >= 0;
                at += escape ? 1 : 0;
                literal.append(text.charAt(at));
                at++;
            }
        }
        if (at >= text.length()) {
            at = opened;
            throw refused("unbalanced quote \"");
        }
        append(literal);
        at++;
    }

    private void append(StringBuilder literal) {
        if (literal.length() > 0) {
            word().literal(literal.toString());
            literal.setLength(0);
        }
    }

    private void backslash() throws DescriptionException {
        if (at + 1 >= text.length()) {
            throw refused("a backslash at the end escapes nothing");
        }
        // A whole character: half a surrogate pair would not survive the way to the worker node.
        int escaped = text.codePointAt(at + 1);
        word().literal(Character.toString(escaped));
        at += 1 + Character.charCount(escaped);
    }

    private void dollar(boolean quoted) throws DescriptionException {
        char next = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
        if (next == '(' || next == '[') {
            throw refused("command or arithmetic substitution with $" + next);
        }
        if (SPECIAL_PARAMETERS.indexOf(next) >= 0) {
            throw refused("the special parameter $" + next);
        }
        if (!quoted && (next == '\'' || next == '"')) {
            throw refused("the special quotes $" + next);
        }
        if (next == '{') {
            int end = nameEnd(at + 2);
            if (end == at + 2 || end >= text.length() || text.charAt(end) != '}') {
                throw refused("an expansion other than $NAME and ${NAME}");
            }
            variable(text.substring(at + 2, end), quoted);
            at = end + 1;
            return;
        }
        int end = nameEnd(at + 1);
        if (end > at + 1) {
            variable(text.substring(at + 1, end), quoted);
        } else {
            word().literal("$");
        }
        at = end;
    }

    private void variable(String name, boolean quoted) throws DescriptionException {
        if (name.startsWith(EnvironmentRule.RESERVED)) {
            throw refused("a variable beginning with " + EnvironmentRule.RESERVED);
        }
        word().variable(name, quoted);
    }

    private int nameEnd(int start) {
        int end = start;
        while (end < text.length() && nameCharacter(text.charAt(end), end == start)) {
            end++;
        }
        return end;
    }

    private static boolean nameCharacter(char c, boolean first) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        return letter || (!first && c >= '0' && c <= '9');
    }

    private DescriptionException refused(String what) {
        return new DescriptionException(attribute, what + " is not allowed (character " + (at + 1) + ")");
    }
}
