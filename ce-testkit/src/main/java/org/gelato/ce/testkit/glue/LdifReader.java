package org.gelato.ce.testkit.glue;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads LDIF as the strictest of its readers would (RFC 2849; docs/developer/protocol/glue2.md section 3): lines of at most 76 characters of
 * printable ASCII, plain DNs, no {@code dn:} but before them, encoded or not, no value twice, no two DNs that differ by case alone. Functions without
 * state.
 */
public final class LdifReader {
    private static final int LINE = 76;
    private static final String BEGIN = "dn:";

    private LdifReader() {}

    /** @throws IllegalArgumentException saying what is wrong with the text */
    public static List<LdifEntry> read(String text) {
        for (String line : text.split("\n", -1)) {
            require(line.length() <= LINE, "a line of " + line.length() + " characters: " + line);
            require(line.chars().allMatch(c -> c >= ' ' && c <= '~'), "a line that is not printable ASCII: " + line);
        }
        require(text.isEmpty() || text.endsWith("\n\n"), "the text does not end in an empty line");
        String unfolded = text.replace("\n ", "");
        List<LdifEntry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String block : unfolded.split("\n\n")) {
            if (!block.isEmpty()) {
                LdifEntry entry = entry(block);
                require(names.add(entry.dn().toLowerCase(Locale.ROOT)), "twice there: " + entry.dn());
                entries.add(entry);
            }
        }
        int begins = unfolded.toLowerCase(Locale.ROOT).split(BEGIN, -1).length - 1;
        require(begins == entries.size(), begins + " times " + BEGIN + " for " + entries.size() + " entries");
        return entries;
    }

    private static LdifEntry entry(String block) {
        String[] lines = block.split("\n");
        require(lines[0].startsWith(BEGIN + " "), "an entry that begins with " + lines[0]);
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            require(colon > 0, "a line without a name: " + lines[i]);
            String name = lines[i].substring(0, colon);
            require(name.matches("[A-Za-z][A-Za-z0-9]*"), "not a name of an attribute: " + name);
            List<String> known = values.computeIfAbsent(name, n -> new ArrayList<>());
            String value = value(lines[i].substring(colon + 1), lines[i]);
            require(!known.contains(value), "the value twice: " + lines[i]);
            known.add(value);
        }
        return new LdifEntry(lines[0].substring(BEGIN.length() + 1), values);
    }

    private static String value(String written, String line) {
        boolean encoded = written.startsWith(":");
        String text = written.substring(encoded ? 1 : 0);
        require(text.startsWith(" ") && text.length() > 1, "no value: " + line);
        String value = encoded ? decoded(text.substring(1)) : text.substring(1);
        require(encoded || !value.matches("[ :<].*"), "a value that begins with a blank, : or <: " + line);
        require(!value.toLowerCase(Locale.ROOT).contains(BEGIN), "a value that a BDII would cut: " + value);
        require(!value.isBlank() && value.equals(value.strip()), "blanks around a value: " + line);
        return value;
    }

    private static String decoded(String text) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getDecoder().decode(text)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not UTF-8: " + text, e);
        }
    }

    private static void require(boolean good, String otherwise) {
        if (!good) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
