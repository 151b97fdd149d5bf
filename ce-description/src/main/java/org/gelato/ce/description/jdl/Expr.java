package org.gelato.ce.description.jdl;

import java.util.List;
import java.util.Map;

/** An expression of the job description language, as written. Constants are their own values. */
sealed interface Expr {
    record Int(long value) implements Expr {}

    record Real(double value) implements Expr {}

    record Bool(boolean value) implements Expr {}

    /** @param value with {@code \"} already read as a quote; every other backslash stands for itself */
    record Str(String value) implements Expr {}

    record Undefined() implements Expr {}

    record Wrong() implements Expr {}

    record Items(List<Expr> items) implements Expr {}

    /** @param attributes by name in lower case */
    record Rec(Map<String, Attribute> attributes) implements Expr {}

    /** @param scope null for a bare name */
    record Ref(Expr scope, String name) implements Expr {}

    record Call(String name, List<Expr> arguments) implements Expr {}

    record Unary(String operator, Expr operand) implements Expr {}

    /** Chains lean to the left and may be as long as the text: walk them in a loop. */
    record Binary(String operator, Expr left, Expr right) implements Expr {}

    record Conditional(Expr condition, Expr then, Expr otherwise) implements Expr {}

    /**
     * One attribute of a record.
     *
     * @param name as written
     * @param text source without comments, gaps shown as one blank; null inside nested records
     * @param line of the name, from 1
     * @param column of the name, from 1
     */
    record Attribute(String name, Expr value, String text, int line, int column) {}
}
