package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The helper's files stand on floors: none includes one that includes it, directly or by others. */
class HelperSourcesTest {
    private static final Pattern INCLUDE = Pattern.compile("#include \"(\\w+)\\.h\"");

    /** Names without ending, each with those it includes; a file's own header is not another. */
    private static Map<String, Set<String>> includes() throws IOException {
        Map<String, Set<String>> all = new TreeMap<>();
        try (Stream<Path> files = Files.list(Path.of("src", "main", "c"))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString().replaceFirst("\\.[ch]$", "");
                Set<String> included = all.computeIfAbsent(name, n -> new TreeSet<>());
                INCLUDE.matcher(Files.readString(file)).results().forEach(m -> included.add(m.group(1)));
                included.remove(name);
            }
        }
        return all;
    }

    @Test
    void filesMakeNoRing() throws IOException {
        Map<String, Set<String>> left = includes();
        assertThat(left).hasSizeGreaterThan(20);
        boolean taken = true;
        while (taken) {
            List<String> free = left.keySet().stream()
                    .filter(name -> left.get(name).stream().noneMatch(left::containsKey))
                    .toList();
            free.forEach(left::remove);
            taken = !free.isEmpty();
        }
        assertThat(left).as("files that include each other").isEmpty();
    }
}
