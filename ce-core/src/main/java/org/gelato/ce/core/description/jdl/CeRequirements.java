package org.gelato.ce.core.description.jdl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.core.description.DescriptionException;
import org.gelato.ce.core.description.WordBudget;

/**
 * What a site's submit script gets to know of a job's CERequirements: shell assignments, one for each comparison of an
 * attribute with a constant, as blahpd makes them (docs/protocol/jdl.md section 5). The structure of the expression does
 * not count, nor do {@code !=}, reals and booleans. Names without a small letter are passed over: they are the shell's
 * own.
 */
public final class CeRequirements {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern SMALL = Pattern.compile(".*[a-z].*");
    /** Nothing that ends a quoted text, a line or a directive, or that a shell expands. */
    private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9 _.:/+@,=%-]{0,1024}");

    private CeRequirements() {}

    /**
     * The assignments in the order of the text, each one shell word that needs no more quoting.
     *
     * @param text of the expression; null for none
     * @throws DescriptionException when it is no expression or a string in it cannot be passed on safely
     */
    public static List<String> assignments(String text) throws DescriptionException {
        if (text == null || text.isBlank()) {
            return List.of();
        }
        Expr.Attribute attribute = JdlReader.read("[ CERequirements = " + text + "\n]", new WordBudget())
                .get("cerequirements");
        List<String> assignments = new ArrayList<>();
        Map<String, Integer> members = new HashMap<>();
        Deque<Expr> open = new ArrayDeque<>();
        if (attribute != null) {
            open.push(attribute.value());
        }
        while (!open.isEmpty()) {
            visit(open.pop(), open, assignments, members);
        }
        return List.copyOf(assignments);
    }

    private static void visit(Expr expr, Deque<Expr> open, List<String> assignments, Map<String, Integer> members)
            throws DescriptionException {
        if (expr instanceof Expr.Binary b) {
            if (b.left() instanceof Expr.Ref ref && isConstant(b.right())) {
                comparison(ref.name(), b.operator(), b.right(), assignments);
            } else if (b.right() instanceof Expr.Ref ref && isConstant(b.left())) {
                comparison(ref.name(), reversed(b.operator()), b.left(), assignments);
            } else {
                open.push(b.right());
                open.push(b.left());
            }
        } else if (expr instanceof Expr.Unary u) {
            open.push(u.operand());
        } else if (expr instanceof Expr.Conditional c) {
            open.push(c.otherwise());
            open.push(c.then());
            open.push(c.condition());
        } else if (expr instanceof Expr.Call call) {
            member(call, assignments, members);
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

    private static void comparison(String name, String operator, Expr value, List<String> assignments)
            throws DescriptionException {
        boolean text = value instanceof Expr.Str;
        String ending = switch (operator) {
            case ">=", ">" -> text ? null : "_Min";
            case "<=", "<" -> text ? null : "_Max";
            case "==", "=?=" -> "";
            default -> null;
        };
        if (ending != null && isPassed(name)) {
            assignments.add(name + ending + "='" + (text ? quoted(name, (Expr.Str) value) : number(value)) + "'");
        }
    }

    private static void member(Expr.Call call, List<String> assignments, Map<String, Integer> members)
            throws DescriptionException {
        if (call.name().equalsIgnoreCase("Member")
                && call.arguments().size() == 2
                && call.arguments().get(0) instanceof Expr.Str value
                && call.arguments().get(1) instanceof Expr.Ref list
                && isPassed(list.name())) {
            int index = members.merge(list.name(), 1, Integer::sum) - 1;
            assignments.add(list.name() + "[" + index + "]='" + quoted(list.name(), value) + "'");
        }
    }

    private static boolean isPassed(String name) {
        return NAME.matcher(name).matches() && SMALL.matcher(name).matches();
    }

    private static long number(Expr value) {
        return ((Expr.Int) value).value();
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
