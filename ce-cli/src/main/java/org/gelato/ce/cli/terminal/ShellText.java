package org.gelato.ce.cli.terminal;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words as they are typed into a shell. Stateless. */
public final class ShellText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,@%+-]+");

    private ShellText() {}

    /** A line of words; what a shell would not take as it is stands in quotes. */
    public static String of(List<String> words) {
        return words.stream().map(ShellText::of).collect(Collectors.joining(" "));
    }

    /** One word. */
    public static String of(String word) {
        String plain = Printable.line(word);
        return PLAIN.matcher(plain).matches() ? plain : "'" + plain.replace("'", "'\\''") + "'";
    }
}
