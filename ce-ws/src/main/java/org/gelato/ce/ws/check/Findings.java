package org.gelato.ce.ws.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.ws.config.KeyOrigins;

/** Collects findings of one run. Used by one thread. */
final class Findings {
    private final KeyOrigins origins;
    private final List<Finding> all = new ArrayList<>();

    Findings(KeyOrigins origins) {
        this.origins = origins;
    }

    void error(String key, String what, String advice) {
        all.add(new Finding(Finding.Level.ERROR, key, origins.where(key), what, advice));
    }

    void warning(String key, String what, String advice) {
        all.add(new Finding(Finding.Level.WARNING, key, origins.where(key), what, advice));
    }

    void note(String key, String what, String advice) {
        all.add(new Finding(Finding.Level.NOTE, key, origins.where(key), what, advice));
    }

    /** Whether a file is there and can be read; reports it when not. */
    boolean file(String key, Path file) {
        boolean good = Files.isRegularFile(file) && Files.isReadable(file);
        if (!good) {
            error(
                    key,
                    file + (Files.isRegularFile(file) ? " cannot be read by this account" : " is not a file"),
                    "correct the path, or give the CE's account the right to read it");
        }
        return good;
    }

    /** Whether a directory is there and can be listed; reports it when not. */
    boolean directory(String key, Path directory) {
        boolean good = Files.isDirectory(directory) && Files.isReadable(directory);
        if (!good) {
            error(
                    key,
                    directory + " is not a readable directory",
                    "correct the path, or give the CE's account the right to read it");
        }
        return good;
    }

    List<Finding> all() {
        return List.copyOf(all);
    }
}
