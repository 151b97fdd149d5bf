package org.gelato.ce.description;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What holds for the lists of input and output files. */
public final class SandboxRule {
    /** Of a list with its base in front of every item: as many as the longest description has. */
    private static final int MAX_CHARACTERS = 1 << 20;

    private SandboxRule() {}

    /** All files of a list meet in one directory, so each needs a name of its own. */
    public static List<String> check(String attribute, List<String> items) throws DescriptionException {
        Set<String> names = new HashSet<>();
        for (String item : items) {
            String name = SandboxItem.baseName(item);
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                throw new DescriptionException(attribute, SafeText.of(item) + " does not name a file");
            }
            if (!names.add(name)) {
                throw new DescriptionException(
                        attribute,
                        "the file list cannot contain two or more files having the same name"
                                + " (even if in different paths): " + SafeText.of(name));
            }
        }
        return items;
    }

    /** Each item gets the base in front, so that a long one and many items would make far more than was sent. Null passes. */
    static void joined(String attribute, List<String> items, String baseAttribute, String base)
            throws DescriptionException {
        if (base != null && (long) base.length() * items.size() > MAX_CHARACTERS) {
            throw new DescriptionException(
                    attribute,
                    items.size() + " items with a " + baseAttribute + " of " + base.length() + " characters, at most "
                            + MAX_CHARACTERS + " characters together");
        }
    }

    /** A bare name can only mean a file that the sandbox brings. Null passes. */
    public static void brings(List<String> inputSandbox, String what, String file) throws DescriptionException {
        boolean plain = file != null && !file.startsWith("/") && !file.startsWith("$");
        if (plain
                && inputSandbox.stream()
                        .noneMatch(item -> SandboxItem.baseName(item).equals(file))) {
            throw new DescriptionException(
                    "InputSandbox", "the " + what + " file is not listed in the InputSandbox: " + SafeText.of(file));
        }
    }
}
