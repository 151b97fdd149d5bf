package org.gelato.ce.description.jdl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.SafeText;

/**
 * Evaluates attributes that must be constants. Other attributes of the description may be named; each is evaluated once,
 * so that the work is linear in the text; what comparisons read has a bound of its own, for they may name one long text many
 * times. One instance per description, not thread-safe.
 */
final class Constants {
    private static final int MAX_DEPTH = 4 * JdlTokens.MAX_DEPTH;
    private final Map<String, Expr.Attribute> attributes;
    private final Map<String, Expr> known = new HashMap<>();
    private final Set<String> underway = new HashSet<>();
    private String attribute = "";
    private int depth;
    private long compared;

    Constants(Map<String, Expr.Attribute> attributes) {
        this.attributes = attributes;
    }

    /**
     * @param name whose value is wanted; errors begin with it
     * @return a constant; never a reference, call or operation
     */
    Expr value(String name, Expr expr) throws DescriptionException {
        attribute = name;
        depth = 0;
        return eval(expr);
    }

    private Expr eval(Expr expr) throws DescriptionException {
        if (++depth > MAX_DEPTH) {
            throw refused("refers to other attributes too deeply");
        }
        Expr value = step(expr);
        depth--;
        return value;
    }

    private Expr step(Expr expr) throws DescriptionException {
        if (expr instanceof Expr.Items list) {
            List<Expr> values = new ArrayList<>(list.items().size());
            for (Expr item : list.items()) {
                values.add(eval(item));
            }
            return new Expr.Items(values);
        }
        if (expr instanceof Expr.Ref ref) {
            return referred(ref);
        }
        if (expr instanceof Expr.Call call) {
            throw refused("a constant is needed, function " + SafeText.of(call.name()) + " is not evaluated here");
        }
        if (expr instanceof Expr.Unary unary) {
            return Operators.apply(attribute, unary.operator(), eval(unary.operand()));
        }
        if (expr instanceof Expr.Conditional conditional) {
            Expr condition = eval(conditional.condition());
            if (condition instanceof Expr.Bool bool) {
                return eval(bool.value() ? conditional.then() : conditional.otherwise());
            }
            return condition instanceof Expr.Undefined ? condition : new Expr.Wrong();
        }
        return expr instanceof Expr.Binary binary ? chain(binary) : expr;
    }

    private Expr chain(Expr.Binary last) throws DescriptionException {
        Deque<Expr.Binary> chain = new ArrayDeque<>();
        Expr at = last;
        while (at instanceof Expr.Binary binary) {
            chain.push(binary);
            at = binary.left();
        }
        Expr left = eval(at);
        for (Expr.Binary binary : chain) {
            if (!Operators.settles(left, binary.operator())) {
                Expr right = eval(binary.right());
                compares(left, right);
                left = Operators.apply(attribute, binary.operator(), left, right);
            }
        }
        return left;
    }

    private void compares(Expr left, Expr right) throws DescriptionException {
        if (left instanceof Expr.Str a && right instanceof Expr.Str b) {
            compared += Math.min(a.value().length(), b.value().length());
            if (compared > JdlTokens.MAX_BYTES) {
                throw refused("compares more than " + JdlTokens.MAX_BYTES + " characters");
            }
        }
    }

    private Expr referred(Expr.Ref ref) throws DescriptionException {
        if (ref.scope() != null) {
            throw refused("a constant is needed, " + SafeText.of(ref.name())
                    + " of another record is not; a text stands in double quotes");
        }
        String key = ref.name().toLowerCase(Locale.ROOT);
        Expr value = known.get(key);
        if (value != null) {
            return value;
        }
        Expr.Attribute attribute = attributes.get(key);
        if (attribute == null) {
            throw refused(SafeText.of(ref.name()) + " is not defined (a string must stand in double quotes)");
        }
        if (!underway.add(key)) {
            throw refused("the value refers to itself");
        }
        value = eval(attribute.value());
        underway.remove(key);
        known.put(key, value);
        return value;
    }

    private DescriptionException refused(String why) {
        return new DescriptionException(attribute, why);
    }
}
