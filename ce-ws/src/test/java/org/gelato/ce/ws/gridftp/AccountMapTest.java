package org.gelato.ce.ws.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.identity.AccountUseStore.AccountUse;
import org.gelato.ce.core.identity.Mappings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountMapTest {
    private static final String ALICE = "CN=Alice,O=People,DC=test";
    private static final String BOB = "CN=Bob,O=People,DC=test";

    @TempDir
    private Path directory;

    private Mappings mappings = (dn, fqans, account) -> true;

    private AccountMap map() {
        return new AccountMap(directory.resolve("grid-mapfile"), () -> mappings);
    }

    private List<String> lines() throws Exception {
        return Files.readAllLines(directory.resolve("grid-mapfile")).stream()
                .filter(l -> !l.startsWith("#"))
                .toList();
    }

    @Test
    void theAccountMappedLastIsTheFirst() throws Exception {
        AccountMap map = map();
        map.put(ALICE, Set.of(), "dteam001");
        map.put(ALICE, Set.of(), "prod001");
        assertThat(lines()).containsExactly("\"/DC=test/O=People/CN=Alice\" prod001,dteam001");
        map.put(ALICE, Set.of(), "dteam001");
        assertThat(lines()).containsExactly("\"/DC=test/O=People/CN=Alice\" dteam001,prod001");
        assertThat(Files.getPosixFilePermissions(directory.resolve("grid-mapfile")))
                .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
    }

    @Test
    void whatTheDatabaseKnowsComesBehindWhatWasMappedSince() throws Exception {
        AccountMap map = map();
        map.put(ALICE, Set.of(), "prod001");
        map.addOlder(List.of(
                new AccountUse(BOB, "dteam002", Set.of()),
                new AccountUse(ALICE, "dteam001", Set.of()),
                new AccountUse(ALICE, "prod001", Set.of())));
        assertThat(lines())
                .containsExactly(
                        "\"/DC=test/O=People/CN=Alice\" prod001,dteam001", "\"/DC=test/O=People/CN=Bob\" dteam002");
    }

    @Test
    void whoIsNoLongerMappedIsTakenOutAndComesBackWithTheFiles() throws Exception {
        AccountMap map = map();
        map.put(ALICE, Set.of(), "dteam001");
        map.put(BOB, Set.of(), "dteam002");
        mappings = (dn, fqans, account) -> !dn.equals(ALICE);
        map.refresh();
        assertThat(lines()).containsExactly("\"/DC=test/O=People/CN=Bob\" dteam002");
        mappings = (dn, fqans, account) -> true;
        map.refresh();
        assertThat(lines()).hasSize(2);
    }

    @Test
    void whoWasTakenOutComesBackWithTheNextRegistration() throws Exception {
        AccountMap map = map();
        map.put(ALICE, Set.of(), "dteam001");
        mappings = (dn, fqans, account) -> false;
        map.refresh();
        assertThat(lines()).isEmpty();
        map.put(ALICE, Set.of(), "dteam001");
        assertThat(lines()).hasSize(1);
    }

    @Test
    void anAccountOfFormerAttributesGoesAndTheOthersStay() throws Exception {
        mappings = (dn, fqans, account) -> account.equals("prod001") ? fqans.contains("/x/Role=prod") : true;
        AccountMap map = map();
        map.addOlder(List.of(
                new AccountUse(ALICE, "prod001", Set.of("/x")),
                new AccountUse(ALICE, "dteam001", Set.of("/x")),
                new AccountUse(BOB, "prod001", Set.of("/x", "/x/Role=prod"))));
        assertThat(lines())
                .containsExactly("\"/DC=test/O=People/CN=Alice\" dteam001", "\"/DC=test/O=People/CN=Bob\" prod001");
    }

    @Test
    void attributesShownLaterCountToo() throws Exception {
        AccountMap map = map();
        map.put(ALICE, Set.of("/x"), "dteam001");
        map.put(ALICE, Set.of("/x", "/y"), "dteam001");
        mappings = (dn, fqans, account) -> fqans.contains("/y");
        map.refresh();
        assertThat(lines()).hasSize(1);
    }

    @Test
    void aKnownPairTouchesNoFile() throws Exception {
        AccountMap map = map();
        map.put(ALICE, Set.of(), "dteam001");
        Files.delete(directory.resolve("grid-mapfile"));
        map.put(ALICE, Set.of(), "dteam001");
        map.refresh();
        assertThat(directory.resolve("grid-mapfile")).doesNotExist();
    }

    @Test
    void whatCouldNotBeWrittenIsTriedAgain() throws Exception {
        Path absent = directory.resolve("absent");
        AccountMap map = new AccountMap(absent.resolve("grid-mapfile"), () -> mappings);
        assertThatThrownBy(() -> map.put(ALICE, Set.of(), "dteam001"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("grid-mapfile");
        Files.createDirectory(absent);
        map.put(ALICE, Set.of(), "dteam001");
        assertThat(absent.resolve("grid-mapfile")).content().contains("dteam001");
    }

    @Test
    void noNameEndsItsLineOrItsQuotes() throws Exception {
        AccountMap map = map();
        map.put("CN=a\\\" root\\0A\\\"/CN=b,DC=test", Set.of(), "dteam001");
        map.put("CN=Zo\\C3\\AB,DC=test", Set.of(), "dteam002");
        assertThat(lines())
                .allSatisfy(l -> assertThat(l).matches("\"([^\"\\\\]|\\\\.)*\" dteam00[12]"))
                .contains("\"/DC=test/CN=Zo\\\\xC3\\\\xAB\" dteam002", "\"/DC=test/CN=Zo\\xC3\\xAB\" dteam002");
    }
}
