package org.gelato.ce.core.jdl;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What holds for the lists of input and output files. */
final class SandboxRule {
    private SandboxRule() {}

    /** All files of a list meet in one directory, so each needs a name of its own. */
    static List<String> check(String attribute, List<String> items) throws JdlException {
        Set<String> names = new HashSet<>();
        for (String item : items) {
            String name = SandboxItem.baseName(item);
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                throw new JdlException(attribute + ": " + Excerpt.of(item) + " does not name a file");
            }
            if (!names.add(name)) {
                throw new JdlException(
                        attribute + ": the file list cannot contain two or more files having the same name"
                                + " (even if in different paths): " + Excerpt.of(name));
            }
        }
        return items;
    }

    /** Each item gets the base in front, so that a long one and many items would make far more than was sent. Null passes. */
    static void joined(String attribute, List<String> items, String baseAttribute, String base) throws JdlException {
        if (base != null && (long) base.length() * items.size() > JdlTokens.MAX_BYTES) {
            throw new JdlException(attribute + ": " + items.size() + " items with a " + baseAttribute + " of "
                    + base.length() + " characters, at most " + JdlTokens.MAX_BYTES + " characters together");
        }
    }

    /** A bare name can only mean a file that the sandbox brings. Null passes. */
    static void brings(List<String> inputSandbox, String what, String file) throws JdlException {
        boolean bare = file != null && !file.startsWith("/") && !file.startsWith("$");
        if (bare
                && inputSandbox.stream()
                        .noneMatch(item -> SandboxItem.baseName(item).equals(file))) {
            throw new JdlException(
                    "InputSandbox: the " + what + " file is not listed in the InputSandbox: " + Excerpt.of(file));
        }
    }
}
