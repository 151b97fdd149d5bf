package org.gelato.ce.core.db;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.base.Sha256;

/** The scripts of the schema's versions that come with this CE. */
final class SchemaScripts {
    /** Where they are, in the class path. */
    static final String DIRECTORY = "db/migration";

    /**
     * Versions that software of the version before works beside: they only add what it neither reads nor has to fill. All nodes
     * are stopped before any other.
     */
    static final Set<Integer> BESIDE_OLDER = Set.of(31, 32, 33, 34, 35, 36, 40);

    private static final Pattern VERSION = Pattern.compile("V([0-9]{1,6})__");

    private SchemaScripts() {}

    /**
     * A fingerprint of the schema they make; it changes when any of them changes, is added or removed.
     *
     * @return SHA-256 in 64 hexadecimal digits; empty where they cannot be listed, as in a class path of an unusual kind
     */
    static Optional<String> fingerprint() {
        try {
            Map<String, byte[]> scripts = read();
            if (scripts.isEmpty()) {
                return Optional.empty();
            }
            MessageDigest digest = Sha256.begin();
            scripts.forEach((name, text) -> {
                digest.update((name + ' ' + text.length + '\n').getBytes(StandardCharsets.UTF_8));
                digest.update(text);
            });
            return Optional.of(HexFormat.of().formatHex(digest.digest()));
        } catch (IOException | URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** Number of the newest version that comes with this CE; empty where the scripts cannot be listed. */
    static OptionalInt newest() {
        return versions().max();
    }

    /** Whether older software works on while the schema goes from one version to another. */
    static boolean areBesideOlder(long from, long to) {
        return versions().filter(version -> version > from && version <= to).allMatch(BESIDE_OLDER::contains);
    }

    private static IntStream versions() {
        try {
            return read().keySet().stream()
                    .map(VERSION::matcher)
                    .filter(Matcher::lookingAt)
                    .mapToInt(m -> Integer.parseInt(m.group(1)));
        } catch (IOException | URISyntaxException e) {
            return IntStream.empty();
        }
    }

    /** Their texts by name; empty where they cannot be listed. */
    static Map<String, byte[]> read() throws IOException, URISyntaxException {
        URL directory = SchemaScripts.class.getClassLoader().getResource(DIRECTORY);
        return directory == null ? Map.of() : read(directory);
    }

    private static Map<String, byte[]> read(URL directory) throws IOException, URISyntaxException {
        Map<String, byte[]> scripts = new TreeMap<>();
        if (directory.getProtocol().equals("file")) {
            try (Stream<Path> files = Files.list(Path.of(directory.toURI()))) {
                for (Path file : files.toList()) {
                    scripts.put(file.getFileName().toString(), Files.readAllBytes(file));
                }
            }
            return scripts;
        }
        URLConnection connection = directory.openConnection();
        if (!(connection instanceof JarURLConnection inJar)) {
            return scripts;
        }
        // A cached one would be closed under others, or stay open when the application ends.
        inJar.setUseCaches(false);
        try (JarFile jar = inJar.getJarFile()) {
            List<JarEntry> entries = jar.stream()
                    .filter(e -> e.getName().startsWith(DIRECTORY + '/') && !e.isDirectory())
                    .toList();
            for (JarEntry entry : entries) {
                try (InputStream in = jar.getInputStream(entry)) {
                    scripts.put(entry.getName().substring(DIRECTORY.length() + 1), in.readAllBytes());
                }
            }
        }
        return scripts;
    }
}
