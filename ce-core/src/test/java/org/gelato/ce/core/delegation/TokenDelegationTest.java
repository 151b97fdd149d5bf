package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.delegation.DelegationGrid.NOW;
import static org.gelato.ce.core.delegation.DelegationGrid.OTHER;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.identity.Caller;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bearer tokens as delegations. */
class TokenDelegationTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Duration HOUR = Duration.ofHours(1);

    private final DelegationBench bench = new DelegationBench(DB.database());
    private final DelegationService service = bench.service;
    private final Caller caller = bench.caller;

    @AfterEach
    void close() {
        bench.close();
    }

    private static DelegatedToken token(String claims, Duration life) {
        return new DelegatedToken("e30." + claims + ".c2ln", NOW.plus(life));
    }

    private Path file(String id) {
        return bench.ref(id).proxyFile();
    }

    private String text(String id) {
        return new String(bench.accounts.files().get(file(id)).content(), StandardCharsets.US_ASCII);
    }

    @Test
    void aTokenIsStoredEncryptedAndItsFileWrittenAsTheAccount() {
        String id = service.putToken(caller, token("abc", HOUR));
        assertThat(id).matches("[0-9a-f]{32}");
        FileContent file = bench.accounts.files().get(file(id));
        assertThat(file.mode()).isEqualTo(0600);
        assertThat(file(id).toString()).matches(".*/proxy/" + id + "_[0-9]{14}\\.jwt");
        assertThat(bench.accounts.ownerOf).containsEntry(file(id), "dteam001");
        assertThat(text(id)).isEqualTo("e30.abc.c2ln\n");
        assertThat(bench.marked(id)).isTrue();
        assertThat(bench.count("delegation WHERE CONVERT(private_key USING latin1) LIKE '%e30.%' OR chain <> ''"
                        + " OR info LIKE '%abc%'"))
                .isZero();
        assertThat(StoredKeys.open(DB.database(), bench.vault)).isTrue();
        assertThat(service.kind(caller, id)).contains(DelegationKind.JWT);
        assertThat(service.unsignedToken(caller, id)).isEqualTo("e30.abc");
        assertThat(service.list(caller))
                .containsExactly(new Delegations.Listed(id, DelegationKind.JWT, NOW.plus(HOUR)));
        assertThat(service.find(caller, List.of(id)).get(id).expiresAt()).isEqualTo(NOW.plus(HOUR));
    }

    @Test
    void theLongestTokenFits() {
        DelegatedToken longest = token("a".repeat(DelegatedToken.MAX_LENGTH - 9), HOUR);
        assertThat(longest.text()).hasSize(DelegatedToken.MAX_LENGTH);
        String id = service.putToken(caller, longest);
        assertThat(text(id)).isEqualTo(longest.text() + "\n");
        assertThat(longest.toString()).doesNotContain("aaa");
        for (String bad : List.of(longest.text() + "a", "e30.abc", "e30.abc.", "e30.a'c.c2ln", "e30.abc.c2ln\n")) {
            assertThatThrownBy(() -> new DelegatedToken(bad, NOW)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aRenewalReachesTheFileAndOthersReachNothing() {
        String id = service.putToken(caller, token("abc", HOUR));
        service.renewToken(caller, id, token("new", HOUR.multipliedBy(2)));
        assertThat(text(id)).isEqualTo("e30.new.c2ln\n");
        assertThat(bench.trail.texts())
                .containsExactly("delegation-put {delegation=" + id + "}", "delegation-put {delegation=" + id + "}");
        assertThat(service.getTerminationTime(caller, id)).isEqualTo(NOW.plus(HOUR.multipliedBy(2)));
        // As the write of a node that was killed in between.
        DB.database().inTransaction(h -> h.execute("UPDATE proxy_file SET written_at = NULL"));
        bench.accounts.files().clear();
        assertThat(bench.start().repair()).isEqualTo(1);
        assertThat(text(id)).isEqualTo("e30.new.c2ln\n");

        Caller other = DelegationBench.caller(OTHER, "dteam001", "/dteam");
        assertThat(service.kind(other, id)).isEmpty();
        assertThatThrownBy(() -> service.unsignedToken(other, id)).isInstanceOf(DelegationRefused.class);
        assertThatThrownBy(() -> service.renewToken(other, id, token("x", HOUR)))
                .isInstanceOf(DelegationRefused.class);
        assertThatThrownBy(() -> service.putToken(caller, token("x", Duration.ZERO)))
                .isInstanceOf(DelegationRefused.class)
                .hasMessageContaining("it ended at");
    }

    @Test
    void aTokenIsNoProxyAndAProxyNoToken() {
        String id = service.putToken(caller, token("abc", HOUR));
        assertThatThrownBy(() -> service.chain(caller, id)).isInstanceOf(DelegationRefused.class);
        assertThatThrownBy(() -> service.renewProxyReq(caller, id)).isInstanceOf(DelegationRefused.class);
        bench.delegate("d1", HOUR);
        assertThatThrownBy(() -> service.renewToken(caller, "d1", token("x", HOUR)))
                .isInstanceOf(DelegationRefused.class);
        assertThat(service.kind(caller, "d1")).contains(DelegationKind.X509);
        assertThat(service.release(caller, id)).isTrue();
        assertThat(bench.accounts.files()).containsOnlyKeys(file("d1"));
    }

    @Test
    void anEndedTokenGoesWithItsFileUnlessAJobNeedsIt() {
        String free = service.putToken(caller, token("abc", HOUR));
        String used = service.putToken(caller, token("def", HOUR));
        job(bench.ref(used).rowId());
        bench.clock.advance(HOUR.plusMinutes(9));
        assertThat(service.sweeper().sweep()).isZero();
        bench.clock.advance(Duration.ofMinutes(2));
        assertThat(service.sweeper().sweep()).isEqualTo(1);
        assertThat(bench.ref(free)).isNull();
        assertThat(bench.accounts.files()).containsOnlyKeys(file(used));
        assertThat(service.release(caller, used)).isFalse();

        service.renewToken(caller, used, token("late", HOUR.multipliedBy(3)));
        assertThat(text(used)).isEqualTo("e30.late.c2ln\n");
        DB.database().inTransaction(h -> h.execute("UPDATE job SET state = 7"));
        bench.clock.advance(HOUR.multipliedBy(3));
        assertThat(service.sweeper().sweep()).isEqualTo(1);
        assertThat(bench.accounts.files()).isEmpty();
    }

    private void job(int delegation) {
        int owner = bench.owners.owner(caller.identity());
        int account = bench.owners.account(caller.account());
        int queue = bench.owners.queue("fork", "q");
        DB.database()
                .inTransaction(h -> h.execute(
                        "INSERT INTO job (owner_id, account_id, queue_id, delegation_id, state, state_since, registered_at)"
                                + " VALUES (?, ?, ?, ?, 3, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))",
                        owner,
                        account,
                        queue,
                        delegation));
    }
}
