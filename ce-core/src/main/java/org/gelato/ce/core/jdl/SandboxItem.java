package org.gelato.ce.core.jdl;

/** How items of the sandbox lists are read (contract/jdl.md section 3). */
public final class SandboxItem {
    private SandboxItem() {}

    /** Whether the client uploads this input item: a path or a {@code file://} URI. */
    public static boolean isLocal(String item) {
        return !item.contains("://") || item.regionMatches(true, 0, "file://", 0, 7);
    }

    /** The last component of a path or URI, without {@code ?DN=}; empty when the item ends with a slash. */
    public static String baseName(String item) {
        String path = withoutSubject(item);
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Cuts {@code ?DN=<subject>}, the server's expected name, with up to two backslashes before it. */
    static String withoutSubject(String item) {
        int end = item.indexOf("?DN=");
        if (end < 0) {
            return item;
        }
        for (int i = 0; i < 2 && end > 0 && item.charAt(end - 1) == '\\'; i++) {
            end--;
        }
        return item.substring(0, end);
    }
}
