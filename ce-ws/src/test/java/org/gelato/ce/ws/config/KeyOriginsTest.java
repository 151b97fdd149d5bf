package org.gelato.ce.ws.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyOriginsTest {
    @TempDir
    private Path site;

    @Test
    void aKeyOfAnIncludedFileIsFoundThere() throws Exception {
        Path included = Files.writeString(site.resolve("ports.conf"), "\n\ngelato.port = 1\n");
        Path file = Files.writeString(site.resolve("gelato.conf"), "include \"ports.conf\"\ngelato.node = a\n");
        KeyOrigins origins = KeyOrigins.of(file);
        assertThat(origins.where("gelato.port")).isEqualTo(included + " line 3");
        assertThat(origins.where("gelato.node")).isEqualTo(file + " line 2");
        assertThat(origins.where("gelato.home")).isEqualTo("default");
    }
}
