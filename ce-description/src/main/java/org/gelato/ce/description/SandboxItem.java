package org.gelato.ce.description;

/** How items of the sandbox lists are read (docs/developer/protocol/jdl.md section 3). */
public final class SandboxItem {
    private SandboxItem() {}

    /**
     * Where an input item comes from.
     *
     * @param base InputSandboxBaseURI, which relative paths start from; null when absent
     * @return null when the client uploads it: a path, or a {@code file} URI
     */
    public static RemoteFile source(String item, String base) {
        if (!isLocal(item)) {
            return RemoteFile.of(item);
        }
        return isUploaded(item, base) ? null : RemoteFile.of(base).child(item);
    }

    /** Whether the client uploads an input item; {@code base} as of {@link #source}. */
    public static boolean isUploaded(String item, String base) {
        return isLocal(item) && (item.startsWith("/") || item.contains("://") || base == null || isFile(base));
    }

    /** Whether an item, or the source of a file in another language, is a place on the machine of the client. */
    public static boolean isLocal(String item) {
        return !item.contains("://") || isFile(item);
    }

    private static boolean isFile(String uri) {
        return uri.regionMatches(true, 0, "file:", 0, 5);
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
