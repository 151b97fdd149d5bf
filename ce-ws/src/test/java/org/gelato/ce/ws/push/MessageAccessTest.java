package org.gelato.ce.ws.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageBatch;
import org.gelato.ce.core.message.MessageLevel;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job's messages are its owner's: of the same kind of identity, subject, group and VO. */
class MessageAccessTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final String ALICE = "CN=Alice,O=Test";
    private static final String ISSUER = "https://iam.example.org/";
    private static final MessageFilter ALL = MessageFilter.of(List.of(), null, true);

    /** All share one local account. */
    private static final Map<String, Caller> CALLERS = new LinkedHashMap<>();

    private static final Map<String, JobId> JOBS = new LinkedHashMap<>();

    private static TestCe ce;

    private final List<String> audited = new ArrayList<>();
    private Set<String> administered = Set.of();
    private final MessageAccess access = new MessageAccess(
            ce.feed, identity -> administered, owner -> new OwnerStore(DB.database()).vo(owner), audited::add);

    @BeforeAll
    static void eachOwnerHasAJobThatSendsItsName() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        add("alice of dteam", x509(ALICE, "dteam", "/dteam"));
        add("alice of dteam by another role", x509(ALICE, "dteam", "/dteam/Role=production", "/dteam"));
        add("alice of atlas", x509(ALICE, "atlas", "/atlas"));
        add("alice of no VO", x509(ALICE, null));
        add("bob of dteam", x509("CN=Bob,O=Test", "dteam", "/dteam"));
        add("a name with more behind", x509("CN=Alice,O=Testing", "dteam", "/dteam"));
        add("alice by token", token(ISSUER, "Alice", "dteam"));
        add("a token whose name is the DN", token(ISSUER, ALICE, "dteam"));
        add("a token of another issuer", token("https://other.example.org/", "Alice", "dteam"));
        add("a token of another VO", token(ISSUER, "Alice", "atlas"));
        add("a token of another name", token(ISSUER, "Bob", "dteam"));
        DB.database().inTransaction(h -> h.execute("UPDATE job SET state = 4 WHERE state = 1"));
        JOBS.forEach((name, job) -> ce.messages.apply(List.of(new MessageBatch(
                job,
                TestCe.TOKENS.of(job),
                Message.Kind.TEXT,
                1,
                null,
                List.of(new MessageBatch.Line(
                        Instant.ofEpochSecond(1_700_000_000),
                        MessageLevel.INFO,
                        "k",
                        name.getBytes(StandardCharsets.UTF_8))),
                new byte[0]))));
    }

    @AfterAll
    static void close() {
        ce.close();
    }

    private static void add(String name, Identity identity) {
        Caller caller = new Caller(identity, "dteam001", false);
        CALLERS.put(name, caller);
        JOBS.put(name, ce.submit(caller));
    }

    private static Identity x509(String dn, String vo, String... fqans) {
        return new GridIdentity(dn, List.of(fqans), vo, false, Instant.now().plusSeconds(3600), List.of());
    }

    private static Identity token(String issuer, String name, String vo) {
        return new TokenIdentity(
                issuer,
                name,
                vo,
                Set.of(),
                false,
                List.of(),
                "",
                null,
                Instant.now().plusSeconds(3600));
    }

    private List<String> texts(MessageSelection selection) {
        return ce.feed.after(selection.scope(), 0, ce.feed.last(), 1000).stream()
                .map(m -> new String(m.content(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void aJobThatIsNotTheCallersIsNotFound() throws Exception {
        for (var caller : CALLERS.entrySet()) {
            for (var job : JOBS.entrySet()) {
                List<JobId> named = List.of(job.getValue());
                if (job.getKey().equals(caller.getKey())) {
                    assertThat(access.standings(caller.getValue(), named)).containsOnlyKeys(job.getValue());
                } else {
                    assertThatThrownBy(() -> access.standings(caller.getValue(), named))
                            .as("%s reads the job of %s", caller.getKey(), job.getKey())
                            .hasFieldOrPropertyWithValue("code", FaultCode.JOB_UNKNOWN);
                }
            }
        }
        assertThat(audited).isEmpty();
    }

    @Test
    void withoutNamedJobsACallerGetsItsOwnMessages() {
        CALLERS.forEach((name, caller) -> {
            assertThat(texts(access.selection(caller, null, ALL))).containsExactly(name);
            assertThat(texts(access.selection(caller, "own", ALL))).containsExactly(name);
            assertThatThrownBy(() -> access.selection(caller, "vo:dteam", ALL))
                    .isInstanceOf(ServiceException.NotAuthorized.class);
            assertThatThrownBy(() -> access.selection(caller, "all", ALL))
                    .isInstanceOf(ServiceException.NotAuthorized.class);
        });
    }

    @Test
    void anAdministratorOfAVoReadsThoseOfItsOwnersAlone() throws Exception {
        administered = Set.of("atlas");
        Caller alice = CALLERS.get("alice of dteam");
        assertThat(texts(access.selection(alice, "vo:atlas", ALL)))
                .containsExactly("alice of atlas", "a token of another VO");
        access.standings(alice, List.of(JOBS.get("a token of another VO")));
        assertThat(audited).hasSize(2);
        for (String other : List.of("bob of dteam", "alice of no VO", "alice by token")) {
            assertThatThrownBy(() -> access.standings(alice, List.of(JOBS.get(other))))
                    .as(other)
                    .hasFieldOrPropertyWithValue("code", FaultCode.JOB_UNKNOWN);
        }
    }
}
