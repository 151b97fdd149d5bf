package org.gelato.ce.ws.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key that counted in the version before is no error: it is named, with what holds in its place. */
class RetiredKeysTest {
    private static final Config RETIRED = ConfigFactory.parseResources(KeyNames.class, "retired.conf");

    @TempDir
    private Path directory;

    @Test
    void aFileThatHasAllOfThemIsAcceptedAndEachIsNamed() throws IOException {
        StringBuilder text = new StringBuilder("gelato.port = 9443\n");
        Set<String> keys = new TreeSet<>();
        RETIRED.entrySet().forEach(e -> {
            keys.add(e.getKey());
            text.append(e.getKey()).append(" = 1\n");
        });
        Path file = Files.writeString(directory.resolve("gelato.conf"), text);

        assertThat(CeConfig.load(file).port()).isEqualTo(9443);
        assertThat(CeConfig.retired(file)).containsOnlyKeys(keys);
    }

    @Test
    void whatHoldsInItsPlaceIsSaid() throws IOException {
        Path file = Files.writeString(
                directory.resolve("gelato.conf"), "gelato.http { handshake-timeout = 5, threads = 8 }\n");

        assertThat(CeConfig.retired(file))
                .containsExactly(Map.entry(
                        "gelato.http.handshake-timeout", "is fixed at 20 s since 0.11.0, and the line has no effect"));
        assertThat(CeConfig.load(file).http().handshakeTimeout()).hasSeconds(20);
    }

    @Test
    void noneOfThemIsAKey() {
        Config reference = ConfigFactory.parseResources(CeConfig.class.getClassLoader(), "reference.conf");
        assertThat(RETIRED.entrySet())
                .isNotEmpty()
                .allSatisfy(e -> assertThat(reference.hasPathOrNull(e.getKey()))
                        .as(e.getKey())
                        .isFalse());
    }
}
