package org.gelato.ce.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.awaitility.Awaitility;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fault.ServiceException.NotAuthorized;
import org.gelato.ce.core.identity.Authorizer;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.BanSet;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.json.Explanation;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class GridmapAuthorizerTest {
    private static final String ALICE = "CN=Alice,O=x,DC=org";

    @TempDir
    Path directory;

    private Path gridmap;
    private Path banned;
    private Path admins;
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(GridmapAuthorizer.class.getPackageName());

    @BeforeEach
    void files() {
        gridmap = directory.resolve("grid-mapfile");
        banned = directory.resolve("ban_users.db");
        admins = directory.resolve("admin-list");
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(log);
    }

    @Test
    void dnsAreMatchedBeforeFqansAndFqansInTheCallersOrder() throws IOException {
        write(gridmap, """
                # site map
                "/dteam/*" dteam001   # the VO
                "/dteam/Role=production" never

                "/dteam/Role=lcgadmin/Capability=NULL" never2
                "/DC=org/O=x/CN=Alice" alice
                "CN=Bob\\, Jr,O=x,DC=org" bob,other
                /atlas/Role=production atlasprd
                """);
        Authorizer authorizer = authorizer();

        assertThat(authorizer.authorize(who(ALICE, "/dteam")).account()).isEqualTo("alice");
        assertThat(authorizer.authorize(who("CN=Bob\\, Jr,O=x,DC=org")).account())
                .isEqualTo("bob");
        assertThat(authorizer.authorize(who("CN=c", "/dteam/Role=production")).account())
                .isEqualTo("dteam001");
        assertThat(authorizer
                        .authorize(who("CN=c", "/atlas", "/atlas/Role=production", "/dteam"))
                        .account())
                .isEqualTo("atlasprd");
        assertThat(authorizer.authorize(who("CN=c", "/cms", "/dteam")).admin()).isFalse();
    }

    @Test
    void aCallerWithoutMappingLearnsWhatWasMissing() throws IOException {
        write(gridmap, "\"/dteam\" dteam001\n");
        Authorizer authorizer = authorizer();

        assertThatThrownBy(() -> authorizer.authorize(who(ALICE)))
                .isInstanceOf(NotAuthorized.class)
                .hasMessage(ALICE + " not authorized: the DN is not mapped to a local account, and the proxy has no"
                        + " valid VOMS attributes, by which members of VOs are mapped");
        assertThatThrownBy(() -> authorizer.authorize(who(ALICE, "/cms", "/cms/Role=x")))
                .hasMessage(ALICE + " not authorized: neither the DN nor one of the VOMS attributes /cms, /cms/Role=x"
                        + " is mapped to a local account");
        GridIdentity withErrors = new GridIdentity(ALICE, List.of(), null, false, Instant.MAX, List.of("why", "why 2"));
        assertThatThrownBy(() -> authorizer.authorize(withErrors)).hasMessageEndingWith("are mapped\nwhy\nwhy 2");
    }

    @Test
    void aBanAlwaysWinsWhateverItsSpelling() throws IOException {
        write(gridmap, "\"/DC=org/O=x/CN=Alice\" alice\n");
        write(banned, "# bad people\n\"/DC=org/O=x/CN=aLICE\"\n");
        write(admins, "/DC=org/O=x/CN=Alice\n");

        assertThatThrownBy(() -> authorizer().authorize(who(ALICE, "/dteam")))
                .isInstanceOf(NotAuthorized.class)
                .hasMessage(ALICE + " not authorized: the user is banned on this CE");
    }

    @Test
    void theFirstEntryCountsBehindAByteOrderMark() throws IOException {
        write(gridmap, "\uFEFF\"/DC=org/O=x/CN=Bob\" bob\n\"/dteam\" one\n");
        write(banned, "\uFEFF/DC=org/O=x/CN=Alice\n");
        Authorizer authorizer = authorizer();

        assertThat(authorizer.authorize(who("CN=Bob,O=x,DC=org")).account()).isEqualTo("bob");
        assertThatThrownBy(() -> authorizer.authorize(who(ALICE, "/dteam"))).hasMessageContaining("banned");
    }

    @Test
    void adminsStillNeedAnAccount() throws IOException {
        write(gridmap, "\"/DC=org/O=x/CN=Alice\" alice\n");
        write(admins, "/DC=org/O=x/CN=Alice\nCN=Root Of All,O=x\n");
        Authorizer authorizer = authorizer();

        assertThat(authorizer.authorize(who(ALICE)).admin()).isTrue();
        assertThatThrownBy(() -> authorizer.authorize(who("CN=Root Of All,O=x")))
                .isInstanceOf(NotAuthorized.class);
    }

    @Test
    void badEntriesAreNamedAndLeftOut() throws IOException {
        write(gridmap, """
                "/dteam" .dteam
                "/ops" root
                "/cms" toor
                "/a" 0
                "/b
                "/c"
                "/FOO=x" d
                "/good" good
                """);
        GridmapAuthorizer authorizer = new GridmapAuthorizer(
                config(), account -> account.endsWith("oo" + "r") || "root".equals(account), account -> "");

        assertThat(authorizer.authorize(who("CN=c", "/good")).account()).isEqualTo("good");
        for (String vo : List.of("/dteam", "/ops", "/cms", "/a", "/c")) {
            assertThatThrownBy(() -> authorizer.authorize(who("CN=c", vo))).isInstanceOf(NotAuthorized.class);
        }
        assertThat(errors())
                .hasSize(7)
                .anyMatch(e ->
                        e.contains("line 1: pool accounts need authorization.gridmapdir, which is not set: .dteam"))
                .anyMatch(e -> e.contains("line 2: no grid user may become the superuser account root"))
                .anyMatch(e -> e.contains("line 3: no grid user may become the superuser account toor"))
                .anyMatch(e -> e.contains("line 4: not an account name: 0"))
                .anyMatch(e -> e.contains("line 5: the quote is not closed"))
                .anyMatch(e -> e.contains("line 6: no account"))
                .anyMatch(e -> e.contains("line 7: not a DN"));
    }

    @Test
    void theHostsOwnSuperuserIsKnown() {
        assertThat(new LocalSuperuser()).accepts("root").rejects("nobody", "no-such-account-here");
    }

    @Test
    void anEditCountsAtTheNextLook() throws IOException {
        write(gridmap, "\"/dteam\" one\n");
        GridmapAuthorizer authorizer = authorizer();
        write(gridmap, "\"/dteam\" two\n");
        assertThat(authorizer.authorize(who(ALICE, "/dteam")).account()).isEqualTo("one");
        authorizer.refresh();
        assertThat(authorizer.authorize(who(ALICE, "/dteam")).account()).isEqualTo("two");

        write(banned, "/DC=org/O=x/CN=Alice\n");
        authorizer.refresh();
        assertThatThrownBy(() -> authorizer.authorize(who(ALICE, "/dteam"))).hasMessageContaining("banned");
    }

    @Test
    void aBrokenOrVanishedFileLeavesTheLastValidOneInForce() throws IOException {
        write(gridmap, "\"/dteam\" one\n");
        write(banned, "/DC=org/O=x/CN=Alice\n");
        GridmapAuthorizer authorizer = authorizer();

        Files.write(gridmap, "\"/dteam\" zw\u00f6lf\n".getBytes(StandardCharsets.ISO_8859_1));
        touch(gridmap);
        write(banned, "this is no DN\n");
        authorizer.refresh();
        authorizer.refresh();
        assertThat(authorizer.authorize(who("CN=b", "/dteam")).account()).isEqualTo("one");
        assertThatThrownBy(() -> authorizer.authorize(who(ALICE, "/dteam"))).hasMessageContaining("banned");
        assertThat(errors())
                .hasSize(2)
                .anyMatch(e -> e.contains("grid-mapfile: not UTF-8"))
                .anyMatch(e -> e.contains("ban_users.db: line 1"));

        Files.delete(banned);
        authorizer.refresh();
        authorizer.refresh();
        assertThatThrownBy(() -> authorizer.authorize(who(ALICE, "/dteam"))).hasMessageContaining("banned");
        assertThat(errors()).hasSize(3).last().asString().contains("the file is gone");

        write(banned, "");
        authorizer.refresh();
        assertThat(authorizer.authorize(who(ALICE, "/dteam")).account()).isEqualTo("one");
    }

    @Test
    void anOptionalListThatWasNeverValidIsAbsentAgainWhenItIsRemoved() throws IOException {
        write(gridmap, "\"/dteam\" one\n");
        GridmapAuthorizer authorizer = authorizer();
        String well = states(authorizer);
        for (int i = 0; i < 2; i++) {
            write(banned, "this is no DN\n");
            authorizer.refresh();
            assertThat(states(authorizer)).contains("line 1");
            Files.delete(banned);
            authorizer.refresh();
            assertThat(states(authorizer)).isEqualTo(well);
        }
        assertThat(errors()).as("each time it was broken anew").hasSize(2);
    }

    private static String states(GridmapAuthorizer authorizer) {
        return authorizer.fileState().toString();
    }

    @Test
    void withoutUsableFilesTheCeDoesNotStart() throws IOException {
        assertThatThrownBy(this::authorizer).hasMessageContaining("grid-mapfile: no such file");
        write(gridmap, "\"/dteam\" one\n");
        write(banned, "garbage\n");
        assertThatThrownBy(this::authorizer).hasMessageContaining("ban_users.db: line 1");
        assertThatThrownBy(() -> new GridmapConfig(gridmap, null, null, Duration.ZERO))
                .hasMessageContaining("not every 0 s");
        assertThatThrownBy(() -> new GridmapConfig(null, null, null, Duration.ofSeconds(2)))
                .hasMessageContaining("gelato.authorization.gridmap");
    }

    @Test
    void theSchedulerChecksTheFiles() throws IOException {
        write(gridmap, "\"/dteam\" one\n");
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try {
            GridmapAuthorizer authorizer = new GridmapAuthorizer(config(), scheduler);
            write(gridmap, "\"/dteam\" two\n");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(
                                    authorizer.authorize(who(ALICE, "/dteam")).account())
                            .isEqualTo("two"));
        } finally {
            scheduler.shutdownNow();
        }
    }

    private GridmapAuthorizer authorizer() {
        return new GridmapAuthorizer(config(), "root"::equals, account -> "");
    }

    private GridmapConfig config() {
        return new GridmapConfig(gridmap, banned, admins, Duration.ofSeconds(1));
    }

    private static GridIdentity who(String dn, String... fqans) {
        return new GridIdentity(dn, List.of(fqans), null, false, Instant.MAX, List.of());
    }

    private List<String> errors() {
        return log.list.stream()
                .filter(e -> e.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        touch(file);
    }

    /** Two writes of one size within the file system's clock tick would be indistinguishable. */
    private static void touch(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_700_000_000L + TICKS.incrementAndGet())));
    }

    private static final java.util.concurrent.atomic.AtomicLong TICKS = new java.util.concurrent.atomic.AtomicLong();

    @Test
    void aBanOfAnAdministratorTakesPrecedenceAndIsExplained() throws IOException {
        write(gridmap, "\"/dteam\" one\n");
        Ban ban = new Ban(Ban.Kind.VO, "dteam", "stolen keys", "CN=admin", Instant.EPOCH);
        GridmapAuthorizer banning =
                new GridmapAuthorizer(config(), "root"::equals, account -> "", () -> new BanSet(List.of(ban)));
        GridIdentity who = new GridIdentity("CN=x,O=y", List.of("/dteam"), "dteam", false, Instant.MAX, List.of());
        assertThatThrownBy(() -> banning.authorize(who))
                .isInstanceOfSatisfying(
                        ServiceException.NotAuthorized.class,
                        e -> assertThat(e.code()).isEqualTo(FaultCode.BANNED))
                .hasMessageContaining("VO dteam is banned on this CE since 1970");
        Explanation explained = banning.explainer(() -> Routes.NONE, Map.of()).explain("CN=x,O=y", List.of("/dteam"));
        assertThat(explained.authorized()).isFalse();
        assertThat(explained.banned()).contains("VO dteam", "CN=admin", "stolen keys");
    }
}
