package org.gelato.ce.ws.credential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;

/** Files whose content decides who may do what. Functions without state. */
public final class TrustedFile {
    private TrustedFile() {}

    /** @throws IOException when any account of this host may write a file, or when it is not there */
    public static void check(Path file) throws IOException {
        if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException(file + " can be written by everybody: run chmod o-w " + file);
        }
    }
}
