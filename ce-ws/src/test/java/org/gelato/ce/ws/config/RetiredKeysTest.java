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
import org.gelato.ce.ws.server.HttpConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A key that counted in the version before is no error: it is named, with what holds in its place. */
class RetiredKeysTest {
    @TempDir
    private Path directory;

    @Test
    void aFileThatHasAllOfThemIsAcceptedAndEachIsNamed() throws IOException {
        StringBuilder text = new StringBuilder("gelato.port = 9443\n");
        Set<String> keys = new TreeSet<>();
        KeyNames.RETIRED.entrySet().forEach(e -> {
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
    void aKeyThatNamesOneHasItsFixedValue() throws IOException {
        Path file = Files.writeString(
                directory.resolve("gelato.conf"),
                "gelato.http { uploads = ${gelato.http.downloads}, max-connections = ${gelato.http.uploads} }\n");

        assertThat(CeConfig.load(file).http().maxConnections()).isEqualTo(16);
        assertThat(CeConfig.retired(file)).containsOnlyKeys("gelato.http.uploads");
    }

    /** 16 downloads and 16 uploads, and where that leaves no thread for requests, as many as leave one. */
    @ParameterizedTest
    @CsvSource({"400, 16", "64, 16", "33, 16", "32, 15", "4, 1"})
    void transfersDoNotGrowWithTheThreads(int threads, int transfers) {
        HttpConfig http = CeConfig.of(directory.resolve("gelato.conf"), "gelato.http.threads = " + threads)
                .http();
        assertThat(http.downloads()).isEqualTo(transfers);
        assertThat(http.uploads()).isEqualTo(transfers);
    }

    @Test
    void noneOfThemIsAKey() {
        Config reference = ConfigFactory.parseResources(CeConfig.class.getClassLoader(), "reference.conf");
        assertThat(KeyNames.RETIRED.entrySet())
                .isNotEmpty()
                .allSatisfy(e -> assertThat(reference.hasPathOrNull(e.getKey()))
                        .as(e.getKey())
                        .isFalse());
    }
}
