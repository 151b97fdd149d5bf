package org.gelato.ce.description.jdl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;

/**
 * A job's CERequirements: what the CE makes of them itself, and what a site's submit script gets to know of them. Both start
 * from each comparison of an attribute with a constant (docs/developer/protocol/jdl.md section 5); its place
 * in the expression counts for the CE alone. Immutable.
 */
public final class CeRequirements {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern SMALL = Pattern.compile(".*[a-z].*");
    /** Nothing that ends a quoted text, a line or a directive, or that a shell expands. */
    private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9 _.:/+@,=%-]{0,1024}");

    /**
     * A comparison of which a variable is made.
     *
     * @param ending of the variable's name: {@code _Min}, {@code _Max}, the index of a list, or nothing
     * @param value an integer or a text
     * @param required whether the expression holds only where the comparison does
     */
    record Comparison(String name, String ending, Expr value, boolean required) {}

    /** A part of the expression; {@code required} when the whole holds only where it does. */
    private record Part(Expr expr, boolean required) {}

    private final List<Comparison> comparisons = new ArrayList<>();
    private final Set<String> dropped = new LinkedHashSet<>();
    private final Map<String, Integer> members = new HashMap<>();

    private CeRequirements(Expr expression) {
        Deque<Part> open = new ArrayDeque<>();
        open.push(new Part(expression, true));
        while (!open.isEmpty()) {
            visit(open.pop(), open);
        }
    }

    /**
     * Reads an expression.
     *
     * @param text null for none
     * @param budget of the call
     * @throws DescriptionException when it is no expression
     */
    public static CeRequirements of(String text, ReadingBudget budget) throws DescriptionException {
        if (text == null || text.isBlank()) {
            return new CeRequirements(new Expr.Undefined());
        }
        Expr.Attribute attribute =
                JdlReader.read("[ CERequirements = " + text + "\n]", budget).get("cerequirements");
        return new CeRequirements(attribute == null ? new Expr.Undefined() : attribute.value());
    }

    /** An attribute as it stands in a description: an expression, or a text that contains one. */
    static CeRequirements of(Expr.Attribute attribute, ReadingBudget budget) throws DescriptionException {
        if (attribute == null) {
            return of((String) null, budget);
        }
        return attribute.value() instanceof Expr.Str text
                ? of(text.value(), budget)
                : new CeRequirements(attribute.value());
    }

    /**
     * Shell assignments as blahpd makes them, in the order of the text, each one shell word that needs no more quoting.
     * {@code !=}, reals and booleans make none, nor do names without a small letter: they are the shell's own.
     *
     * @throws DescriptionException when a string cannot be passed on safely
     */
    public List<String> assignments() throws DescriptionException {
        List<String> assignments = new ArrayList<>();
        for (Comparison c : comparisons) {
            String value = c.value() instanceof Expr.Int number
                    ? Long.toString(number.value())
                    : quoted(c.name(), (Expr.Str) c.value());
            assignments.add(c.name() + c.ending() + "='" + value + "'");
        }
        return List.copyOf(assignments);
    }

    /** What becomes options of the batch job. */
    JobRequest.Limits limits() {
        return new RequiredLimits(comparisons).limits();
    }

    /** The rest, each name once. */
    JobRequest.FurtherRequirements further() {
        return new JobRequest.FurtherRequirements(new RequiredLimits(comparisons).others(), List.copyOf(dropped));
    }

    /** The texts that attributes must be equal to. */
    List<String> texts(List<String> names) {
        return comparisons.stream()
                .filter(c ->
                        c.required() && c.ending().isEmpty() && names.stream().anyMatch(c.name()::equalsIgnoreCase))
                .filter(c -> c.value() instanceof Expr.Str)
                .map(c -> ((Expr.Str) c.value()).value())
                .toList();
    }

    private void visit(Part part, Deque<Part> open) {
        Expr expr = part.expr();
        if (expr instanceof Expr.Binary b) {
            if (b.left() instanceof Expr.Ref ref && isConstant(b.right())) {
                comparison(ref.name(), b.operator(), b.right(), part.required());
            } else if (b.right() instanceof Expr.Ref ref && isConstant(b.left())) {
                comparison(ref.name(), reversed(b.operator()), b.left(), part.required());
            } else {
                boolean required = part.required() && b.operator().equals("&&");
                open.push(new Part(b.right(), required));
                open.push(new Part(b.left(), required));
            }
        } else if (expr instanceof Expr.Unary u) {
            open.push(new Part(u.operand(), false));
        } else if (expr instanceof Expr.Conditional c) {
            open.push(new Part(c.otherwise(), false));
            open.push(new Part(c.then(), false));
            open.push(new Part(c.condition(), false));
        } else if (expr instanceof Expr.Call call) {
            member(call, part.required());
        } else if (expr instanceof Expr.Ref ref) {
            dropped.add(ref.name());
        }
    }

    private static boolean isConstant(Expr expr) {
        return expr instanceof Expr.Int || expr instanceof Expr.Str;
    }

    private static String reversed(String operator) {
        return switch (operator) {
            case ">=" -> "<=";
            case ">" -> "<";
            case "<=" -> ">=";
            case "<" -> ">";
            default -> operator;
        };
    }

    private void comparison(String name, String operator, Expr value, boolean required) {
        boolean text = value instanceof Expr.Str;
        String ending = switch (operator) {
            case ">=", ">" -> text ? null : "_Min";
            case "<=", "<" -> text ? null : "_Max";
            case "==", "=?=" -> "";
            default -> null;
        };
        if (ending == null || !isPassed(name)) {
            dropped.add(name);
        } else {
            comparisons.add(new Comparison(name, ending, value, required));
        }
    }

    private void member(Expr.Call call, boolean required) {
        if (call.name().equalsIgnoreCase("Member")
                && call.arguments().size() == 2
                && call.arguments().get(0) instanceof Expr.Str value
                && call.arguments().get(1) instanceof Expr.Ref list
                && isPassed(list.name())) {
            int index = members.merge(list.name(), 1, Integer::sum) - 1;
            comparisons.add(new Comparison(list.name(), "[" + index + "]", value, required));
        } else {
            for (Expr argument : call.arguments()) {
                if (argument instanceof Expr.Ref ref) {
                    dropped.add(ref.name());
                }
            }
        }
    }

    private static boolean isPassed(String name) {
        return NAME.matcher(name).matches() && SMALL.matcher(name).matches();
    }

    /** Keeps its double quotes, as blahpd does; single quotes fall out. */
    private static String quoted(String name, Expr.Str value) throws DescriptionException {
        String text = value.value().replace("'", "");
        if (!TEXT.matcher(text).matches()) {
            throw new DescriptionException(
                    "CERequirements",
                    "the value of " + name
                            + " cannot be passed to the batch system: accepted are at most 1024 letters, digits, blanks and _ . : / + @ , = % -");
        }
        return '"' + text + '"';
    }
}
