package org.gelato.ce.description.jdl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.antlr.v4.runtime.Token;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.Excerpt;
import org.gelato.ce.description.jdl.JdlParser.ExprContext;

/** Turns a parse tree into attributes. Its recursion is as deep as {@link JdlTokens#MAX_DEPTH} allows and no deeper. */
final class AstBuilder {
    private final List<Token> tokens;
    /** The name of the attribute that is read. */
    private Token attribute;

    AstBuilder(List<Token> tokens) {
        this.tokens = tokens;
    }

    Map<String, Expr.Attribute> top(JdlParser.AttributesContext context) throws DescriptionException {
        return attributes(context, true);
    }

    private Map<String, Expr.Attribute> attributes(JdlParser.AttributesContext context, boolean top)
            throws DescriptionException {
        Map<String, Expr.Attribute> attributes = new LinkedHashMap<>();
        for (JdlParser.AttributeContext one : context.attribute()) {
            Token at = one.NAME().getSymbol();
            attribute = at;
            String name = at.getText();
            Expr value = expr(one.expr());
            String text = top ? text(one.expr()) : null;
            attributes.put(
                    name.toLowerCase(Locale.ROOT),
                    new Expr.Attribute(name, value, text, at.getLine(), JdlTokens.column(at)));
        }
        return attributes;
    }

    private Expr expr(ExprContext context) throws DescriptionException {
        Deque<JdlParser.BinaryContext> chain = new ArrayDeque<>();
        ExprContext at = context;
        while (at instanceof JdlParser.BinaryContext binary) {
            chain.push(binary);
            at = binary.expr(0);
        }
        Expr result = operand(at);
        for (JdlParser.BinaryContext binary : chain) {
            result = new Expr.Binary(binary.op.getText(), result, expr(binary.expr(1)));
        }
        return result;
    }

    private Expr operand(ExprContext context) throws DescriptionException {
        if (context instanceof JdlParser.UnaryContext unary) {
            return new Expr.Unary(unary.op.getText(), expr(unary.expr()));
        }
        if (context instanceof JdlParser.ConditionalContext conditional) {
            return new Expr.Conditional(
                    expr(conditional.expr(0)), expr(conditional.expr(1)), expr(conditional.expr(2)));
        }
        Deque<String> path = new ArrayDeque<>();
        ExprContext at = context;
        while (at instanceof JdlParser.SelectContext select) {
            path.push(select.NAME().getText());
            at = select.expr();
        }
        Expr result = at instanceof JdlParser.PrimaryExprContext primary ? primary(primary.primary()) : expr(at);
        for (String name : path) {
            result = new Expr.Ref(result, name);
        }
        return result;
    }

    private Expr primary(JdlParser.PrimaryContext context) throws DescriptionException {
        if (context.INTEGER() != null) {
            return integer(context.INTEGER().getText());
        }
        if (context.REAL() != null) {
            return real(context.REAL().getText());
        }
        if (context.STRING() != null) {
            String quoted = context.STRING().getText();
            return new Expr.Str(quoted.substring(1, quoted.length() - 1).replace("\\\"", "\""));
        }
        if (context.NAME() != null) {
            return context.arguments() == null
                    ? word(context.NAME().getText())
                    : new Expr.Call(
                            context.NAME().getText(), all(context.arguments().expr()));
        }
        if (context.list() != null) {
            return new Expr.Items(all(context.list().expr()));
        }
        if (context.record() != null) {
            return new Expr.Rec(attributes(context.record().attributes(), false));
        }
        return expr(context.expr());
    }

    private List<Expr> all(List<ExprContext> contexts) throws DescriptionException {
        List<Expr> all = new ArrayList<>(contexts.size());
        for (ExprContext context : contexts) {
            all.add(expr(context));
        }
        return all;
    }

    private static Expr word(String word) {
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
        return new DescriptionException(attribute.getText(), "the number " + Excerpt.of(digits) + " is out of range")
                .at(attribute.getLine(), JdlTokens.column(attribute));
    }

    /** The source with comments and line breaks between words reduced to one blank. */
    private String text(ExprContext context) {
        StringBuilder text = new StringBuilder();
        int from = context.getStart().getTokenIndex();
        int to = context.getStop().getTokenIndex();
        for (int i = from; i <= to; i++) {
            Token token = tokens.get(i);
            if (i > from && tokens.get(i - 1).getStopIndex() + 1 < token.getStartIndex()) {
                text.append(' ');
            }
            text.append(token.getText());
        }
        return text.toString();
    }
}
