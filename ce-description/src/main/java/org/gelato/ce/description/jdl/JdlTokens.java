package org.gelato.ce.description.jdl;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.SafeText;

/**
 * Cuts a job description into words and holds the bounds that keep the parser's time, memory and stack small: bytes of
 * text, number of words, depth of nesting.
 */
final class JdlTokens {
    /** The longest text, in bytes of UTF-8. */
    static final int MAX_BYTES = 1 << 20;

    /** Comments count, too. A job with a thousand files and a thousand variables has 6000. */
    static final int MAX_TOKENS = 20_000;

    static final int MAX_DEPTH = 100;

    /** What a word takes, with what is made of it. */
    private static final int CHARACTERS_OF_TOKEN = 128;

    /** A word longer than this many tokens is no attempt at a name. */
    private static final int MAX_NAME_TOKENS = 64;

    private static final Pattern DETAIL =
            Pattern.compile("^Unable to parse: .*?\\(line \\d+, column \\d+: (.*)\\)$", Pattern.DOTALL);

    private static final String NOT_IN_NAMES = ":#@[]+*$%!?~";

    private JdlTokens() {}

    /** @return the words with the end mark as the last one, without comments */
    static List<JdlWord> read(String text, ReadingBudget budget) throws DescriptionException {
        bounded(text);
        List<JdlWord> words = new ArrayList<>();
        JdlLexer lexer = new JdlLexer(text);
        JdlWord word;
        int count = 0;
        do {
            word = lexer.next();
            if (++count > MAX_TOKENS) {
                throw new DescriptionException(
                        "Unable to parse: the job description has more than " + MAX_TOKENS + " words");
            }
            budget.take(CHARACTERS_OF_TOKEN);
            if (word.kind() != JdlWord.Kind.COMMENT) {
                words.add(word);
            }
        } while (word.kind() != JdlWord.Kind.END);
        names(words);
        strangers(words);
        depth(words);
        return words;
    }

    /** A syntax error; shown with its place, both counted from 1. */
    static DescriptionException syntaxError(JdlWord at, String what) {
        return new DescriptionException("Unable to parse: doesn't seem to be a valid Expression (line " + at.line()
                        + ", column " + at.column() + ": " + what + ")")
                .at(at.line(), at.column());
    }

    /** What is wrong, without the place, of a {@link #syntaxError}; of another error all. */
    static String detail(DescriptionException e) {
        return DETAIL.matcher(e.getMessage()).replaceFirst("$1");
    }

    private static void bounded(String text) throws DescriptionException {
        if (text.length() > MAX_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new DescriptionException(
                    "Unable to parse: the job description is larger than " + MAX_BYTES + " bytes");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new DescriptionException("Unable to parse: the job description is not valid Unicode");
        }
    }

    private static void strangers(List<JdlWord> words) throws DescriptionException {
        for (JdlWord word : words) {
            switch (word.kind()) {
                case OPEN_STRING -> throw syntaxError(word, "the string that begins here has no end");
                case OPEN_COMMENT -> throw syntaxError(word, "the comment that begins here has no end");
                case UNEXPECTED ->
                    throw syntaxError(
                            word,
                            "unexpected character " + word.shown()
                                    + (word.text().equals("'") ? ": texts stand in double quotes" : ""));
                default -> {}
            }
        }
    }

    /** Finds words that stand where a name is expected, {@code foo:bar = 1}, and reports what is wrong with them. */
    private static void names(List<JdlWord> words) throws DescriptionException {
        boolean expected = true;
        for (int i = 0; i < words.size(); i++) {
            JdlWord word = words.get(i);
            int end = i + 1;
            if (expected && !word.is("[")) {
                while (end < words.size() && end - i < MAX_NAME_TOKENS && joins(words.get(end - 1), words.get(end))) {
                    end++;
                }
                if (end < words.size() && words.get(end).is("=")) {
                    name(words.subList(i, end));
                }
            }
            expected = word.is("[") || word.is(";");
        }
    }

    private static boolean joins(JdlWord before, JdlWord word) {
        return !word.is("=")
                && !word.is(";")
                && word.kind() != JdlWord.Kind.END
                && !before.is(";")
                && before.end() == word.start();
    }

    private static void name(List<JdlWord> parts) throws DescriptionException {
        StringBuilder name = new StringBuilder();
        parts.forEach(part -> name.append(part.text()));
        for (int i = 0; i < name.length(); i++) {
            if (NOT_IN_NAMES.indexOf(name.charAt(i)) >= 0) {
                throw new DescriptionException(
                                SafeText.of(name.toString()), "Not allowed char '" + name.charAt(i) + "' found")
                        .at(parts.get(0).line(), parts.get(0).column());
            }
        }
    }

    /**
     * Counts what the parser descends into by recursion: brackets, signs before signs, and conditionals. Binary operators
     * need no count, their chains are read in loops.
     */
    private static void depth(List<JdlWord> words) throws DescriptionException {
        int brackets = 0;
        int signs = 0;
        int conditionals = 0;
        for (JdlWord word : words) {
            String symbol = word.kind() == JdlWord.Kind.SYMBOL ? word.text() : "";
            switch (symbol) {
                case "[", "{", "(" -> brackets++;
                case "]", "}", ")" -> brackets = Math.max(0, brackets - 1);
                case "?" -> conditionals++;
                case ";" -> conditionals = 0;
                default -> {}
            }
            signs = symbol.equals("!") || symbol.equals("+") || symbol.equals("-") ? signs + 1 : 0;
            if (brackets + signs + conditionals > MAX_DEPTH) {
                throw syntaxError(word, "nested more than " + MAX_DEPTH + " deep");
            }
        }
    }
}
