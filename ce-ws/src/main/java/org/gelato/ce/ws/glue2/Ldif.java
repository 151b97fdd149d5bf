package org.gelato.ce.ws.glue2;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.ws.glue2.Entity.Audience;

/**
 * Writes entities as LDIF (RFC 2849), one entry each below {@value #BASE}. All of it is printable ASCII: other values are
 * encoded. Control characters become blanks. No value holds {@code dn:}, where a BDII would cut (docs/developer/protocol/glue2.md section
 * 3); to encode it is not enough, as the BDIIs above read what a directory server writes, which encodes less. Functions without
 * state.
 */
public final class Ldif {
    /** Where a CE's own BDII has them; the entries above are its own. */
    static final String BASE = "GLUE2GroupID=resource,o=glue";

    private static final Pattern BEGIN_OF_ENTRY = Pattern.compile("(?i)(dn):");
    private static final int LINE = 76;
    private static final int LONGEST_VALUE = 4096;

    private Ldif() {}

    /**
     * The entries of a tree, each followed by an empty line.
     *
     * @param service the root
     * @param at when it was made
     */
    public static String of(Entity service, Instant at) {
        StringBuilder out = new StringBuilder();
        entry(service, BASE, at.truncatedTo(ChronoUnit.SECONDS).toString(), out);
        return out.toString();
    }

    private static void entry(Entity entity, String parent, String created, StringBuilder out) {
        if (entity.audience() == Audience.DOCUMENT) {
            return;
        }
        Kind kind = entity.kind();
        String dn = kind.idAttribute() + "=" + nameValue(entity.id()) + "," + parent;
        fold("dn: " + dn, out);
        Set<String> lines = new LinkedHashSet<>();
        kind.classes().forEach(name -> add("objectClass", name, lines));
        add(kind.idAttribute(), entity.id(), lines);
        add(kind.directoryName("CreationTime"), created, lines);
        add(kind.directoryName("Validity"), Integer.toString(Glue2Model.VALIDITY), lines);
        entity.attributes().forEach(a -> add(kind.directoryName(a.name()), a.value(), lines));
        entity.directoryAttributes().forEach(a -> add(a.name(), a.value(), lines));
        lines.forEach(line -> fold(line, out));
        out.append('\n');
        for (Entity part : entity.parts()) {
            entry(part, part.kind().besideParent() ? parent : dn, created, out);
        }
    }

    /** A set of lines: a directory refuses an entry that has a value twice. */
    private static void add(String attribute, String value, Set<String> lines) {
        String clean = printable(value);
        if (!clean.isEmpty()) {
            lines.add(attribute + (isSafe(clean) ? ": " + clean : ":: " + encoded(clean)));
        }
    }

    /**
     * Without control characters and blanks at the ends; an empty value would lose the whole entry. In a URL the dot ends the
     * host's name, which is the same with it.
     */
    private static String printable(String value) {
        String shown = value.codePoints()
                .limit(LONGEST_VALUE)
                .map(c -> isControl(c) ? ' ' : c)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        return BEGIN_OF_ENTRY.matcher(shown.strip()).replaceAll("$1.:");
    }

    private static boolean isControl(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    private static boolean isSafe(String value) {
        char first = value.charAt(0);
        return first != ':' && first != '<' && value.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    private static String encoded(String value) {
        return Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Ids hold nothing that a DN escapes; were it otherwise, the DN would still be one (RFC 4514). */
    private static String nameValue(String id) {
        return id.replaceAll("([\"+,;<>\\\\=])", "\\\\$1");
    }

    private static void fold(String line, StringBuilder out) {
        int at = Math.min(LINE, line.length());
        out.append(line, 0, at);
        while (at < line.length()) {
            // The blank that marks the continuation counts.
            int end = Math.min(at + LINE - 1, line.length());
            out.append("\n ").append(line, at, end);
            at = end;
        }
        out.append('\n');
    }
}
