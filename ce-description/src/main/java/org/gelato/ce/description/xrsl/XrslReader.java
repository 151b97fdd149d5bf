package org.gelato.ce.description.xrsl;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.SafeText;

/** Reads the text of one description into relations, with variables put in. One instance per text. */
final class XrslReader {
    /** Bytes of UTF-8; also characters of all values after variables are put in, where its length does not allow less. */
    static final int MAX_BYTES = 1 << 20;

    static final int MAX_WORDS = 20_000;
    static final int MAX_DESCRIPTIONS = 10_000;
    /** What a value takes beside its text. */
    private static final int CHARACTERS_OF_WORD = 32;

    private static final int MAX_DEPTH = 10;

    private final XrslLexer lexer;
    private final ReadingBudget budget;
    private final Map<String, String> variables = new HashMap<>();
    private final List<Relation> relations = new ArrayList<>();
    private XrslLexer.Word word;
    /** Offset behind the word before this one. */
    private int behindLast;

    private final long most;
    private int words;
    private long characters;

    private XrslReader(String text, ReadingBudget budget) {
        this.lexer = new XrslLexer(text);
        this.most = ReadingBudget.mostOf(text);
        this.budget = budget;
    }

    /** A value: a text, or a list when {@code items} is not null. */
    record Value(String text, List<Value> items) {}

    /**
     * One attribute.
     *
     * @param name as written
     * @param key in lower case, without underscores
     * @param begin offset of its values in the text
     * @param end offset behind them
     */
    record Relation(
            String name, String key, char operator, List<Value> values, int line, int column, int begin, int end) {}

    static List<Relation> read(String text, ReadingBudget budget) throws DescriptionException {
        if (text.length() > MAX_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new DescriptionException("the job description is larger than " + MAX_BYTES + " bytes");
        }
        XrslReader reader = new XrslReader(text, budget);
        reader.advance();
        if (reader.word.type() == '+') {
            throw reader.word.refused(null, "several job descriptions where one is expected");
        }
        reader.conjunction(0);
        if (reader.word.type() != XrslLexer.END) {
            throw reader.word.refused(null, "unexpected " + reader.word.shown() + ", expected the end");
        }
        return reader.relations;
    }

    /** The descriptions of {@code +(...)(...)}; anything else is one. */
    static List<String> split(String body) throws DescriptionException {
        XrslLexer lexer = new XrslLexer(body);
        XrslLexer.Word word = lexer.next();
        if (word.type() != '+') {
            return List.of(body);
        }
        List<String> pieces = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (word = lexer.next(); word.type() != XrslLexer.END; word = lexer.next()) {
            if (word.type() == '(' && depth++ == 0) {
                start = word.end();
            } else if (depth == 0) {
                throw word.refused(null, "unexpected " + word.shown() + ", expected '(' before a description");
            } else if (word.type() == ')' && --depth == 0) {
                if (pieces.size() == MAX_DESCRIPTIONS) {
                    throw word.refused(null, "more than " + MAX_DESCRIPTIONS + " descriptions in one request");
                }
                pieces.add(body.substring(start, word.start()));
            }
        }
        if (depth > 0 || pieces.isEmpty()) {
            throw word.refused(null, depth > 0 ? "a ')' is missing" : "no job description after '+'");
        }
        return List.copyOf(pieces);
    }

    private void advance() throws DescriptionException {
        behindLast = word == null ? 0 : word.end();
        word = lexer.next();
        if (++words > MAX_WORDS) {
            throw new DescriptionException("the job description has more than " + MAX_WORDS + " words");
        }
        budget.take(CHARACTERS_OF_WORD);
    }

    private void expect(char type) throws DescriptionException {
        if (word.type() != type) {
            throw word.refused(null, "unexpected " + word.shown() + ", expected '" + type + "'");
        }
        advance();
    }

    private void conjunction(int depth) throws DescriptionException {
        if (depth > MAX_DEPTH) {
            throw word.refused(null, "nested more than " + MAX_DEPTH + " deep");
        }
        if (word.type() == '|') {
            throw word.refused(null, "alternatives with '|' are for brokers, a CE gets one job");
        }
        if (word.type() == '&') {
            advance();
        }
        do {
            expect('(');
            if (word.type() == '&' || word.type() == '(' || word.type() == '|') {
                conjunction(depth + 1);
            } else {
                relation();
            }
            expect(')');
        } while (word.type() == '(');
    }

    private void relation() throws DescriptionException {
        if (!word.isText()) {
            throw word.refused(null, "unexpected " + word.shown() + ", expected the name of an attribute");
        }
        XrslLexer.Word name = word;
        String shown = SafeText.of(name.text());
        advance();
        char operator = word.type();
        if (operator == '!') {
            advance();
        } else if ("=<>LG".indexOf(operator) < 0) {
            throw word.refused(shown, "unexpected " + word.shown() + ", expected '='");
        }
        if (operator == '!' && word.type() != '=') {
            throw word.refused(shown, "unexpected " + word.shown() + ", expected '='");
        }
        advance();
        int begin = word.start();
        List<Value> values = values(shown, 0);
        String key = name.text().toLowerCase(Locale.ROOT).replace("_", "");
        Relation relation = new Relation(shown, key, operator, values, name.line(), name.column(), begin, behindLast);
        if (key.equals("rslsubstitution")) {
            substitute(relation, name);
        } else {
            relations.add(relation);
        }
    }

    private void substitute(Relation relation, XrslLexer.Word at) throws DescriptionException {
        for (Value pair : relation.values()) {
            if (pair.items() == null
                    || pair.items().size() != 2
                    || pair.items().get(0).text() == null
                    || pair.items().get(1).text() == null) {
                throw at.refused(relation.name(), "pairs of a name and a value are expected");
            }
            variables.put(pair.items().get(0).text(), pair.items().get(1).text());
        }
    }

    private List<Value> values(String attribute, int depth) throws DescriptionException {
        if (depth > MAX_DEPTH) {
            throw word.refused(attribute, "nested more than " + MAX_DEPTH + " deep");
        }
        List<Value> values = new ArrayList<>();
        while (word.type() != ')') {
            if (word.type() == '(') {
                advance();
                values.add(new Value(null, values(attribute, depth + 1)));
                if (word.type() != ')') {
                    throw word.refused(attribute, "unexpected " + word.shown() + ", expected ')'");
                }
                advance();
            } else {
                values.add(new Value(text(attribute), null));
            }
        }
        return List.copyOf(values);
    }

    /** Words joined by '#', or by a variable that touches its neighbour, are one text. */
    private String text(String attribute) throws DescriptionException {
        StringBuilder text = new StringBuilder();
        boolean variable = part(attribute, text);
        while (true) {
            if (word.type() == '#') {
                advance();
            } else if (!(word.joined() && (word.type() == '$' || (variable && word.isText())))) {
                return text.toString();
            }
            variable = part(attribute, text);
        }
    }

    private boolean part(String attribute, StringBuilder text) throws DescriptionException {
        XrslLexer.Word at = word;
        String value = at.text();
        if (at.type() == '$') {
            advance();
            if (word.type() != '(') {
                throw word.refused(attribute, "unexpected " + word.shown() + ", expected '(' after '$'");
            }
            advance();
            value = variables.get(word.text());
            if (!word.isText() || value == null) {
                throw word.refused(attribute, "the variable " + word.shown() + " is not set by rsl_substitution");
            }
            advance();
            if (word.type() != ')') {
                throw word.refused(attribute, "unexpected " + word.shown() + ", expected ')'");
            }
        } else if (!at.isText()) {
            throw at.refused(attribute, "unexpected " + at.shown() + ", expected a value");
        }
        characters += value.length();
        if (characters > most) {
            throw at.refused(
                    attribute,
                    "the values have more than " + most + " characters together, with the variables of"
                            + " rsl_substitution put in: a description may grow to four times its length, and to 1 Mi");
        }
        budget.expand(value.length());
        text.append(value);
        advance();
        return at.type() == '$';
    }
}
