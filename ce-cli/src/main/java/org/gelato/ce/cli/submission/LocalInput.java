package org.gelato.ce.cli.submission;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.cli.description.LocalItem;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.GivenFile;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.InputFile;

/** Finds the files of this machine that a description names, and refuses what could not be uploaded before anything is sent. */
public final class LocalInput {
    private static final int MAX_NAME_BYTES = 255;

    private LocalInput() {}

    /**
     * The files behind local items of {@code InputSandbox}.
     *
     * @param where how messages about the description begin
     * @param items as written: paths or {@code file://} URIs
     * @param base directory that relative paths start from: that of the description
     * @param copies what of them is a pipe is read there, when none of the files lacks
     * @throws CliException naming the item and what is wrong with it
     */
    public static List<InputFile> find(String where, List<String> items, Path base, Copies copies) {
        List<InputFile> files = new ArrayList<>();
        for (String item : items) {
            String what = where + "InputSandbox: '" + Printable.line(item) + "'";
            files.add(check(what, item.substring(item.lastIndexOf('/') + 1), path(what, item, base)));
        }
        return withCopies(files, copies);
    }

    /**
     * The files behind items that have a name in the job beside their place on this machine.
     *
     * @param label how messages call the description
     * @param items as written
     * @param base directory that relative paths start from: that of the description
     * @param copies what of them is a pipe is read there, when none of the files lacks
     * @throws CliException naming the item and what is wrong with it
     */
    public static List<InputFile> named(String label, List<LocalItem> items, Path base, Copies copies) {
        List<InputFile> files = new ArrayList<>();
        for (LocalItem item : items) {
            String what = label + ": input file '" + Printable.line(item.name()) + "'";
            files.add(check(what, item.name(), path(what, item.source(), base)));
        }
        return withCopies(files, copies);
    }

    private static List<InputFile> withCopies(List<InputFile> files, Copies copies) {
        return files.stream()
                .map(file -> GivenFile.kind(file.path()) == GivenFile.Kind.PIPE
                        ? new InputFile(file.name(), copies.of("input file '" + file.path() + "'", file.path()))
                        : file)
                .toList();
    }

    private static Path path(String what, String item, Path base) {
        try {
            return item.regionMatches(true, 0, "file:/", 0, 6) ? Path.of(URI.create(item)) : base.resolve(item);
        } catch (IllegalArgumentException | FileSystemNotFoundException e) { // an InvalidPathException is one
            throw new CliException(what + " is no path: " + e.getMessage(), e);
        }
    }

    private static InputFile check(String what, String name, Path path) {
        // A job may find a file in a folder; no part of its path may be hidden.
        if (Stream.of(name.split("/", -1)).anyMatch(part -> part.isEmpty() || part.startsWith("."))
                || name.chars().anyMatch(c -> Character.isISOControl(c) || c == '\\')) {
            throw new CliException(what + ": a file with this name can't be uploaded; rename it");
        }
        if (Stream.of(name.split("/"))
                .anyMatch(part -> part.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES)) {
            throw new CliException(what + ": the name is longer than " + MAX_NAME_BYTES + " bytes");
        }
        if (!Files.exists(path)) {
            throw new CliException(what + ": no file " + Printable.line(path.toString()));
        }
        if (GivenFile.kind(path) == GivenFile.Kind.OTHER) {
            throw new CliException(what + ": neither a regular file nor a pipe");
        }
        if (!Files.isReadable(path)) {
            throw new CliException(what + ": can't be read");
        }
        return new InputFile(name, path);
    }
}
