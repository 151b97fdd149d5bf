package org.gelato.ce.ws.setup;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/**
 * The archive of the server's classes (AppCDS): classes as the JVM has them in memory, read and verified. It fits one
 * build of Java and one set of jars, which the JVM compares at each start.
 */
public final class ClassArchive {
    /** What a CE at work has loaded of libraries and of Java: dev/class-list writes it. */
    private static final String LIST = "classes.list";

    private static final String OURS = "org/gelato/ce/";
    private static final String CLASS = ".class";
    private static final Duration LONGEST = Duration.ofMinutes(5);
    /** How Java names a class of the list that it cannot link. */
    private static final Pattern UNLINKED =
            Pattern.compile("IllegalAccessError: (?:failed to access class \\S+ from class|class) ([\\w.$]+)");
    /** Each costs the making of an archive. */
    private static final int MAX_UNFIT = 5;

    private final Path file;
    private final Path java;
    private final String classPath;

    /**
     * Describes one; nothing is made.
     *
     * @param file where it is to be
     * @param java home of the Java that will read it
     * @param classPath of jars alone, with which the class path of its readers begins
     */
    public ClassArchive(Path file, Path java, String classPath) {
        this.file = file.toAbsolutePath();
        this.java = java;
        this.classPath = classPath;
    }

    /**
     * Makes it, in place of one that is there; takes seconds.
     *
     * @throws SetupException when others may write to its directory, another process makes it, or the JVM does not
     * @throws IOException when a file cannot be written
     */
    public void make() throws IOException {
        Path list = Files.createTempFile("gelato-", "." + LIST);
        try {
            new ArchiveFile(file).replace(next -> {
                dump(classes(), list, next);
                // The JVM ends with this option where it would go on without an archive.
                accepted(run("-Xshare:on", "-XX:+UseSerialGC", "-XX:SharedArchiveFile=" + next, "-version"));
            });
        } finally {
            Files.deleteIfExists(list);
        }
    }

    /** Java's own list first, then what was recorded, then all that is ours: it changes more often than the record. */
    private List<String> classes() throws IOException {
        List<String> all = new ArrayList<>();
        Path javas = java.resolve("lib").resolve("classlist");
        if (Files.isReadable(javas)) {
            all.addAll(Files.readAllLines(javas));
        }
        for (String element : classPath.split(File.pathSeparator)) {
            try (JarFile jar = new JarFile(element)) {
                jar.stream()
                        .map(ZipEntry::getName)
                        .filter(name -> name.startsWith(OURS) && name.endsWith(CLASS))
                        .map(name -> name.substring(0, name.length() - CLASS.length()))
                        .sorted()
                        .forEach(all::add);
            }
        }
        try (InputStream recorded = ClassArchive.class.getResourceAsStream(LIST)) {
            new String(recorded.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(all::add);
        }
        return all;
    }

    /**
     * Java 21 links all classes of the list and makes no archive when it cannot link one, as one of a library that a newer
     * version of another no longer fits: such a class is left out, as it is of no use at run time either.
     */
    private void dump(List<String> classes, Path list, Path next) throws IOException {
        Set<String> unfit = new HashSet<>();
        while (true) {
            Files.deleteIfExists(next);
            Files.write(
                    list, classes.stream().filter(name -> !unfit.contains(name)).toList());
            BoundedCommand.Outcome outcome =
                    run("-Xshare:dump", "-XX:SharedClassListFile=" + list, "-XX:SharedArchiveFile=" + next);
            Matcher unlinked = UNLINKED.matcher(outcome.error());
            if (outcome.good()
                    || unfit.size() == MAX_UNFIT
                    || !unlinked.find()
                    || !unfit.add(unlinked.group(1).replace('.', '/'))) {
                accepted(outcome);
                return;
            }
        }
    }

    private BoundedCommand.Outcome run(String... options) {
        List<String> command = new ArrayList<>();
        command.add(java.resolve("bin").resolve("java").toString());
        command.addAll(List.of("-Xlog:disable", "-Xlog:all=error:stderr", "-cp", classPath));
        command.addAll(Arrays.asList(options));
        return BoundedCommand.run(command, Map.of(), LONGEST);
    }

    private static void accepted(BoundedCommand.Outcome outcome) {
        if (!outcome.good()) {
            throw new SetupException("Java makes no archive of classes: " + outcome.error()
                    + "; the server starts without one as well, with some seconds of CPU more at each start");
        }
    }
}
