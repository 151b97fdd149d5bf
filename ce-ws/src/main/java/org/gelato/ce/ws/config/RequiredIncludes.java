package org.gelato.ce.ws.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigOriginFactory;
import com.typesafe.config.ConfigParseable;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Includes of a configuration file, all of which must be there: the library takes one that is missing for an empty file, so that a
 * misspelt name would silently leave the defaults. For one file and one thread.
 */
final class RequiredIncludes implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    private static final List<String> ENDINGS = List.of("", ".conf", ".json", ".properties");

    private ConfigIncluder library;
    /** The files that are being read, the innermost last; null for what is no file. */
    private final Deque<String> reading = new ArrayDeque<>();

    /** Files that count, also of names that stand without one of these endings; some may be missing. */
    private final Set<Path> files = new LinkedHashSet<>();

    RequiredIncludes(Path file) {
        reading.addLast(file.toString());
        files.add(file);
    }

    Set<Path> files() {
        return files;
    }

    private void counts(Path file) {
        ENDINGS.forEach(ending -> files.add(Path.of(file + ending)));
    }

    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
        library = fallback;
        return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
        ConfigParseable beside = context.relativeTo(what);
        String file = beside == null ? null : beside.origin().filename();
        counts(Path.of(Objects.requireNonNullElse(reading.getLast(), "")).resolveSibling(what));
        return included(context, file == null ? what : file, what, must -> library.include(must, what));
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
        counts(what.toPath());
        return included(
                context,
                what.getPath(),
                what.getPath(),
                must -> ((ConfigIncluderFile) library).includeFile(must, what));
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
        return included(
                context,
                what.toString(),
                what.toString(),
                must -> ((ConfigIncluderURL) library).includeURL(must, what));
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
        return included(context, what, what, must -> ((ConfigIncluderClasspath) library).includeResources(must, what));
    }

    private interface Read {
        ConfigObject of(ConfigIncludeContext context);
    }

    private ConfigObject included(ConfigIncludeContext context, String file, String what, Read read) {
        reading.addLast(file);
        try {
            return read.of(context.setParseOptions(context.parseOptions().setAllowMissing(false)));
        } catch (ConfigException.IO e) {
            reading.removeLast();
            String by = reading.getLast();
            reading.addLast(file);
            throw new Missing(
                    by,
                    line(by, what),
                    "include \"" + what + "\" can't be read: there is no such file, or this account may not read it",
                    e);
        } finally {
            reading.removeLast();
        }
    }

    /** Where the name is in a file; -1 where it is not found. */
    private static int line(String file, String what) {
        try {
            List<String> lines = Files.readAllLines(Path.of(file));
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).strip().startsWith("include") && lines.get(i).contains(what)) {
                    return i + 1;
                }
            }
            return -1;
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }

    /** Not one that a file around this one takes for its own. */
    private static final class Missing extends ConfigException {
        private static final long serialVersionUID = 1L;

        private final String file;
        private final int line;

        Missing(String file, int line, String message, Throwable cause) {
            super(file + (line < 0 ? "" : " line " + line) + ": " + message, cause);
            this.file = file;
            this.line = line;
        }

        @Override
        public ConfigOrigin origin() {
            return ConfigOriginFactory.newFile(file).withLineNumber(line);
        }
    }
}
