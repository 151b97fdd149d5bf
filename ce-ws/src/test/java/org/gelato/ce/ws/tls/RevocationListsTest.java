package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevocationListsTest {
    @TempDir
    Path directory;

    @Test
    void aListThatIsTooLargeForTheMemoryIsNotRead() throws Exception {
        GridPki pki = GridPki.open(directory.resolve("pki"), "localhost");
        Path list;
        try (DirectoryStream<Path> lists = Files.newDirectoryStream(pki.certificates(), "*.r0")) {
            list = lists.iterator().next();
        }
        long size = Files.size(list);
        assertThat(TrustFileChecks.revocationList(list, 48 * size)).isNotNull();
        assertThatThrownBy(() -> TrustFileChecks.revocationList(list, 48 * size - 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a CRL of " + size + " bytes is too large: at most " + (size - 1))
                .hasMessageContaining("-Xmx");
        Path large = directory.resolve("large.r0");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength((16 << 20) + 1);
        }
        assertThatThrownBy(() -> TrustFileChecks.revocationList(large, Long.MAX_VALUE))
                .hasMessageContaining("too large: at most 16777216");
    }
}
