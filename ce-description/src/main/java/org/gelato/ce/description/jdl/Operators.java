package org.gelato.ce.description.jdl;

import org.gelato.ce.description.DescriptionException;

/**
 * What the operators do to constants, after the ClassAd language: undefined stays undefined, operands that do not fit
 * give the error value, strings compare without case except by identity.
 */
final class Operators {
    private Operators() {}

    /** Whether the left side alone decides. */
    static boolean settles(Expr left, String operator) {
        return left instanceof Expr.Bool bool && (bool.value() ? operator.equals("||") : operator.equals("&&"));
    }

    static Expr apply(String attribute, String operator, Expr operand) throws DescriptionException {
        if (operand instanceof Expr.Undefined) {
            return operand;
        }
        if (operator.equals("!")) {
            return operand instanceof Expr.Bool bool ? new Expr.Bool(!bool.value()) : new Expr.Wrong();
        }
        if (operand instanceof Expr.Int || operand instanceof Expr.Real) {
            return operator.equals("+") ? operand : apply(attribute, "-", new Expr.Int(0), operand);
        }
        return new Expr.Wrong();
    }

    static Expr apply(String attribute, String operator, Expr left, Expr right) throws DescriptionException {
        if (operator.equals("=?=") || operator.equals("=!=")) {
            return new Expr.Bool(identical(left, right) == operator.equals("=?="));
        }
        if (operator.equals("&&") || operator.equals("||")) {
            return logic(operator, left, right);
        }
        if (left instanceof Expr.Undefined || right instanceof Expr.Undefined) {
            return new Expr.Undefined();
        }
        if (left instanceof Expr.Int a && right instanceof Expr.Int b) {
            return integers(attribute, operator, a.value(), b.value());
        }
        if (number(left) && number(right)) {
            return reals(attribute, operator, real(left), real(right));
        }
        if (left instanceof Expr.Str a && right instanceof Expr.Str b) {
            return compared(operator, a.value().compareToIgnoreCase(b.value()));
        }
        if (left instanceof Expr.Bool a && right instanceof Expr.Bool b) {
            return operator.equals("==") || operator.equals("!=")
                    ? compared(operator, Boolean.compare(a.value(), b.value()))
                    : new Expr.Wrong();
        }
        return new Expr.Wrong();
    }

    /** The left side is known not to decide alone. */
    private static Expr logic(String operator, Expr left, Expr right) {
        boolean fits = (left instanceof Expr.Bool || left instanceof Expr.Undefined)
                && (right instanceof Expr.Bool || right instanceof Expr.Undefined);
        if (!fits) {
            return new Expr.Wrong();
        }
        return settles(right, operator) || left instanceof Expr.Bool ? right : left;
    }

    private static boolean identical(Expr left, Expr right) {
        boolean comparable = !(left instanceof Expr.Items || left instanceof Expr.Rec);
        // Lists and records may be shared many times over; comparing them could take longer than any user waits.
        return comparable && left.equals(right);
    }

    private static Expr integers(String attribute, String operator, long a, long b) throws DescriptionException {
        try {
            return switch (operator) {
                case "+" -> new Expr.Int(Math.addExact(a, b));
                case "-" -> new Expr.Int(Math.subtractExact(a, b));
                case "*" -> new Expr.Int(Math.multiplyExact(a, b));
                case "/", "%" -> {
                    if (b == 0) {
                        throw new DescriptionException(attribute, "division by zero");
                    }
                    if (b == -1) {
                        yield operator.equals("%") ? new Expr.Int(0) : new Expr.Int(Math.negateExact(a));
                    }
                    yield new Expr.Int(operator.equals("/") ? a / b : a % b);
                }
                default -> compared(operator, Long.compare(a, b));
            };
        } catch (ArithmeticException e) {
            throw new DescriptionException(attribute, "the result of " + operator + " is out of range");
        }
    }

    private static Expr reals(String attribute, String operator, double a, double b) throws DescriptionException {
        double result;
        switch (operator) {
            case "+" -> result = a + b;
            case "-" -> result = a - b;
            case "*" -> result = a * b;
            case "/" -> result = a / b;
            case "%" -> result = a % b;
            default -> {
                return compared(operator, Double.compare(a, b));
            }
        }
        if (Double.isNaN(result) || Double.isInfinite(result)) {
            throw new DescriptionException(attribute, "the result of " + operator + " is out of range");
        }
        return new Expr.Real(result);
    }

    private static Expr compared(String operator, int order) {
        return switch (operator) {
            case "==" -> new Expr.Bool(order == 0);
            case "!=" -> new Expr.Bool(order != 0);
            case "<" -> new Expr.Bool(order < 0);
            case "<=" -> new Expr.Bool(order <= 0);
            case ">" -> new Expr.Bool(order > 0);
            case ">=" -> new Expr.Bool(order >= 0);
            default -> new Expr.Wrong();
        };
    }

    private static boolean number(Expr value) {
        return value instanceof Expr.Int || value instanceof Expr.Real;
    }

    private static double real(Expr value) {
        return value instanceof Expr.Int i ? i.value() : ((Expr.Real) value).value();
    }
}
