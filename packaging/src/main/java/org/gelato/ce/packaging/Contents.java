package org.gelato.ce.packaging;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** The list of what is installed where, {@code packaging/contents.list}, which describes its own format. */
final class Contents {
    private static final int FIELDS = 6;
    private static final String NOT_FOR_LINKS = "-";
    private static final Pattern PACKAGE = Pattern.compile("([a-z-]+)(?:@(deb|rpm))?");
    /** Directory and name of a jar before its version. */
    private static final Pattern JAR = Pattern.compile("(/.*?)-[0-9][^/]*\\.jar");

    private Contents() {}

    /** What a line puts into a package. */
    enum Kind {
        /** A file that upgrades replace. */
        FILE,
        /** A file that the administrator may change: dpkg's conffile, and RPM's {@code %config(noreplace)}. */
        CONFIG,
        /** A file that administrators and {@code ce server init} write; in no archive of Debian, where dpkg would ask about it. */
        SITE,
        LINK
    }

    /**
     * One line.
     *
     * @param format of the packages that have it alone: {@code deb} or {@code rpm}; empty for all
     * @param mode octal digits; {@code -} for links
     * @param owner account and group with a colon between; {@code -} for links
     * @param path absolute; a directory, with a slash at its end, when the source is a pattern
     * @param source relative to the root of the sources; of a link where it points
     */
    record Line(String packageName, String format, Kind kind, String mode, String owner, String path, String source) {
        String user() {
            return owner.substring(0, owner.indexOf(':'));
        }

        String group() {
            return owner.substring(owner.indexOf(':') + 1);
        }

        private boolean isPattern() {
            return path.endsWith("/");
        }

        private Line at(String newPath, String newSource) {
            return new Line(packageName, format, kind, mode, owner, newPath, newSource);
        }
    }

    /**
     * The lines of a list for one format of packages, patterns as they are.
     *
     * @param format {@code deb} or {@code rpm}
     * @throws IllegalArgumentException naming the first line that is not well-formed
     */
    static List<Line> lines(List<String> text, String format) {
        List<Line> lines = new ArrayList<>();
        for (String row : text) {
            Line line = row.isBlank() || row.startsWith("#") ? null : line(row);
            if (line != null && (line.format().isEmpty() || line.format().equals(format))) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static Line line(String row) {
        String[] fields = row.split(" ");
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(FIELDS + " words are needed, separated by one blank: " + row);
        }
        Kind kind = switch (fields[1]) {
            case "file" -> Kind.FILE;
            case "config" -> Kind.CONFIG;
            case "site" -> Kind.SITE;
            case "link" -> Kind.LINK;
            default -> throw new IllegalArgumentException("the kind is file, config, site or link: " + row);
        };
        boolean wellFormed = kind == Kind.LINK
                ? fields[2].equals(NOT_FOR_LINKS) && fields[3].equals(NOT_FOR_LINKS)
                : fields[2].matches("0[0-7]{3}") && fields[3].matches("[a-z]+:[a-z]+");
        Matcher named = PACKAGE.matcher(fields[0]);
        if (!named.matches() || !wellFormed || !fields[4].matches("/[\\w./-]+") || fields[4].contains("..")) {
            throw new IllegalArgumentException("package, mode, owner or path is not valid: " + row);
        }
        String format = named.group(2) == null ? "" : named.group(2);
        return new Line(named.group(1), format, kind, fields[2], fields[3], fields[4], fields[5]);
    }

    /**
     * What is installed, file by file: each path once, by the first line that puts something there.
     *
     * @param root of the sources, built
     * @throws IllegalArgumentException when a line's source does not exist, or a jar would be installed in two versions
     */
    static Collection<Line> files(List<Line> lines, Path root) throws IOException {
        Map<String, Line> files = new LinkedHashMap<>();
        for (Line line : lines) {
            if (line.kind() == Kind.LINK) {
                files.putIfAbsent(line.path(), line);
                continue;
            }
            List<Path> sources = sources(line, root);
            if (sources.isEmpty()) {
                throw new IllegalArgumentException("nothing matches " + line.source() + " in " + root);
            }
            for (Path source : sources) {
                String path = line.isPattern() ? line.path() + source.getFileName() : line.path();
                files.putIfAbsent(path, line.at(path, source.toString()));
            }
        }
        oneVersionOfEach(files.values());
        return files.values();
    }

    /** What was built in another version stays beside what is built now. */
    private static void oneVersionOfEach(Collection<Line> files) {
        Map<String, Line> jars = new HashMap<>();
        for (Line line : files) {
            Matcher jar = JAR.matcher(line.path());
            Line other = jar.matches() ? jars.putIfAbsent(jar.group(1), line) : null;
            if (other != null) {
                throw new IllegalArgumentException("both " + other.source() + " and " + line.source()
                        + " would be installed: run mvn clean first");
            }
        }
    }

    /** The files that a line's source names; none when there is none. */
    static List<Path> sources(Line line, Path root) throws IOException {
        Path source = root.resolve(line.source());
        if (!line.isPattern()) {
            return Files.isRegularFile(source) ? List.of(source) : List.of();
        }
        if (!Files.isDirectory(source.getParent())) {
            return List.of();
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(
                source.getParent(), source.getFileName().toString())) {
            return StreamSupport.stream(found.spliterator(), false).sorted().toList();
        }
    }
}
