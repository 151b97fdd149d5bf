package org.gelato.ce.cli.terminal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be read or written, in words: the exceptions of the library have the file's name as their text. */
public final class FileTrouble {
    private FileTrouble() {}

    /** The reason alone, without the name of the file. */
    public static String reason(Throwable e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (e instanceof FileSystemException known) {
            return known.getReason() == null ? e.getClass().getSimpleName() : known.getReason();
        }
        return e instanceof IOException && e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
