package org.gelato.ce.core.wrapper;

import java.util.List;
import java.util.stream.Collectors;

/** The assignments at the head of a script; every value is quoted. Not thread-safe. */
final class ScriptText {
    private final StringBuilder text = new StringBuilder();

    /** Nothing for null and for an empty value: a variable that is not set is empty to the script. */
    void assign(String name, String value) {
        if (value != null && !value.isEmpty()) {
            set(name, value);
        }
    }

    /** Adds an array; nothing where there are no values. */
    void array(String name, List<String> values) {
        if (!values.isEmpty()) {
            text.append(name)
                    .append(values.stream().map(BashQuote::quote).collect(Collectors.joining(" ", "=(", ")\n")));
        }
    }

    /** Adds a variable of the environment; nothing for null. */
    void export(String name, String value) {
        if (value != null) {
            text.append("export ");
            set(name, value);
        }
    }

    private void set(String name, String value) {
        text.append(name).append('=').append(BashQuote.quote(value)).append('\n');
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
