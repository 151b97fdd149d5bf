package org.gelato.ce.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.identity.AccountUseStore.AccountUse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AccountUseStoreTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static Identity who(String dn) {
        return new GridIdentity(dn, List.of(), null, false, Instant.MAX, List.of());
    }

    @Test
    void jobsAndDelegationsTellWhoWorkedUnderWhichAccountLast() {
        OwnerStore owners = new OwnerStore(DB.database());
        int alice = owners.subject(who("CN=Alice"));
        int bob = owners.subject(who("CN=Bob"));
        owners.subject(who("CN=Idle"));
        int first = owners.account("dteam001");
        int second = owners.account("prod001");
        int queue = owners.queue("fork", "long");
        DB.database().inTransaction(h -> {
            h.execute("INSERT INTO owner (subject_id, fqan) VALUES (?, '/a'), (?, '/b')", alice, alice);
            for (int day = 1; day <= 3; day++) {
                h.execute(
                        "INSERT INTO job (owner_id, account_id, queue_id, state, state_since, registered_at)"
                                + " SELECT id, ?, ?, 0, '2026-01-01', ? FROM owner WHERE fqan = ?",
                        day == 2 ? second : first,
                        queue,
                        "2026-01-0" + day,
                        day == 2 ? "/b" : "/a");
            }
            return h.execute(
                    "INSERT INTO delegation (subject_id, account_id, client_id, fqans, chain, private_key, info,"
                            + " expires_at, created_at) VALUES (?, ?, 'd', '/c\n/c/Role=x', '', '', '', '2026-02-01',"
                            + " '2026-01-09'),"
                            + " (?, ?, 'd', '', '', '', '', '2026-02-01', '2026-01-01')",
                    bob,
                    second,
                    alice,
                    second);
        });

        assertThat(new AccountUseStore(DB.database()).newestFirst())
                .containsExactly(
                        new AccountUse("CN=Bob", "prod001", Set.of("/c", "/c/Role=x")),
                        new AccountUse("CN=Alice", "dteam001", Set.of("/a")),
                        new AccountUse("CN=Alice", "prod001", Set.of("/b")));
    }
}
