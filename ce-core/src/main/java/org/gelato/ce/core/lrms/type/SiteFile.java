package org.gelato.ce.core.lrms.type;

import java.nio.file.Path;

/**
 * What must be on the CE's host.
 *
 * @param key that names it
 * @param advice what to do where it is missing; null for the usual advice
 */
public record SiteFile(Kind kind, String key, Path path, String advice) {
    /** What it must be. */
    public enum Kind {
        /** A file that can be executed. */
        PROGRAM,
        /** A file that the CE's account reads. */
        FILE,
        /** A directory that the CE's account lists. */
        DIRECTORY
    }

    public static SiteFile program(String key, Path path) {
        return new SiteFile(Kind.PROGRAM, key, path, "correct the path, or install the batch system's commands");
    }

    public static SiteFile file(String key, Path path) {
        return new SiteFile(Kind.FILE, key, path, null);
    }

    public static SiteFile directory(String key, Path path) {
        return new SiteFile(Kind.DIRECTORY, key, path, null);
    }
}
