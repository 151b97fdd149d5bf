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

/** A value of another type at any key of reference.conf is refused with the key and the line. */
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
    void a_section_in_place_of_a_value_is_refused(String key) throws IOException {
        String kind = key.startsWith("gelato.lrms.blahp.")
                ? "gelato.lrms { kind = blahp, blahp { command = [/bin/blahpd], grid-type = lsf, accounting-log = /log } }"
                : "gelato.port = 1";
        Path file = Files.writeString(directory.resolve("gelato.conf"), kind + "\n\n" + key + " = { a = 1 }\n");

        ConfigurationException e = catchThrowableOfType(ConfigurationException.class, () -> CeConfig.load(file));

        assertThat(e).as("refused").isNotNull();
        assertThat(e.problems()).anyMatch(p -> p.startsWith(key + " = ") && p.contains("(line 3) is not "));
    }
}
