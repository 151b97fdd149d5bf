package org.gelato.ce.core.wrapper;

import java.util.List;
import org.gelato.ce.description.ShellWords;

/** Writes lexed arguments as shell words again: all is quoted but variables and the characters patterns are made of. */
final class ShellArguments {
    /** Bare in a pattern: these mean nothing to a shell but within a pattern, and some only mean it unquoted. */
    private static final String BARE = "*?[]!^-_./:,=+@%";

    private ShellArguments() {}

    /** @return words, each with a blank before it */
    static String render(List<ShellWords.Word> words) {
        StringBuilder script = new StringBuilder();
        for (ShellWords.Word word : words) {
            script.append(' ');
            word.parts().forEach(part -> part(script, part));
        }
        return script.toString();
    }

    private static void part(StringBuilder script, ShellWords.Part part) {
        if (part instanceof ShellWords.Part.Literal literal) {
            script.append(BashQuote.quote(literal.text()));
        } else if (part instanceof ShellWords.Part.Variable variable) {
            String name = "${" + variable.name() + "}";
            script.append(variable.quoted() ? "\"" + name + "\"" : name);
        } else if (part instanceof ShellWords.Part.Pattern pattern) {
            pattern.text().codePoints().forEach(c -> character(script, c));
        }
    }

    private static void character(StringBuilder script, int c) {
        boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (plain || BARE.indexOf(c) >= 0) {
            script.appendCodePoint(c);
        } else {
            script.append(BashQuote.quote(Character.toString(c)));
        }
    }
}
