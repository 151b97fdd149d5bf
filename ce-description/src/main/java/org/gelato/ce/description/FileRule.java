package org.gelato.ce.description;

import java.util.regex.Pattern;

/** How files of a job may be named (docs/developer/protocol/jdl.md section 2, file rules A and B). */
public final class FileRule {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$(?:[A-Za-z_]\\w*|\\{[A-Za-z_]\\w*\\}).*", Pattern.DOTALL);

    private FileRule() {}

    /** Rule A, of files that are read: absolute, from a variable on, or a bare name. Null passes. */
    public static String input(String attribute, String file) throws DescriptionException {
        if (file == null) {
            return null;
        }
        common(attribute, file);
        if (file.startsWith("$")) {
            if (!VARIABLE.matcher(file).matches()) {
                throw new DescriptionException(attribute, "only $NAME or ${NAME} may follow a leading $");
            }
        } else if (!file.startsWith("/") && file.contains("/")) {
            throw new DescriptionException(attribute, "relative path not allowed");
        }
        return file;
    }

    /** Rule B, of files that are written: below the working directory. Null passes. */
    public static String output(String attribute, String file) throws DescriptionException {
        if (file == null) {
            return null;
        }
        common(attribute, file);
        if (file.startsWith("/") || file.startsWith("$")) {
            throw new DescriptionException(attribute, "absolute path not allowed");
        }
        return file;
    }

    private static void common(String attribute, String file) throws DescriptionException {
        String last = file.substring(file.lastIndexOf('/') + 1);
        if (last.isEmpty() || file.endsWith("\\") || last.equals(".") || last.equals("..")) {
            throw new DescriptionException(attribute, "directory path not allowed");
        }
        if (file.chars().anyMatch(c -> "*?[]".indexOf(c) >= 0)) {
            throw new DescriptionException(attribute, "wildcards not allowed");
        }
    }
}
