package org.gelato.ce.description.jdl;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.Token;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.Excerpt;
import org.gelato.ce.description.ReadingBudget;

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

    /** What a word takes, with its nodes of the parse tree. */
    private static final int CHARACTERS_OF_TOKEN = 128;

    /** A word longer than this many tokens is no attempt at a name. */
    private static final int MAX_NAME_TOKENS = 64;

    private static final String NOT_IN_NAMES = ":#@[]+*$%!?~";

    private JdlTokens() {}

    /** @return the words with the end mark as the last one, without comments */
    static List<Token> read(String text, ReadingBudget budget) throws DescriptionException {
        bounded(text);
        List<Token> tokens = new ArrayList<>();
        JdlLexer lexer = new JdlLexer(new WordStream(text));
        Token token;
        int count = 0;
        do {
            token = lexer.nextToken();
            if (++count > MAX_TOKENS) {
                throw new DescriptionException(
                        "Unable to parse: the job description has more than " + MAX_TOKENS + " words");
            }
            budget.take(CHARACTERS_OF_TOKEN);
            if (token.getChannel() == Token.DEFAULT_CHANNEL) {
                tokens.add(token);
            }
        } while (token.getType() != Token.EOF);
        names(tokens);
        strangers(tokens);
        depth(tokens);
        return tokens;
    }

    /** A syntax error; shown with its place, both counted from 1. */
    static DescriptionException syntaxError(Token at, String what) {
        return new DescriptionException("Unable to parse: doesn't seem to be a valid Expression (line " + at.getLine()
                        + ", column " + column(at) + ": " + what + ")")
                .at(at.getLine(), column(at));
    }

    /** The column of a token, counted from 1. */
    static int column(Token at) {
        return at.getCharPositionInLine() + 1;
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

    private static void strangers(List<Token> tokens) throws DescriptionException {
        for (Token token : tokens) {
            switch (token.getType()) {
                case JdlLexer.OPEN_STRING -> throw syntaxError(token, "the string that begins here has no end");
                case JdlLexer.OPEN_COMMENT -> throw syntaxError(token, "the comment that begins here has no end");
                case JdlLexer.UNEXPECTED ->
                    throw syntaxError(token, "unexpected character '" + Excerpt.of(token.getText()) + "'");
                default -> {}
            }
        }
    }

    /** Finds words that stand where a name is expected, {@code foo:bar = 1}, and reports what is wrong with them. */
    private static void names(List<Token> tokens) throws DescriptionException {
        boolean expected = true;
        for (int i = 0; i < tokens.size(); i++) {
            int type = tokens.get(i).getType();
            int end = i + 1;
            if (expected && type != JdlLexer.OPEN) {
                while (end < tokens.size()
                        && end - i < MAX_NAME_TOKENS
                        && joins(tokens.get(end - 1), tokens.get(end))) {
                    end++;
                }
                if (end < tokens.size() && tokens.get(end).getType() == JdlLexer.ASSIGN) {
                    name(tokens.subList(i, end));
                }
            }
            expected = type == JdlLexer.OPEN || type == JdlLexer.SEMICOLON;
        }
    }

    private static boolean joins(Token before, Token token) {
        return switch (token.getType()) {
            case JdlLexer.ASSIGN, JdlLexer.SEMICOLON, Token.EOF -> false;
            default -> before.getType() != JdlLexer.SEMICOLON && before.getStopIndex() + 1 == token.getStartIndex();
        };
    }

    private static void name(List<Token> parts) throws DescriptionException {
        StringBuilder name = new StringBuilder();
        parts.forEach(part -> name.append(part.getText()));
        for (int i = 0; i < name.length(); i++) {
            if (NOT_IN_NAMES.indexOf(name.charAt(i)) >= 0) {
                throw new DescriptionException(
                                Excerpt.of(name.toString()), "Not allowed char '" + name.charAt(i) + "' found")
                        .at(parts.get(0).getLine(), column(parts.get(0)));
            }
        }
    }

    /**
     * Counts what the parser descends into by recursion: brackets, signs before signs, and conditionals. Binary operators
     * need no count, their chains are read in loops.
     */
    private static void depth(List<Token> tokens) throws DescriptionException {
        int brackets = 0;
        int signs = 0;
        int conditionals = 0;
        for (Token token : tokens) {
            int type = token.getType();
            switch (type) {
                case JdlLexer.OPEN, JdlLexer.BEGIN, JdlLexer.LEFT -> brackets++;
                case JdlLexer.CLOSE, JdlLexer.END, JdlLexer.RIGHT -> brackets = Math.max(0, brackets - 1);
                case JdlLexer.QUESTION -> conditionals++;
                case JdlLexer.SEMICOLON -> conditionals = 0;
                default -> {}
            }
            signs = type == JdlLexer.NOT || type == JdlLexer.PLUS || type == JdlLexer.MINUS ? signs + 1 : 0;
            if (brackets + signs + conditionals > MAX_DEPTH) {
                throw syntaxError(token, "nested more than " + MAX_DEPTH + " deep");
            }
        }
    }
}
