package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gelato.ce.blahbridge.blahp.BlahpConfig;
import org.gelato.ce.blahbridge.blahp.BlahpSite;
import org.gelato.ce.blahbridge.fork.ForkSite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryIdentityTest {
    @TempDir
    Path base;

    private Path directory(String name) throws IOException {
        return Files.createDirectories(base.resolve(name));
    }

    private static Optional<String> blahp(Path log) {
        return new BlahpSite(new BlahpConfig(
                        List.of("/usr/sbin/blahpd"), "lsf", "", false, "gelato", 1, log, Duration.ofMinutes(1)))
                .identity(null, null)
                .join();
    }

    @Test
    void aDirectoryHasOneForGoodWhoeverGivesItAndWhereverItIs() throws IOException {
        Path one = directory("one");
        assertThat(DirectoryIdentity.of(one)).isEmpty();
        Set<String> given = IntStream.range(0, 16)
                .parallel()
                .mapToObj(i -> {
                    try {
                        return DirectoryIdentity.give(one);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .collect(Collectors.toCollection(HashSet::new));
        assertThat(given).hasSize(1).first().asString().contains(one.toString());
        try (var files = Files.list(one)) {
            assertThat(files).hasSize(1);
        }
        Path moved = Files.move(one, base.resolve("moved"));
        assertThat(DirectoryIdentity.of(moved)).isEqualTo(given.stream().findFirst());
        assertThat(DirectoryIdentity.give(directory("one"))).isNotIn(given);
    }

    @Test
    void forkIsItsDirectoryAndBlahpdItsLog() throws IOException {
        ForkSite fork = new ForkSite(1);
        Path here = directory("here");
        Path there = directory("there");
        assertThat(fork.identity(null, here).join())
                .isPresent()
                .isNotEqualTo(fork.identity(null, there).join());
        assertThat(blahp(here.resolve("accounting"))).isPresent().isNotEqualTo(blahp(there.resolve("accounting")));
        String given = DirectoryIdentity.give(here);
        assertThat(fork.identity(null, here).join()).contains(given);
        assertThat(blahp(here.resolve("accounting")).orElseThrow()).endsWith(given);
        assertThat(blahp(here.resolve("another"))).isNotEqualTo(blahp(here.resolve("accounting")));
    }
}
