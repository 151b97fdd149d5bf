package org.gelato.ce.description.jdl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.gelato.ce.description.DescriptionException;

/**
 * Where the attributes at the top of a description stand in its text, for who changes one and leaves all else as it is. Their values are not
 * judged: that is the part of the CE that gets it. Immutable.
 */
public final class JdlLayout {
    private final String text;
    private final List<Attribute> attributes = new ArrayList<>();
    private final Deque<JdlWord> open = new ArrayDeque<>();
    /** The words of the attribute that is read. */
    private final List<JdlWord> statement = new ArrayList<>();

    private JdlWord first;
    /** The last word that a further attribute can stand behind. */
    private JdlWord last;

    private JdlWord closing;
    private int equalsSign = -1;

    /**
     * An attribute at the top.
     *
     * @param name as written
     * @param start offset of the name's first character
     * @param end offset behind its semicolon, or behind its value where it has none
     * @param strings in its value, trimmed; empty ones count as absent
     * @param line of the name, from 1
     * @param column of the name, from 1, in characters
     */
    public record Attribute(String name, int start, int end, List<String> strings, int line, int column) {}

    private JdlLayout(String text) {
        this.text = text;
    }

    /** @throws DescriptionException when brackets, strings or comments do not close; with line and column */
    public static JdlLayout of(String text) throws DescriptionException {
        JdlLayout layout = new JdlLayout(text);
        JdlLexer lexer = new JdlLexer(text);
        for (JdlWord word = lexer.next(); word.kind() != JdlWord.Kind.END; word = lexer.next()) {
            if (word.kind() != JdlWord.Kind.COMMENT) {
                layout.take(word);
            }
        }
        if (!layout.open.isEmpty()) {
            throw error(layout.open.peek(), "'" + layout.open.peek().text() + "' is never closed");
        }
        layout.endStatement();
        return layout;
    }

    /** In their order, with those that are set again. */
    public List<Attribute> attributes() {
        return List.copyOf(attributes);
    }

    /** Whether brackets are around it all. */
    public boolean isRecord() {
        return first != null && first.is("[");
    }

    /** Offset of the first character that is neither blank nor comment; 0 without one. */
    public int begin() {
        return first == null ? 0 : first.start();
    }

    /** Offset at which another attribute can be put: before any comment that ends the text. */
    public int insertAt() {
        return last == null ? 0 : last.end();
    }

    /** Whether an attribute put there must be parted from the one before. */
    public boolean needsSemicolon() {
        return last != null && !last.is(";") && !(isRecord() && attributes.isEmpty());
    }

    private void take(JdlWord word) throws DescriptionException {
        if (closing != null) {
            throw error(word, "text after the closing ']'");
        }
        if (word.kind() == JdlWord.Kind.OPEN_STRING || word.kind() == JdlWord.Kind.OPEN_COMMENT) {
            throw error(
                    word,
                    "the " + (word.kind() == JdlWord.Kind.OPEN_STRING ? "string" : "comment")
                            + " that starts here is never closed");
        }
        boolean opensRecord = first == null && word.is("[");
        first = first == null ? word : first;
        if (word.is("[") || word.is("{") || word.is("(")) {
            open.push(word);
        } else if (word.is("]") || word.is("}") || word.is(")")) {
            close(word);
            if (isRecord() && open.isEmpty()) {
                closing = word;
                return;
            }
        }
        boolean atTop = open.size() == (isRecord() ? 1 : 0);
        last = word;
        if (opensRecord) {
            return;
        }
        if (atTop && word.is("=") && equalsSign < 0 && !statement.isEmpty()) {
            equalsSign = statement.size();
        }
        statement.add(word);
        if (atTop && word.is(";")) {
            endStatement();
        }
    }

    private void close(JdlWord word) throws DescriptionException {
        if (open.isEmpty()) {
            throw error(word, "'" + word.text() + "' closes nothing");
        }
        String opener = open.pop().text();
        if (!word.is(opener.equals("[") ? "]" : opener.equals("{") ? "}" : ")")) {
            throw error(word, "'" + word.text() + "' does not close the '" + opener + "' before it");
        }
    }

    private void endStatement() {
        if (equalsSign >= 0) {
            JdlWord name = statement.get(0);
            String written =
                    text.substring(name.start(), statement.get(equalsSign - 1).end());
            List<String> strings = statement.stream()
                    .skip(equalsSign)
                    .filter(part -> part.kind() == JdlWord.Kind.STRING)
                    .map(part -> part.content().strip())
                    .filter(string -> !string.isEmpty())
                    .toList();
            int end = statement.get(statement.size() - 1).end();
            attributes.add(new Attribute(written, name.start(), end, strings, name.line(), name.column()));
        }
        statement.clear();
        equalsSign = -1;
    }

    private static DescriptionException error(JdlWord at, String message) {
        return new DescriptionException(message).at(at.line(), at.column());
    }
}
