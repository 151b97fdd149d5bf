package org.gelato.ce.ws.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.identity.AccountUseStore.AccountUse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountMapTest {
    private static final String ALICE = "CN=Alice,O=People,DC=test";
    private static final String BOB = "CN=Bob,O=People,DC=test";

    @TempDir
    private Path directory;

    private final Set<String> banned = new HashSet<>();

    private AccountMap map() {
        return new AccountMap(directory.resolve("grid-mapfile"), banned::contains);
    }

    private List<String> lines() throws Exception {
        return Files.readAllLines(directory.resolve("grid-mapfile")).stream()
                .filter(l -> !l.startsWith("#"))
                .toList();
    }

    @Test
    void theAccountMappedLastIsTheFirst() throws Exception {
        AccountMap map = map();
        map.put(ALICE, "dteam001");
        map.put(ALICE, "prod001");
        assertThat(lines()).containsExactly("\"/DC=test/O=People/CN=Alice\" prod001,dteam001");
        map.put(ALICE, "dteam001");
        assertThat(lines()).containsExactly("\"/DC=test/O=People/CN=Alice\" dteam001,prod001");
        assertThat(Files.getPosixFilePermissions(directory.resolve("grid-mapfile")))
                .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
    }

    @Test
    void whatTheDatabaseKnowsComesBehindWhatWasMappedSince() throws Exception {
        AccountMap map = map();
        map.put(ALICE, "prod001");
        map.addOlder(List.of(
                new AccountUse(BOB, "dteam002"), new AccountUse(ALICE, "dteam001"), new AccountUse(ALICE, "prod001")));
        assertThat(lines())
                .containsExactly(
                        "\"/DC=test/O=People/CN=Alice\" prod001,dteam001", "\"/DC=test/O=People/CN=Bob\" dteam002");
    }

    @Test
    void aBanTakesOutAndItsEndBringsBack() throws Exception {
        AccountMap map = map();
        map.put(ALICE, "dteam001");
        map.put(BOB, "dteam002");
        banned.add(ALICE);
        map.refresh();
        assertThat(lines()).containsExactly("\"/DC=test/O=People/CN=Bob\" dteam002");
        banned.clear();
        map.refresh();
        assertThat(lines()).hasSize(2);
    }

    @Test
    void aKnownPairTouchesNoFile() throws Exception {
        AccountMap map = map();
        map.put(ALICE, "dteam001");
        Files.delete(directory.resolve("grid-mapfile"));
        map.put(ALICE, "dteam001");
        map.refresh();
        assertThat(directory.resolve("grid-mapfile")).doesNotExist();
    }

    @Test
    void whatCouldNotBeWrittenIsTriedAgain() throws Exception {
        Path absent = directory.resolve("absent");
        AccountMap map = new AccountMap(absent.resolve("grid-mapfile"), banned::contains);
        assertThatThrownBy(() -> map.put(ALICE, "dteam001"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("grid-mapfile");
        Files.createDirectory(absent);
        map.put(ALICE, "dteam001");
        assertThat(absent.resolve("grid-mapfile")).content().contains("dteam001");
    }

    @Test
    void noNameEndsItsLineOrItsQuotes() throws Exception {
        AccountMap map = map();
        map.put("CN=a\\\" root\\0A\\\"/CN=b,DC=test", "dteam001");
        map.put("CN=Zo\\C3\\AB,DC=test", "dteam002");
        assertThat(lines())
                .allSatisfy(l -> assertThat(l).matches("\"([^\"\\\\]|\\\\.)*\" dteam00[12]"))
                .contains("\"/DC=test/CN=Zo\\\\xC3\\\\xAB\" dteam002", "\"/DC=test/CN=Zo\\xC3\\xAB\" dteam002");
    }
}
