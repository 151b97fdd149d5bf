package org.gelato.ce.description;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Which names files of a sandbox may have: a path in folders below it, each part as file rule B of docs/developer/protocol/jdl.md section
 * 2 leaves it. The same for what a description declares and for what a request transfers.
 */
public final class FilePath {
    /** Parts of the longest path: as deep as a listing goes. */
    public static final int MAX_DEPTH = 16;

    private static final int MAX_BYTES = 255; // of every common file system
    private static final int MAX_PATH_BYTES = 1024;
    /** Of the helper's files that are not whole yet: they are shown to nobody. */
    private static final String OF_HELPER = ".gelato-tmp.";

    private FilePath() {}

    /** Why a path is refused; null for a valid one: names with one slash between them. */
    public static String fault(String path) {
        String[] names = path.split("/", -1);
        if (names.length > MAX_DEPTH) {
            return "the path has " + (names.length > 1000 ? "more than 1000" : names.length) + " parts, at most "
                    + MAX_DEPTH;
        }
        for (String name : names) {
            String fault = nameFault(name);
            if (fault != null) {
                return fault;
            }
        }
        int bytes = path.getBytes(StandardCharsets.UTF_8).length;
        return bytes > MAX_PATH_BYTES ? "the path has " + bytes + " bytes, at most " + MAX_PATH_BYTES : null;
    }

    private static String nameFault(String name) {
        if (name.isEmpty()) {
            return "the file name is empty";
        }
        if (name.equals(".") || name.equals("..")) {
            return "the file name is a dot, or two";
        }
        if (name.chars().anyMatch(c -> c == '/' || c == '\\')) {
            return "the file name holds a slash";
        }
        if (name.startsWith(OF_HELPER)) {
            return "file names that start with " + OF_HELPER + " are the CE's own";
        }
        if (!isClean(name)) {
            return "the file name holds a control character or is not UTF-8";
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            return "the file name has " + bytes + " bytes, at most " + MAX_BYTES;
        }
        return isPath(name) ? null : "the file name cannot be written in this CE's locale";
    }

    /** Pairs of surrogates are characters, single ones are not. */
    private static boolean isClean(String name) {
        return name.codePoints()
                .noneMatch(c -> Character.isISOControl(c) || c == 0xFFFD || (c >= 0xD800 && c <= 0xDFFF));
    }

    private static boolean isPath(String name) {
        try {
            return Path.of(name).getNameCount() == 1;
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
