package org.gelato.ce.description.jdl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.SafeText;

/**
 * Reads the text of a job description into attributes; the grammar is docs/developer/protocol/jdl.md section 1. Every decision needs one word of
 * lookahead. Its recursion is bounded. One instance per text.
 */
final class JdlReader {
    /** Of expressions within each other; each takes some frames of the stack. */
    private static final int MAX_DEPTH = 6 * JdlTokens.MAX_DEPTH;

    private final List<JdlWord> words;
    private int next;
    /** The name of the attribute that is read. */
    private JdlWord attribute;

    private int depth;

    private JdlReader(List<JdlWord> words) {
        this.words = words;
    }

    /** @return the attributes by name in lower case; of duplicates the last */
    static Map<String, Expr.Attribute> read(String text, ReadingBudget budget) throws DescriptionException {
        JdlReader reader = new JdlReader(JdlTokens.read(text, budget));
        boolean isRecord = reader.takes("[");
        Map<String, Expr.Attribute> attributes = reader.attributes(true);
        if (isRecord) {
            reader.expect("]");
        }
        if (reader.word().kind() != JdlWord.Kind.END) {
            throw unexpected(reader.word(), reader.next == 0 ? "the end or a name or '[' or ';'" : "the end");
        }
        return attributes;
    }

    private Map<String, Expr.Attribute> attributes(boolean top) throws DescriptionException {
        Map<String, Expr.Attribute> attributes = new LinkedHashMap<>();
        do {
            if (word().kind() == JdlWord.Kind.NAME) {
                JdlWord name = words.get(next++);
                attribute = name;
                expect("=");
                int from = next;
                Expr value = expr(0);
                attributes.put(
                        name.text().toLowerCase(Locale.ROOT),
                        new Expr.Attribute(name.text(), value, top ? text(from) : null, name.line(), name.column()));
                end(value);
            }
        } while (takes(";"));
        return attributes;
    }

    /** What may follow a value is left to who reads on; two mistakes that are often made have words of their own. */
    private void end(Expr value) throws DescriptionException {
        JdlWord word = word();
        if (word.kind() == JdlWord.Kind.NAME && words.get(next + 1).is("=")) {
            throw JdlTokens.syntaxError(word, "a ';' is missing before " + word.shown());
        }
        if (value instanceof Expr.Ref && word.kind() != JdlWord.Kind.SYMBOL && word.kind() != JdlWord.Kind.END) {
            throw JdlTokens.syntaxError(word, "unexpected " + word.shown() + ": texts stand in double quotes");
        }
    }

    /** Brackets, signs and conditionals within each other, of which {@link JdlTokens} bounds each place alone. */
    private void deeper(JdlWord word) throws DescriptionException {
        if (++depth > MAX_DEPTH) {
            throw JdlTokens.syntaxError(word, "nested too deeply");
        }
    }

    /** @param least how strongly an operator must bind to be a part of the expression */
    private Expr expr(int least) throws DescriptionException {
        deeper(word());
        Expr left = operand();
        for (int strength = strength(word()); strength >= least; strength = strength(word())) {
            String operator = words.get(next++).text();
            if (strength == 0) {
                Expr then = expr(0);
                expect(":");
                left = new Expr.Conditional(left, then, expr(0));
            } else {
                left = new Expr.Binary(operator, left, expr(strength + 1));
            }
        }
        depth--;
        return left;
    }

    /** -1 of what stands between no two expressions. */
    private static int strength(JdlWord word) {
        if (word.kind() != JdlWord.Kind.SYMBOL) {
            return -1;
        }
        return switch (word.text()) {
            case "?" -> 0;
            case "||" -> 1;
            case "&&" -> 2;
            case "==", "!=", "=?=", "=!=" -> 3;
            case "<", "<=", ">", ">=" -> 4;
            case "+", "-" -> 5;
            case "*", "/", "%" -> 6;
            default -> -1;
        };
    }

    private Expr operand() throws DescriptionException {
        JdlWord word = words.get(next++);
        if (word.is("!") || word.is("+") || word.is("-")) {
            deeper(word);
            Expr operand = operand();
            depth--;
            return new Expr.Unary(word.text(), operand);
        }
        Expr result = primary(word);
        while (takes(".")) {
            JdlWord name = words.get(next++);
            if (name.kind() != JdlWord.Kind.NAME) {
                throw unexpected(name, "a name");
            }
            result = new Expr.Ref(result, name.text());
        }
        return result;
    }

    private Expr primary(JdlWord word) throws DescriptionException {
        return switch (word.kind()) {
            case INTEGER -> integer(word.text());
            case REAL -> real(word.text());
            case STRING -> new Expr.Str(word.content());
            case NAME -> takes("(") ? new Expr.Call(word.text(), all(")", false)) : constant(word.text());
            case SYMBOL ->
                switch (word.text()) {
                    case "{" -> new Expr.Items(all("}", true));
                    case "[" -> {
                        Expr inner = new Expr.Rec(attributes(false));
                        expect("]");
                        yield inner;
                    }
                    case "(" -> {
                        Expr inner = expr(0);
                        expect(")");
                        yield inner;
                    }
                    case "/" ->
                        throw JdlTokens.syntaxError(
                                word, "unexpected " + word.shown() + ": texts stand in double quotes");
                    default -> throw unexpected(word, null);
                };
            default -> throw unexpected(word, null);
        };
    }

    /** @param trailing whether a comma may stand before the end */
    private List<Expr> all(String end, boolean trailing) throws DescriptionException {
        List<Expr> all = new ArrayList<>();
        while (!takes(end)) {
            if (!all.isEmpty()) {
                if (!takes(",")) {
                    throw unexpected(word(), "'" + end + "' or ','");
                }
                if (trailing && takes(end)) {
                    break;
                }
            }
            all.add(expr(0));
        }
        return all;
    }

    private static Expr constant(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "true" -> new Expr.Bool(true);
            case "false" -> new Expr.Bool(false);
            case "undefined" -> new Expr.Undefined();
            case "error" -> new Expr.Wrong();
            default -> new Expr.Ref(null, word);
        };
    }

    private Expr integer(String digits) throws DescriptionException {
        try {
            return new Expr.Int(Long.parseLong(digits));
        } catch (NumberFormatException e) {
            throw outOfRange(digits);
        }
    }

    private Expr real(String digits) throws DescriptionException {
        double value = Double.parseDouble(digits);
        if (Double.isInfinite(value)) {
            throw outOfRange(digits);
        }
        return new Expr.Real(value);
    }

    private DescriptionException outOfRange(String digits) {
        return new DescriptionException(attribute.text(), "the number " + SafeText.of(digits) + " is out of range")
                .at(attribute.line(), attribute.column());
    }

    /** The source from a word on, with comments and line breaks between words reduced to one blank. */
    private String text(int from) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < next; i++) {
            if (i > from && words.get(i - 1).end() < words.get(i).start()) {
                text.append(' ');
            }
            text.append(words.get(i).text());
        }
        return text.toString();
    }

    private JdlWord word() {
        return words.get(next);
    }

    private boolean takes(String symbol) {
        boolean here = word().is(symbol);
        next += here ? 1 : 0;
        return here;
    }

    private void expect(String symbol) throws DescriptionException {
        if (!takes(symbol)) {
            throw unexpected(word(), "'" + symbol + "'");
        }
    }

    /** @param expected null where it may be much */
    private static DescriptionException unexpected(JdlWord word, String expected) {
        return JdlTokens.syntaxError(
                word, "unexpected " + word.shown() + (expected == null ? "" : ", expected " + expected));
    }
}
