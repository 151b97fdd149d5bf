package org.gelato.ce.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Mappings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridmapSnapshotTest {
    private static final String ALICE = "CN=Alice,O=x";
    private static final String BOB = "CN=Bob,O=x";

    @TempDir
    Path directory;

    private Path gridmap;
    private Path banned;
    private Path pools;
    private GridmapAuthorizer authorizer;
    private int edits;

    @BeforeEach
    void site() throws IOException {
        gridmap = directory.resolve("grid-mapfile");
        banned = directory.resolve("ban");
        write(gridmap, """
                "/O=x/CN=Alice" alice
                "/dteam/Role=prod" prod
                "/dteam/*" .dteam
                """);
        write(banned, "");
        pools = Files.createDirectory(directory.resolve("gridmapdir"));
        Files.createFile(pools.resolve("dteam001"));
        Files.createFile(pools.resolve("dteam002"));
        authorizer = new GridmapAuthorizer(
                new GridmapConfig(gridmap, banned, null, Duration.ofSeconds(1), pools), "root"::equals, a -> "");
    }

    private void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_000_000 + ++edits)));
    }

    private boolean holds(String dn, String account, String... fqans) {
        authorizer.refresh();
        return authorizer.mappings().hold(dn, List.of(fqans), account);
    }

    @Test
    void whatTheGridmapGivesHolds() {
        assertThat(holds(ALICE, "alice")).isTrue();
        assertThat(holds(ALICE, "alice", "/dteam")).isTrue();
        assertThat(holds(ALICE, "prod", "/dteam/Role=prod"))
                .as("the DN's own line counts alone")
                .isFalse();
        assertThat(holds(BOB, "prod", "/cms", "/dteam/Role=prod")).isTrue();
        assertThat(holds(BOB, "prod", "/dteam")).isFalse();
        assertThat(holds(BOB, "prod")).isFalse();
        assertThat(holds(BOB, "prod", "")).isFalse();
    }

    @Test
    void aPoolAccountHoldsAsLongAsItIsLeased() throws IOException {
        assertThat(holds(BOB, "dteam001", "/dteam")).isFalse();
        String account = authorizer
                .authorize(new GridIdentity(BOB, List.of("/dteam"), "dteam", false, Instant.MAX, List.of()))
                .account();
        assertThat(holds(BOB, account, "/dteam")).as("just leased").isTrue();
        assertThat(holds(BOB, "dteam002", "/dteam")).isFalse();
        assertThat(holds(ALICE, account, "/dteam")).isFalse();
        Files.delete(pools.resolve(PoolMappingName.of(BOB) + ":dteam"));
        assertThat(holds(BOB, account, "/dteam")).as("recycled").isFalse();
    }

    @Test
    void aBanAndARemovedLineCountAtOnce() throws IOException {
        assertThat(holds(ALICE, "alice")).isTrue();
        write(banned, "/O=x/CN=alice\n");
        assertThat(holds(ALICE, "alice")).isFalse();
        write(banned, "");
        write(gridmap, "\"/dteam/*\" .dteam\n");
        assertThat(holds(ALICE, "alice")).isFalse();
        assertThat(holds(BOB, "prod", "/dteam/Role=prod")).isFalse();
    }

    @Test
    void aPatternForEveryAttributeIsNoneForThoseWithoutAny() throws IOException {
        write(gridmap, "\"/*\" all\n");
        assertThat(holds(BOB, "all", "/any")).isTrue();
        assertThat(holds(BOB, "all", "")).isFalse();
    }

    @Test
    void nothingChangedIsTheSameObject() throws IOException {
        GridmapAuthorizer noPools = new GridmapAuthorizer(
                new GridmapConfig(
                        Files.writeString(directory.resolve("map"), "\"/O=x/CN=Alice\" alice\n"),
                        null,
                        null,
                        Duration.ofSeconds(1),
                        null),
                "root"::equals,
                a -> "");
        Mappings first = noPools.mappings();
        noPools.refresh();
        assertThat(noPools.mappings()).isSameAs(first);
    }
}
