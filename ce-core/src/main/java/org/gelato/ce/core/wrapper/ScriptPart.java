package org.gelato.ce.core.wrapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parts of the script that are the same for every job, in the order they run; a job gets those it needs, without their
 * comments and indentation: each job's script goes through the helper to the batch system, which keeps it.
 */
enum ScriptPart {
    /** Where a node sees the sandboxes, the end of the job's script: it loads the parts below as one file. */
    LOAD,
    BASE,
    HOOKS,
    USAGE,
    ENCODE,
    PATIENCE,
    SHARED,
    REMOTE,
    CLAIM,
    PROXY,
    BEARER,
    TRANSFER,
    INPUT,
    PROGRAMS,
    RUNTIME,
    CHECK,
    PROLOGUE,
    PERUSAL,
    TOKEN,
    MESSAGES,
    FILTERS,
    EPILOGUE,
    SEND,
    DIRECTORIES,
    LISTS,
    OUTPUT,
    PAYLOAD,
    END;

    /** What no job can do without. */
    private static final Set<ScriptPart> ALWAYS =
            EnumSet.of(BASE, HOOKS, USAGE, PATIENCE, CLAIM, INPUT, PROGRAMS, CHECK, PAYLOAD, OUTPUT, END);

    private final String text;

    ScriptPart() {
        text = lean(source());
    }

    /** As it stands in the sources. */
    String source() {
        return read(name().toLowerCase(Locale.ROOT) + ".sh");
    }

    /** As jobs get it. */
    String text() {
        return text;
    }

    // No part has a string or a continued line whose meaning would change; a test compares what bash does.
    private static String lean(String source) {
        return source.lines()
                .map(String::stripLeading)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    /** The parts every job needs, and these; ends with a line feed. */
    static String of(Set<ScriptPart> more) {
        Set<ScriptPart> parts = EnumSet.copyOf(ALWAYS);
        parts.addAll(more);
        return parts.stream().map(part -> part.text).collect(Collectors.joining());
    }

    private static String read(String resource) {
        try (InputStream in = ScriptPart.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing beside " + ScriptPart.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
