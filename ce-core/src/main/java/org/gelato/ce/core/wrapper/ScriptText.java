package org.gelato.ce.core.wrapper;

import java.util.List;
import java.util.stream.Collectors;

/** The assignments at the head of a script; every value is quoted. Not thread-safe. */
final class ScriptText {
    private final StringBuilder text;

    ScriptText(String interpreter) {
        text = new StringBuilder(interpreter).append('\n');
    }

    /** Empty for null. */
    void assign(String name, String value) {
        text.append(name)
                .append('=')
                .append(BashQuote.quote(value == null ? "" : value))
                .append('\n');
    }

    void array(String name, List<String> values) {
        text.append(name).append(values.stream().map(BashQuote::quote).collect(Collectors.joining(" ", "=(", ")\n")));
    }

    /** Nothing for null. */
    void export(String name, String value) {
        if (value != null) {
            text.append("export ");
            assign(name, value);
        }
    }

    /** Opens a function with a body of script text. */
    void open(String function) {
        text.append(function).append("() {\n");
    }

    void close() {
        text.append("}\n");
    }

    /** Script text, with what is a value in it quoted already. */
    void line(String script) {
        text.append(script).append('\n');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
