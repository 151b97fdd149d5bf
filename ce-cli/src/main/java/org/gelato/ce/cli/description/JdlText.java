package org.gelato.ce.cli.description;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.SandboxItem;
import org.gelato.ce.description.jdl.JdlLayout;
import org.gelato.ce.description.jdl.JdlLayout.Attribute;

/**
 * A job description as the user wrote it. Edits touch only the attribute they are about and keep every line where it was, so that the
 * line numbers in the CE's messages fit the user's file. Immutable.
 */
public final class JdlText {
    private static final Pattern NAMES_A_PLACE = Pattern.compile("\\bline [0-9]");

    /** What may be an attribute: at the beginning of a message, or behind another colon. */
    private static final Pattern NAMED = Pattern.compile("(?:^|: )([A-Za-z_][A-Za-z0-9_]{0,63})(?=: )");

    private final String text;
    private final JdlLayout layout;

    private JdlText(String text) {
        this.text = text;
        this.layout = layout(text);
    }

    /**
     * Reads a text.
     *
     * @throws CliException with line and column, when brackets, strings or comments don't close
     */
    public static JdlText of(String text) {
        return new JdlText(text);
    }

    private static JdlLayout layout(String text) {
        try {
            return JdlLayout.of(text);
        } catch (DescriptionException e) {
            throw new CliException(place(e.line(), e.column()) + e.getMessage(), e);
        }
    }

    private static String place(int line, int column) {
        return "line " + line + ", column " + column + ": ";
    }

    /** Whether nothing but blanks, comments and brackets is there. */
    public boolean isEmpty() {
        return layout.attributes().isEmpty();
    }

    /** Whether the attribute is set at the top; names compare without case. */
    public boolean has(String name) {
        return last(name).isPresent();
    }

    private Optional<Attribute> last(String name) {
        return layout.attributes().stream()
                .filter(a -> a.name().equalsIgnoreCase(name))
                .reduce((earlier, later) -> later);
    }

    /** The names of the attributes at the top, as written and in their order. */
    public List<String> names() {
        return layout.attributes().stream().map(Attribute::name).toList();
    }

    /** The first string of an attribute's value; names compare without case. */
    public Optional<String> string(String name) {
        return last(name).flatMap(a -> a.strings().stream().findFirst());
    }

    /** An attribute's value as it is written; names compare without case. */
    public Optional<String> value(String name) {
        return last(name)
                .map(a -> text.substring(a.start(), a.end()))
                .map(a -> a.substring(a.indexOf('=') + 1).replaceFirst(";$", "").strip());
    }

    /** The same of a text that may be null, broken or in another language, which has none. */
    public static Optional<String> string(String text, String name) {
        return strings(text, name).stream().findFirst();
    }

    /** All strings of an attribute's value; names compare without case. */
    public List<String> strings(String name) {
        return last(name).map(Attribute::strings).orElse(List.of());
    }

    /** The same of a text that may be null, broken or in another language, which has none. */
    public static List<String> strings(String text, String name) {
        try {
            return text == null || Language.of(text) != Language.JDL ? List.of() : of(text).strings(name);
        } catch (CliException e) {
            return List.of();
        }
    }

    /** Where an attribute stands, as the beginning of a message about it; nothing for one that is not here. Names compare without case. */
    public String place(String name) {
        return last(name).map(a -> place(a.line(), a.column())).orElse("");
    }

    /**
     * A message of a CE with the place of the attribute that it is about, which it names before a colon; as it is where it names none, or
     * a place already.
     */
    public String placed(String message) {
        if (NAMES_A_PLACE.matcher(message).find()) {
            return message;
        }
        Matcher named = NAMED.matcher(message);
        while (named.find()) {
            String place = place(named.group(1));
            if (!place.isEmpty()) {
                return place + message;
            }
        }
        return message;
    }

    /**
     * The text with string attributes set; what they were set to before is blanked out.
     *
     * @param values names and values; a value holds no quote, backslash or control character
     */
    public JdlText with(Map<String, String> values) {
        Map<String, String> strings = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            requirePlain(value);
            strings.put(name, '"' + value + '"');
        });
        return withValues(strings);
    }

    /**
     * The same with values as they stand in JDL.
     *
     * @param values names and expressions
     */
    public JdlText withValues(Map<String, String> values) {
        StringBuilder edited = new StringBuilder(text);
        StringBuilder added = new StringBuilder();
        values.forEach((name, value) -> {
            layout.attributes().stream()
                    .filter(a -> a.name().equalsIgnoreCase(name))
                    .forEach(a -> blank(edited, a.start(), a.end()));
            added.append(' ').append(name).append(" = ").append(value).append(';');
        });
        // Blanking may have taken the last semicolon, or left none needed: check again what remains.
        JdlLayout left = layout(edited.toString());
        edited.insert(left.insertAt(), (left.needsSemicolon() ? ";" : "") + added);
        return of(edited.toString());
    }

    /** The text without these attributes, which are blanked out. */
    public JdlText without(String... names) {
        StringBuilder edited = new StringBuilder(text);
        for (String name : names) {
            layout.attributes().stream()
                    .filter(a -> a.name().equalsIgnoreCase(name))
                    .forEach(a -> blank(edited, a.start(), a.end()));
        }
        return of(edited.toString());
    }

    /** The items of InputSandbox that lie on the user's machine, so that they would have to be uploaded. */
    public List<String> localInputFiles() {
        String base = string("InputSandboxBaseURI").orElse(null);
        return strings("InputSandbox").stream()
                .filter(item -> SandboxItem.isUploaded(item, base))
                .toList();
    }

    /** The description as a record in brackets, its first character but blanks; every line stays where it is. */
    public String bracketed() {
        StringBuilder record = new StringBuilder(text);
        blank(record, 0, layout.begin());
        if (!layout.isRecord()) {
            record.insert(layout.insertAt(), "]");
            record.insert(layout.begin(), "[");
        }
        return record.toString();
    }

    private static void blank(StringBuilder text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) != '\n') {
                text.setCharAt(i, ' ');
            }
        }
    }

    private static void requirePlain(String value) {
        if (value.chars().anyMatch(c -> c == '"' || c == '\\' || Character.isISOControl(c))) {
            throw new IllegalArgumentException("'" + value + "' can't stand in a JDL string");
        }
    }

    /** The description, ready to send. */
    @Override
    public String toString() {
        return text;
    }
}
