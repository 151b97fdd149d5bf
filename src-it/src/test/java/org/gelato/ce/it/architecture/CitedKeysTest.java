package org.gelato.ce.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A key of the configuration that a text of the software names is one that the configuration has. */
class CitedKeysTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Config REFERENCE = ConfigFactory.defaultReference();
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

    /** With the prefix, or a name of several words after a dot, which no file and no class has. */
    private static final Pattern KEY = Pattern.compile(
            "(?<![\\w./-])(gelato(?:\\.[a-z][a-z0-9-]*)+|[a-z][a-z-]*(?:\\.[a-z][a-z-]*)*\\.[a-z]+-[a-z-]+)(?![\\w./(-])");

    /** System properties, topics of messages, and names that only look like keys. */
    private static final Set<String> OTHERS = Set.of(
            "gelato.cli.classes",
            "gelato.cli.columns",
            "gelato.cli.table",
            "gelato.cli.terminal",
            "gelato.lost",
            "gelato.quota",
            "gelato.conf",
            "gelato.conf.old",
            "gelato.config",
            "gelato.class-archive",
            "gelato.archived-path",
            "gelato.server-flags",
            "gelato.version",
            "gelato.test.aot-seconds",
            "gelato.test.stop-at",
            "gelato.test.stop-file",
            "gelato.test.trace-file");

    @Test
    void everyKeyOfATextExists() throws IOException {
        List<String> missing = new ArrayList<>();
        int cited = 0;
        for (Path file : sources()) {
            String code = COMMENT.matcher(Files.readString(file, StandardCharsets.UTF_8))
                    .replaceAll("");
            for (MatchResult literal : LITERAL.matcher(code).results().toList()) {
                for (MatchResult key : KEY.matcher(literal.group(1)).results().toList()) {
                    cited++;
                    if (!exists(key.group(1)) && !OTHERS.contains(key.group(1))) {
                        missing.add(ROOT.relativize(file) + ": " + key.group(1));
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(cited).isGreaterThan(150);
    }

    private static boolean exists(String key) {
        String full = key.startsWith("gelato.") ? key : "gelato." + key;
        return REFERENCE.hasPathOrNull(full) || REFERENCE.hasPathOrNull("gelato.lrms." + key);
    }

    static List<Path> sources() throws IOException {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(m -> m.getFileName().toString().startsWith("ce-"))
                    .filter(m -> !m.endsWith("ce-testkit"))
                    .toList()) {
                Path main = module.resolve("src/main/java");
                if (Files.exists(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        all.addAll(files.filter(f -> f.toString().endsWith(".java"))
                                .collect(Collectors.toList()));
                    }
                }
            }
        }
        return all;
    }
}
