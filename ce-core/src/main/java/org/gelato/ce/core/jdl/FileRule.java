package org.gelato.ce.core.jdl;

import java.util.regex.Pattern;

/** How files of a job may be named (contract/jdl.md section 2, file rules A and B). */
final class FileRule {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$(?:[A-Za-z_]\\w*|\\{[A-Za-z_]\\w*\\}).*", Pattern.DOTALL);

    private FileRule() {}

    /** Rule A, of files that are read: absolute, from a variable on, or a bare name. Null passes. */
    static String input(String attribute, String file) throws JdlException {
        if (file == null) {
            return null;
        }
        common(attribute, file);
        if (file.startsWith("$")) {
            if (!VARIABLE.matcher(file).matches()) {
                throw new JdlException(attribute + ": only $NAME or ${NAME} may follow a leading $");
            }
        } else if (!file.startsWith("/") && file.contains("/")) {
            throw new JdlException(attribute + ": relative path not allowed");
        }
        return file;
    }

    /** Rule B, of files that are written: below the working directory. Null passes. */
    static String output(String attribute, String file) throws JdlException {
        if (file == null) {
            return null;
        }
        common(attribute, file);
        if (file.startsWith("/") || file.startsWith("$")) {
            throw new JdlException(attribute + ": absolute path not allowed");
        }
        return file;
    }

    private static void common(String attribute, String file) throws JdlException {
        String last = file.substring(file.lastIndexOf('/') + 1);
        if (last.isEmpty() || file.endsWith("\\") || last.equals(".") || last.equals("..")) {
            throw new JdlException(attribute + ": directory path not allowed");
        }
        if (file.chars().anyMatch(c -> "*?[]".indexOf(c) >= 0)) {
            throw new JdlException(attribute + ": wildcards not allowed");
        }
    }
}
