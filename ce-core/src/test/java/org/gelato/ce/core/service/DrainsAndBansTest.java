package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.description.xrsl.Xrsl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainsAndBansTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ANN = TestCe.caller("ann");

    private TestCe ce;
    private TestCe other;
    private SiteAdministration site;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM drain") + h.execute("DELETE FROM ban"));
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        other = new TestCe(DB.database(), new FakeLrms(), "host2");
        site = new SiteAdministration(
                DB.database(),
                ce.admission,
                ce.jobStore,
                ce.jobCommands,
                Optional::empty,
                Set.of("https://a.example/", "https://b.example"),
                ce.trail);
    }

    @AfterEach
    void close() {
        ce.close();
        other.close();
    }

    private static RegisterResult register(TestCe node) {
        return node.jobs
                .registration()
                .register(ANN, List.of(TestCe.description(false)), null)
                .get(0);
    }

    @Test
    void aDrainedQueueRefusesNewJobsOnAllNodesUntilItIsEnabled() {
        register(ce);
        long before = site.load(Drain.Part.QUEUE, "long").registered();
        SiteAdministration.Load load = site.drain(TestCe.admin(), Drain.Part.QUEUE, "long", "new disks");
        assertThat(load.registered()).isEqualTo(before).isPositive();
        assertThat(site.load(Drain.Part.QUEUE, "short").registered()).isZero();
        other.admission.refresh();
        for (TestCe node : List.of(ce, other)) {
            assertThat(register(node).fault().cause())
                    .matches("queue long is drained since .*Z by an administrator: new disks");
            assertThat(node.admission.drained()).hasSize(1);
        }
        assertThat(site.enable(TestCe.admin(), Drain.Part.QUEUE, "long")).isTrue();
        assertThat(site.enable(TestCe.admin(), Drain.Part.QUEUE, "long")).isFalse();
        other.admission.refresh();
        assertThat(register(other).fault()).isNull();
    }

    @Test
    void whatAnAdministratorDoesIsAuditedAndWhatIsRefusedIsNot() {
        register(ce);
        site.drain(TestCe.admin(), Drain.Part.QUEUE, "long", "new disks");
        site.enable(TestCe.admin(), Drain.Part.QUEUE, "long");
        site.drain(TestCe.admin(), Drain.Part.ALL, null, null);
        site.enable(TestCe.admin(), Drain.Part.ALL, null);
        site.ban(TestCe.admin(), Ban.Kind.DN, "/O=Test/CN=ann", "lost key", true, false);
        site.unban(TestCe.admin(), Ban.Kind.DN, "/O=Test/CN=ann");
        site.ban(TestCe.admin(), Ban.Kind.VO, "atlas", null, false, false);
        site.unban(TestCe.admin(), Ban.Kind.VO, "atlas");
        assertThatThrownBy(() -> site.unban(ANN, Ban.Kind.VO, "atlas"))
                .isInstanceOf(ServiceException.NotAuthorized.class);
        assertThatThrownBy(() -> site.drain(ANN, Drain.Part.ALL, null, null))
                .isInstanceOf(ServiceException.NotAuthorized.class);
        List<String> texts = ce.trail.texts();
        String ban = texts.stream().filter(t -> t.contains("count=")).findAny().orElseThrow();
        assertThat(ban).matches("ban \\{count=[1-9][0-9]*, reason=lost key, target=DN CN=ann,O=Test\\}");
        assertThat(texts)
                .filteredOn(t -> !t.startsWith("register "))
                .containsExactly(
                        "drain {reason=new disks, target=QUEUE long}",
                        "enable {target=QUEUE long}",
                        "drain {target=ALL}",
                        "enable {target=ALL}",
                        ban,
                        "unban {target=DN /O=Test/CN=ann}",
                        "ban {target=VO atlas}",
                        "unban {target=VO atlas}");
    }

    /** A replica that takes over may lack the last changes; what is changed there must be in force, and what is not there must not. */
    @Test
    void listsAreThoseOfTheDatabaseAlsoWhenItsRevisionHasGoneBack() {
        site.drain(TestCe.admin(), Drain.Part.QUEUE, "long", "new disks");
        other.admission.refresh();
        DB.database()
                .inTransaction(h -> h.execute("DELETE FROM drain")
                        + h.execute("UPDATE restriction_revision SET revision = 0 WHERE id = 1"));
        other.admission.refresh();
        assertThat(other.admission.drained()).isEmpty();
        site.drain(TestCe.admin(), Drain.Part.QUEUE, "short", "new disks");
        other.admission.refresh();
        for (TestCe node : List.of(ce, other)) {
            assertThat(node.admission.drained()).as("since the take-over").hasSize(1);
        }
    }

    @Test
    void aDrainedQueueRefusesAJobThatNamesNone() {
        site.drain(TestCe.admin(), Drain.Part.QUEUE, "long", "new disks");
        JobDescription xrsl =
                new JobDescription(null, Xrsl.LANGUAGE, "&(executable=/bin/true)", null, null, null, true);
        assertThat(ce.jobs
                        .registration()
                        .register(ANN, RegisterRequest.arc(List.of(xrsl), null))
                        .get(0)
                        .fault()
                        .cause())
                .startsWith("queue long is drained since ");
        site.enable(TestCe.admin(), Drain.Part.QUEUE, "long");
        assertThat(ce.jobs
                        .registration()
                        .register(ANN, RegisterRequest.arc(List.of(xrsl), null))
                        .get(0)
                        .fault())
                .isNull();
    }

    @Test
    void aDrainedVoAndADrainedCeRefuseWithTheReason() {
        site.drain(TestCe.admin(), Drain.Part.VO, ANN.identity().vo(), null);
        assertThatThrownBy(() -> register(ce))
                .isInstanceOfSatisfying(
                        ServiceException.class,
                        e -> assertThat(e.faultCause())
                                .startsWith("VO " + ANN.identity().vo() + " is drained since "));
        site.enable(TestCe.admin(), Drain.Part.VO, ANN.identity().vo());
        site.drain(TestCe.admin(), Drain.Part.ALL, null, "power cut");
        other.admission.refresh();
        assertThatThrownBy(() -> register(other))
                .isInstanceOfSatisfying(
                        ServiceException.class,
                        e -> assertThat(e.faultCause())
                                .startsWith(
                                        "Submissions are disabled! An administrator drains this CE: power cut (since "));
        assertThat(site.drains()).extracting(Drain::reason).containsExactly("power cut");
        assertThat(site.enable(TestCe.admin(), Drain.Part.ALL, null)).isTrue();
        assertThat(register(ce).fault()).isNull();
    }

    @Test
    void aBanIsKnownToAllNodesAndItsJobsAreCancelledOnRequest() {
        register(ce);
        String dn = ANN.identity().subject();
        SiteAdministration.Banned kept = site.ban(TestCe.admin(), Ban.Kind.DN, dn, "stolen key", false, false);
        assertThat(kept.jobs()).isPositive();
        assertThat(kept.cancelled()).isZero();
        other.admission.refresh();
        assertThat(other.admission.restrictions().bans().of(dn.toUpperCase(java.util.Locale.ROOT), List.of()))
                .isEqualTo(kept.ban());
        SiteAdministration.Banned cancelled = site.ban(TestCe.admin(), Ban.Kind.DN, dn, "stolen key", true, false);
        assertThat(cancelled.cancelled()).isEqualTo(kept.jobs());
        assertThat(cancelled.ban().since()).isEqualTo(kept.ban().since());
        assertThat(site.unban(TestCe.admin(), Ban.Kind.DN, dn)).isTrue();
        assertThat(site.unban(TestCe.admin(), Ban.Kind.DN, dn)).isFalse();
        other.admission.refresh();
        assertThat(other.admission.restrictions().bans().all()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'https://a.example,1f', 'https://a.example/,1f'",
        "'https://b.example/,1f', 'https://b.example,1f'",
        "'https://a.example/,1f',",
        "'https://c.example,1f',",
        "CN=https://a.example,"
    })
    void aBanOfAnIssuerInAnotherSpellingNamesTheOneThatIsAccepted(String banned, String intended) {
        String warning = site.ban(TestCe.admin(), Ban.Kind.DN, banned, null, false, false)
                .warning();
        assertThat(warning).matches(w -> intended == null ? w == null : w.endsWith("ban '" + intended + "'"));
    }

    @Test
    void bansOfAttributesConcernWhoeverShowsThem() {
        site.ban(TestCe.admin(), Ban.Kind.FQAN, "/cms/Role=pilot/Capability=NULL", null, false, true);
        site.ban(TestCe.admin(), Ban.Kind.VO, "atlas", null, false, true);
        var bans = ce.admission.restrictions().bans();
        assertThat(bans.of("CN=a", List.of("/cms", "/cms/Role=pilot")).name()).isEqualTo("/cms/Role=pilot");
        assertThat(bans.of("CN=a", List.of("/atlas/prod")).name()).isEqualTo("atlas");
        assertThat(bans.of("CN=a", List.of("/cms", "/atlas2", ""))).isNull();
    }

    @Test
    void anAdministratorDoesNotBanHimselfUnknowingly() {
        Caller admin = TestCe.admin();
        assertThatThrownBy(() -> site.ban(admin, Ban.Kind.DN, admin.identity().subject(), null, false, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--force");
        assertThat(site.bans()).isEmpty();
        assertThat(site.ban(admin, Ban.Kind.DN, admin.identity().subject(), null, false, true)
                        .ban())
                .isNotNull();
    }

    @Test
    void othersMayNotAndTextsThatCannotBeUsedAreRefused() {
        assertThatThrownBy(() -> site.drain(ANN, Drain.Part.QUEUE, "long", null))
                .isInstanceOf(ServiceException.NotAuthorized.class);
        assertThatThrownBy(() -> site.ban(ANN, Ban.Kind.VO, "cms", null, false, false))
                .isInstanceOf(ServiceException.NotAuthorized.class);
        for (String reason : List.of("a\nb", "x".repeat(256))) {
            assertThatThrownBy(() -> site.drain(TestCe.admin(), Drain.Part.QUEUE, "long", reason))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> site.ban(TestCe.admin(), Ban.Kind.VO, "/cms", null, false, false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(site.drains()).isEmpty();
    }

    /** A token that an entitlement maps has no DN and no FQAN. */
    @Test
    void aBanFindsTheJobsOfTokensByTheirKind() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        String entitlement = "urn:mace:egi.eu:group:cms:role=vm_operator#aai.egi.eu";
        List<Caller> holders = List.of(token("bob", entitlement), token("eve", "/cms"), ANN);
        holders.forEach(caller -> ce.jobs.registration().register(caller, List.of(TestCe.description(false)), null));

        assertThat(site.ban(TestCe.admin(), Ban.Kind.DN, ANN.identity().subject(), "stolen", true, false))
                .satisfies(banned -> assertThat(banned.jobs()).isEqualTo(1))
                .satisfies(banned -> assertThat(banned.cancelled()).isEqualTo(1));
        assertThat(site.ban(TestCe.admin(), Ban.Kind.FQAN, "urn:mace:egi.eu:group:cms", null, false, false)
                        .jobs())
                .isEqualTo(1);
        assertThat(site.ban(TestCe.admin(), Ban.Kind.VO, "cms", null, false, false)
                        .jobs())
                .isEqualTo(2);
    }

    private static Caller token(String name, String group) {
        TokenIdentity identity = new TokenIdentity(
                "https://iss",
                name,
                null,
                Set.of(),
                false,
                List.of(TokenGroup.parse(group)),
                group,
                null,
                Instant.now().plusSeconds(3600));
        return new Caller(identity, "dteam001", false);
    }

    @Test
    void theStatementOfEachSecondReadsOneRowAndTheEstimateNoEndedJobs() {
        for (String sql : List.of(SiteAdministration.LOAD, "SELECT revision FROM restriction_revision WHERE id = 1")) {
            List<Map<String, Object>> plan = DB.database()
                    .read(h -> h.createQuery("EXPLAIN FORMAT = TRADITIONAL " + sql)
                            .mapToMap()
                            .list());
            assertThat(plan)
                    .isNotEmpty()
                    .allSatisfy(row -> assertThat(String.valueOf(row.get("key")))
                            .as("%s", plan)
                            .isIn("PRIMARY", "job_state"));
        }
    }
}
