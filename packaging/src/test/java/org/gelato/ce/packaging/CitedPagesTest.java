package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What messages, the configuration's comments and the alerts cite is installed where they say. */
class CitedPagesTest {
    private static final Path ROOT = Path.of("..");
    private static final String DIRECTORY = "/usr/share/doc/gelato-ce/";
    private static final Pattern CALL = Pattern.compile("Manual\\.page\\(\\s*\"docs/([^\"]+)\"");
    private static final Pattern PATH = Pattern.compile(DIRECTORY + "([\\w/-]+\\.\\w+)");
    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern OF_THE_SOURCES = Pattern.compile("(?<!gelato-ce/)docs/(?:admin|developer|user)/");

    private static List<Path> files(String ending) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path main : modules.map(module -> module.resolve("src/main"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> all = Files.walk(main)) {
                    all.filter(file -> file.toString().endsWith(ending)).forEach(files::add);
                }
            }
        }
        return files;
    }

    private static Set<String> installed() throws IOException {
        Set<String> installed = new TreeSet<>();
        for (Contents.Line line : Contents.lines(Files.readAllLines(ROOT.resolve("packaging/contents.list")), "deb")) {
            if (line.path().startsWith(DIRECTORY)) {
                installed.add(line.path());
                for (Path source : Contents.sources(line, ROOT)) {
                    installed.add(line.path() + source.getFileName());
                }
            }
        }
        return installed;
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> DIRECTORY + match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void pagesThatMessagesCiteAreInstalled() throws IOException {
        Set<String> cited = new TreeSet<>();
        for (Path file : files(".java")) {
            cited.addAll(found(CALL, Files.readString(file)));
        }
        assertThat(cited).hasSizeGreaterThan(8);
        assertThat(installed()).containsAll(cited);
    }

    @Test
    void pagesThatTheConfigurationAndTheAlertsCiteAreInstalled() throws IOException {
        List<Path> texts = new ArrayList<>(files(".conf"));
        texts.add(ROOT.resolve("docs/admin/monitoring/gelato-alerts.yml"));
        texts.add(ROOT.resolve("docs/admin/upgrade.md"));
        Set<String> cited = new TreeSet<>();
        for (Path text : texts) {
            assertThat(text).content().doesNotContainPattern(OF_THE_SOURCES);
            cited.addAll(found(PATH, Files.readString(text)));
        }
        assertThat(cited).hasSizeGreaterThan(8);
        assertThat(installed()).containsAll(cited);
    }

    /** They were paths of a clone, which a site has not. */
    @Test
    void noMessageCitesAPageOfTheSources() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : files(".java")) {
            String text = CALL.matcher(Files.readString(file)).replaceAll("");
            for (String line : text.split("\n")) {
                if (!line.strip().startsWith("//") && !line.strip().startsWith("*")) {
                    Matcher literal = LITERAL.matcher(line);
                    while (literal.find()) {
                        if (OF_THE_SOURCES.matcher(literal.group()).find()) {
                            wrong.add(file + ": " + line.strip());
                        }
                    }
                }
            }
        }
        assertThat(wrong).as("cite them by Manual.page").isEmpty();
    }
}
