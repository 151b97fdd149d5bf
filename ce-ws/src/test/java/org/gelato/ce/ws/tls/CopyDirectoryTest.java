package org.gelato.ce.ws.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.ws.tls.directory.CopyDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyDirectoryTest {
    @TempDir
    Path home;

    private List<Path> directories() throws Exception {
        try (Stream<Path> all = Files.list(home.resolve("trust"))) {
            return all.filter(Files::isDirectory).toList();
        }
    }

    @Test
    void whatAKilledProcessLeftIsRemovedAtTheNextStart() throws Exception {
        Path left = Files.createDirectories(home.resolve("trust/left/ca/good"));
        Files.writeString(left.resolve("0123abcd.0"), "CA");
        Files.createFile(home.resolve("trust/left.lock"));
        try (CopyDirectory own = new CopyDirectory(home.resolve("trust"))) {
            assertThat(directories()).singleElement().isEqualTo(own.make("ca").getParent());
            assertThat(home.resolve("trust/left.lock")).doesNotExist();
        }
        assertThat(directories()).isEmpty();
    }

    @Test
    void whatLivesIsLeftAloneAndNobodyElseMayLook() throws Exception {
        try (CopyDirectory first = new CopyDirectory(home.resolve("trust"))) {
            Path good = first.make("ca");
            try (CopyDirectory second = new CopyDirectory(home.resolve("trust"))) {
                assertThat(good).isDirectory();
                assertThat(second.make("ca")).isNotEqualTo(good);
            }
            assertThat(good).isDirectory();
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("trust"))))
                .isEqualTo("rwx------");
    }
}
