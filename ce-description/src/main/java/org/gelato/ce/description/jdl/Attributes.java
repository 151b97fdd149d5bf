package org.gelato.ce.description.jdl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.ReadingBudget;

/**
 * Attributes of one description by type. Every error names its attribute; every text that comes out of here
 * is free of control characters other than tab and newline. One instance per description, not thread-safe.
 */
final class Attributes {
    private final Map<String, Expr.Attribute> attributes;
    private final ReadingBudget budget;
    private final long most;
    private final Constants constants;
    private long characters;

    /**
     * @param budget of the call
     * @param most characters of the items of all lists together
     */
    Attributes(Map<String, Expr.Attribute> attributes, ReadingBudget budget, long most) {
        this.attributes = attributes;
        this.budget = budget;
        this.most = most;
        this.constants = new Constants(attributes);
    }

    /** @return null when absent, empty or undefined */
    String string(String name) throws DescriptionException {
        Expr value = value(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Expr.Str text)) {
            throw wrongType(name, "string");
        }
        return text.value().isBlank() ? null : PlainText.check(name, text.value());
    }

    /** @throws DescriptionException also when it is absent or empty */
    String mandatory(String name) throws DescriptionException {
        String value = string(name);
        if (value == null) {
            throw missing(name, "");
        }
        return value;
    }

    /**
     * A list, or one string for a list of one. Items are trimmed, empty ones dropped. They may name one long text many times,
     * so that the items of all lists together are bounded by the description's size.
     */
    List<String> strings(String name) throws DescriptionException {
        List<String> strings = new ArrayList<>();
        for (Expr item : items(name)) {
            if (item instanceof Expr.Str text) {
                characters += text.value().length();
                if (characters > most) {
                    throw new DescriptionException(
                            name,
                            "the items of all lists have more than " + most + " characters together, with the"
                                    + " attributes that they name: a description may grow to four times its length, and to 1 Mi");
                }
                budget.expand(text.value().length());
                String trimmed = text.value().trim();
                if (!trimmed.isEmpty()) {
                    strings.add(PlainText.check(name, trimmed));
                }
            } else if (!(item instanceof Expr.Undefined)) {
                throw wrongType(name, "list of strings");
            }
        }
        return List.copyOf(strings);
    }

    /** The values of a list, or the one value that stands for it; empty when absent. */
    List<Expr> items(String name) throws DescriptionException {
        Expr value = value(name);
        if (value == null) {
            return List.of();
        }
        return value instanceof Expr.Items list ? list.items() : List.of(value);
    }

    /** @return null when absent, else 1 or more */
    Integer positive(String name) throws DescriptionException {
        Expr value = value(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Expr.Int number)) {
            throw wrongType(name, "integer");
        }
        if (number.value() < 1) {
            throw new DescriptionException(name, "the value must be >=1");
        }
        if (number.value() > Integer.MAX_VALUE) {
            throw new DescriptionException(
                    name, "the number " + number.value() + " is out of range (at most " + Integer.MAX_VALUE + ")");
        }
        return (int) number.value();
    }

    /** @return false when absent */
    boolean flag(String name) throws DescriptionException {
        Expr value = value(name);
        if (value != null && !(value instanceof Expr.Bool)) {
            throw wrongType(name, "boolean");
        }
        return value instanceof Expr.Bool bool && bool.value();
    }

    /** @return a number's text; null when absent */
    String number(String name) throws DescriptionException {
        Expr value = value(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Expr.Int number) {
            return Long.toString(number.value());
        }
        if (value instanceof Expr.Real number) {
            return Double.toString(number.value());
        }
        throw wrongType(name, "real");
    }

    /** The text of an expression; of a string what stands in its quotes. Never evaluated. Null when absent. */
    String expression(String name) throws DescriptionException {
        Expr.Attribute attribute = attributes.get(name.toLowerCase(Locale.ROOT));
        if (attribute == null || attribute.value() instanceof Expr.Undefined) {
            return null;
        }
        String text = attribute.value() instanceof Expr.Str string ? string.value() : attribute.text();
        return text.isBlank() ? null : PlainText.check(name, text);
    }

    /** @param more for the end of the text */
    static DescriptionException missing(String name, String more) {
        return DescriptionException.naming(name, "mandatory attribute \"" + name + "\" not defined!" + more);
    }

    static DescriptionException wrongType(String name, String expected) {
        return new DescriptionException(name, "wrong type (expected type: " + expected + ")");
    }

    private Expr value(String name) throws DescriptionException {
        Expr.Attribute attribute = attributes.get(name.toLowerCase(Locale.ROOT));
        if (attribute == null) {
            return null;
        }
        Expr value = constants.value(name, attribute.value());
        return value instanceof Expr.Undefined ? null : value;
    }
}
