package org.gelato.ce.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.gelato.ce.core.authorization.PoolAccounts.Found;
import org.gelato.ce.core.authorization.PoolAccounts.Unavailable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class PoolAccountsTest {
    private static final String ALICE = "CN=Alice Example,O=People,DC=org";
    private static final String ALICE_LEASE = "%2fdc%3dorg%2fo%3dpeople%2fcn%3dalice%20example";
    private static final String BOB = "CN=Bob,O=People,DC=org";

    @TempDir
    Path directory;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(PoolAccounts.class);

    @BeforeEach
    void attach() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(log);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=Alice Example,O=People,DC=org|%2fdc%3dorg%2fo%3dpeople%2fcn%3dalice%20example",
                "/DC=org/O=People/CN=Alice Example|%2fdc%3dorg%2fo%3dpeople%2fcn%3dalice%20example",
                "/C=IT/O=INFN/CN=host/ce.infn.it|%2fc%3dit%2fo%3dinfn%2fcn%3dhost%2fce%2einfn%2eit",
                "/O=x/emailAddress=A.B@c.org|%2fo%3dx%2femailaddress%3da%2eb%40c%2eorg",
                "/O=x/CN=a-b_c:d|%2fo%3dx%2fcn%3da%2db%5fc%3ad",
                "/O=x/CN=J\\xC3\\xBCrgen|%2fo%3dx%2fcn%3dj%5cxc3%5cxbcrgen"
            })
    void leasesAreNamedAsOthersNameThem(String dn, String name) {
        assertThat(PoolMappingName.of(dn)).isEqualTo(name);
    }

    @Test
    void aLeaseLcmapsMadeIsFoundByItsInode() throws Exception {
        accounts("dteam001", "dteam002", "dteam003");
        Files.createLink(directory.resolve(ALICE_LEASE), directory.resolve("dteam003"));
        Files.createLink(directory.resolve(PoolMappingName.of(BOB) + ":grid:more"), directory.resolve("dteam002"));
        PoolAccounts pools = pools();

        assertThat(pools.account(ALICE, "dteam", false)).isEqualTo("dteam003");
        assertThat(pools.account(ALICE, "dteam", true)).isEqualTo("dteam003");
        assertThat(pools.account(BOB, "dteam", true)).isEqualTo("dteam002");
        assertThat(names()).hasSize(5);
    }

    @Test
    void aFirstMappingTakesAFreeAccountAndItStays() throws Exception {
        accounts("dteam001", "dteam002", "dteamprd001", "dteam", "dteamx1");
        Files.createLink(directory.resolve(PoolMappingName.of(BOB)), directory.resolve("dteam001"));
        assertThat(pools().account(ALICE, "dteam", false)).isEqualTo("dteam002");
        assertThat(inode(ALICE_LEASE)).isEqualTo(inode("dteam002"));
        assertThat(pools().account(ALICE, "dteam", false)).isEqualTo("dteam002");
    }

    @Test
    void oneUserHasAnAccountInEachPool() throws Exception {
        accounts("dteam001", "dteam002", "dteamprd001");
        PoolAccounts pools = pools();
        assertThat(pools.account(ALICE, "dteam", true)).isEqualTo("dteam001");
        assertThat(pools.account(ALICE, "dteamprd", true)).isEqualTo("dteamprd001");
        assertThat(pools.account(ALICE, "dteam", true)).isEqualTo("dteam001");
        assertThat(names()).contains(ALICE_LEASE + ":dteam", ALICE_LEASE + ":dteamprd");
    }

    @Test
    void aNameTakenInAnotherPoolIsNotOverwritten() throws Exception {
        accounts("atlas01", "dteam001");
        Files.createLink(directory.resolve(ALICE_LEASE), directory.resolve("atlas01"));
        assertThat(pools().account(ALICE, "dteam", false)).isEqualTo("dteam001");
        assertThat(inode(ALICE_LEASE)).isEqualTo(inode("atlas01"));
        assertThat(inode(ALICE_LEASE + ":dteam")).isEqualTo(inode("dteam001"));
    }

    @Test
    void anExhaustedPoolIsNamedAndLoggedOnce() throws Exception {
        accounts("dteam001");
        PoolAccounts pools = pools();
        pools.account(BOB, "dteam", false);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> pools.account(ALICE, "dteam", false))
                    .isInstanceOf(Unavailable.class)
                    .hasMessage("no account of pool dteam in " + directory + ": all 1 are leased");
        }
        assertThat(errors()).singleElement().asString().contains("all 1 are leased");

        accounts("dteam002");
        assertThat(pools.account(ALICE, "dteam", false)).isEqualTo("dteam002");
        assertThatThrownBy(() -> pools.account("CN=Carol", "dteam", false)).hasMessageContaining("all 2 are leased");
        assertThat(errors()).hasSize(2);
        assertThatThrownBy(() -> pools.account(ALICE, "cms", false))
                .hasMessage("no account of pool cms in " + directory + ": there is no file named cms and a number");
    }

    @Test
    void unsafeThingsAreNoAccounts() throws Exception {
        Files.createDirectory(directory.resolve("dteam001"));
        Files.createSymbolicLink(directory.resolve("dteam002"), Path.of("/etc/passwd"));
        accounts("dteam003", "dteam004", "dteam005");
        Files.createLink(directory.resolve("%2fcn%3dx"), directory.resolve("dteam005"));
        Files.createLink(directory.resolve(PoolMappingName.of(BOB)), directory.resolve("dteam005"));
        PoolAccounts pools = new PoolAccounts(
                directory, a -> a.equals("dteam003") ? "this host does not know it" : "", Clock.systemUTC());

        assertThat(pools.account(ALICE, "dteam", false)).isEqualTo("dteam004");
        assertThatThrownBy(() -> pools.account("CN=Carol", "dteam", false))
                .hasMessageContaining("2 of 3 are leased, and this host can't use the others");
        now.set(Instant.now().plusSeconds(5));
        assertThatThrownBy(() -> pools().account(BOB, "dteam", false))
                .hasMessage("pool account dteam005 of " + directory
                        + " can't be used: it is leased more than once, 3 names are links to it");
        assertThatThrownBy(() -> new PoolAccounts(directory, a -> "it is the superuser", Clock.systemUTC())
                        .account(ALICE, "dteam", false))
                .hasMessage("pool account dteam004 of " + directory + " can't be used: it is the superuser");
        assertThat(errors()).anyMatch(e -> e.contains("account dteam003 can't be used: this host does not know it"));
    }

    @Test
    void aMissingDirectoryIsNamedAndMayComeLater() throws Exception {
        Path later = directory.resolve("later");
        PoolAccounts pools = new PoolAccounts(later, a -> "", Clock.systemUTC());
        assertThatThrownBy(() -> pools.account(ALICE, "dteam", false))
                .hasMessage("no account of pool dteam in " + later + ": the directory does not exist");
        Files.createFile(Files.createDirectory(later).resolve("dteam001"));
        pools.refresh();
        assertThat(pools.account(ALICE, "dteam", false)).isEqualTo("dteam001");
    }

    @Test
    void aNameTooLongForAFileIsRefused() throws IOException {
        accounts("dteam001");
        assertThatThrownBy(() -> pools().account("CN=" + "x".repeat(300), "dteam", false))
                .hasMessageEndingWith("the DN is too long for a file name");
    }

    @Test
    void aLeaseInUseGetsANewTimeButSeldom() throws Exception {
        accounts("dteam001");
        Path lease = directory.resolve(ALICE_LEASE);
        Files.createLink(lease, directory.resolve("dteam001"));
        Files.setLastModifiedTime(lease, FileTime.from(now.get().minus(Duration.ofDays(9))));
        PoolAccounts pools = pools();
        pools.refresh();
        assertThat(Files.getLastModifiedTime(lease).toInstant())
                .isBefore(now.get().minus(Duration.ofDays(8)));

        Instant first = now.get().plusSeconds(100);
        used(pools, first);
        assertThat(Files.getLastModifiedTime(lease).toInstant()).isEqualTo(first);
        used(pools, first.plus(PoolAccounts.TOUCH).minusSeconds(1));
        assertThat(Files.getLastModifiedTime(lease).toInstant()).isEqualTo(first);
        used(pools, first.plus(PoolAccounts.TOUCH));
        assertThat(Files.getLastModifiedTime(lease).toInstant()).isEqualTo(first.plus(PoolAccounts.TOUCH));
    }

    @Test
    void aRecycledLeaseIsForgottenAtTheNextLook() throws Exception {
        accounts("dteam001");
        PoolAccounts pools = pools();
        assertThat(pools.account(ALICE, "dteam", false)).isEqualTo("dteam001");
        Files.delete(directory.resolve(ALICE_LEASE));
        Files.createLink(directory.resolve(PoolMappingName.of(BOB)), directory.resolve("dteam001"));
        pools.refresh();
        assertThatThrownBy(() -> pools.account(ALICE, "dteam", false)).hasMessageContaining("all 1 are leased");
        assertThat(pools.account(BOB, "dteam", false)).isEqualTo("dteam001");
    }

    @Test
    void aLookChangesNothing() throws Exception {
        accounts("dteam001", "dteam002");
        PoolAccounts pools = pools();
        assertThat(pools.find(ALICE, "dteam", true))
                .isEqualTo(new Found("dteam001", directory.resolve(ALICE_LEASE + ":dteam"), false));
        assertThat(names()).containsExactly("dteam001", "dteam002");
        pools.account(ALICE, "dteam", true);
        assertThat(pools.find(ALICE, "dteam", true).leased()).isTrue();
    }

    /** Two CEs, several threads each, as many accounts as users: none is shared, no user gets two, none is lost. */
    @RepeatedTest(10)
    void nobodySharesAnAccountHoweverManyMapAtOnce() throws Exception {
        int users = 6;
        for (int i = 1; i <= users; i++) {
            accounts("dteam00" + i);
        }
        List<PoolAccounts> ces = List.of(
                new PoolAccounts(directory, a -> "", Clock.systemUTC()),
                new PoolAccounts(directory, a -> "", Clock.systemUTC()));
        ExecutorService threads = Executors.newFixedThreadPool(users * ces.size());
        try {
            CyclicBarrier start = new CyclicBarrier(users * ces.size());
            Map<Integer, List<Future<String>>> responses = new HashMap<>();
            for (PoolAccounts ce : ces) {
                for (int u = 0; u < users; u++) {
                    String dn = "CN=user " + u;
                    responses.computeIfAbsent(u, x -> new ArrayList<>()).add(threads.submit(() -> {
                        start.await();
                        return ce.account(dn, "dteam", true);
                    }));
                }
            }
            Set<String> taken = new HashSet<>();
            for (List<Future<String>> ofUser : responses.values()) {
                Set<String> accounts = new HashSet<>();
                for (Future<String> response : ofUser) {
                    accounts.add(response.get());
                }
                assertThat(accounts).hasSize(1);
                assertThat(taken.addAll(accounts)).as("%s twice", accounts).isTrue();
            }
            assertThat(names()).hasSize(2 * users);
        } finally {
            threads.shutdownNow();
        }
    }

    private void used(PoolAccounts pools, Instant when) throws Unavailable {
        now.set(when);
        pools.account(ALICE, "dteam", false);
        pools.refresh();
    }

    private PoolAccounts pools() {
        return new PoolAccounts(directory, a -> "", ((InstantSource) () -> now.get()).withZone(ZoneOffset.UTC));
    }

    private void accounts(String... names) throws IOException {
        for (String name : names) {
            Files.createFile(directory.resolve(name));
        }
    }

    private Object inode(String name) throws IOException {
        return Files.getAttribute(directory.resolve(name), "unix:ino");
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    private List<String> errors() {
        return log.list.stream()
                .filter(e -> e.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
