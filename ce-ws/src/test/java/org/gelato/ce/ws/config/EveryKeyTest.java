package org.gelato.ce.ws.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A value of another type, or out of range, at any key of reference.conf is refused with the key and the line. */
class EveryKeyTest {
    @TempDir
    private Path directory;

    static Stream<String> keys() {
        return ConfigFactory.parseResources(CeConfig.class.getClassLoader(), "reference.conf")
                .resolve()
                .entrySet()
                .stream()
                .map(Map.Entry::getKey)
                .sorted();
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aSectionInPlaceOfAValueIsRefused(String key) throws IOException {
        Path file = Files.writeString(
                directory.resolve("gelato.conf"), "gelato.port = 1" + "\n\n" + key + " = { a = 1 }\n");

        ConfigurationException e = catchThrowableOfType(ConfigurationException.class, () -> CeConfig.load(file));

        assertThat(e).as("refused").isNotNull();
        assertThat(e.problems()).anyMatch(p -> p.startsWith(key + " = ") && p.contains("(line 3) is not "));
    }

    static Stream<String> outOfRange() {
        return ConfigFactory.parseResources(CeConfig.class.getClassLoader(), "reference.conf")
                .resolve()
                .entrySet()
                .stream()
                .flatMap(e -> beyond(e.getValue().unwrapped().toString()).map(value -> e.getKey() + " = " + value))
                .sorted();
    }

    private static Stream<String> beyond(String reference) {
        if (reference.matches("-?[0-9]+")) {
            return Stream.of("-2", "9999999999");
        }
        if (reference.matches("[0-9]+ (ms|s|minutes|h|days)")) {
            return Stream.of("-1 s", "100000 days");
        }
        return reference.matches("[0-9]+ [kMG]iB") ? Stream.of("-1 B", "9000000 TiB") : Stream.of();
    }

    @ParameterizedTest
    @MethodSource("outOfRange")
    void aValueOutOfRangeIsRefusedInOneLine(String line) throws IOException {
        Path file = Files.writeString(directory.resolve("gelato.conf"), "gelato.port = 1" + "\n" + line + "\n");

        ConfigurationException e = catchThrowableOfType(ConfigurationException.class, () -> CeConfig.load(file));

        assertThat(e).as("refused").isNotNull();
        assertThat(e.problems())
                .anyMatch(p -> p.startsWith(line.substring(0, line.indexOf(' ')) + " = ")
                        && p.contains("(line 2) is not ")
                        && !p.contains("\n"));
    }
}
