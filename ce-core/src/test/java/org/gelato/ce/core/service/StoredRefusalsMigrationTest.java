package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.json.FaultCode;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** V11 to V13 with data of the version before: refusals are kinds, owners keep their ids, and jobs in every state stay. */
class StoredRefusalsMigrationTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final byte[] KEY = new byte[32];

    private static Flyway flyway(String target) {
        return Flyway.configure()
                .dataSource(DB.database().dataSource())
                .locations("classpath:db/migration")
                .target(target)
                .cleanDisabled(false)
                .load();
    }

    private static void refusal(Handle h, int position, String kind, String description, String cause) {
        h.execute(
                "INSERT INTO register_result (owner_id, key_hash, position, fault_kind, fault_description, fault_cause)"
                        + " VALUES (1, ?, ?, ?, ?, ?)",
                KEY,
                position,
                kind,
                description,
                cause);
    }

    @Test
    void refusalsBecomeKindsAndJobsStay() {
        flyway("latest").clean();
        flyway("10").migrate();
        DB.database().inTransaction(h -> {
            h.execute("INSERT INTO subject (id, dn_hash, dn) VALUES (7, UNHEX(SHA2('CN=Alice', 256)), 'CN=Alice')");
            h.execute("INSERT INTO owner (id, subject_id, fqan) VALUES (1, 7, '')");
            h.execute("INSERT INTO account (id, name) VALUES (1, 'dteam001')");
            h.execute("INSERT INTO queue (id, lrms, name) VALUES (1, 'slurm', 'long')");
            for (JobState state : JobState.values()) {
                h.execute(
                        "INSERT INTO job (id, owner_id, account_id, queue_id, state, state_since, registered_at)"
                                + " VALUES (?, 1, 1, 1, ?, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))",
                        state.code() + 1,
                        state.code());
                h.execute(
                        "INSERT INTO job_text (job_id, subject_id, jdl) VALUES (?, 7, ?)",
                        state.code() + 1,
                        "[]" + state.code());
            }
            h.execute(
                    "INSERT INTO register_key (owner_id, key_hash, request_hash, account_id, created_at)"
                            + " VALUES (1, ?, ?, 1, UTC_TIMESTAMP(6))",
                    KEY,
                    KEY);
            refusal(h, 0, "DELEGATION_ID_MISMATCH", "delegation id not specified!", null);
            refusal(
                    h,
                    1,
                    "DELEGATION_PROXY",
                    "delegation error: put proxy failed!",
                    "delegation [delegId=d;2; dn=CN=Alice; localUser=dteam001] not found!");
            refusal(
                    h,
                    2,
                    "DELEGATION_PROXY",
                    "the delegation [id=d2] is not more valid!;",
                    "delegation proxy expired!");
            refusal(h, 3, "DELEGATION_PROXY", "delegation error: put proxy failed!", "not a chain");
            refusal(h, 4, "LEASE_ID_MISMATCH", "lease id not found!", "lease id \"l1\" not found!");
            refusal(h, 5, "GENERIC", "system error", "Executable: absent");
            return null;
        });

        DB.database().migrate();

        RegisterKeyStore.Stored stored =
                DB.database().read(h -> new RegisterKeyStore().find(h, new RegisterKeyStore.RequestKey(1, KEY, KEY)));
        assertThat(stored.responses().stream().map(RegisterKeyStore.Response::fault))
                .containsExactly(
                        new JobFault(FaultCode.DELEGATION_MISSING, null),
                        new JobFault(FaultCode.DELEGATION_UNKNOWN, "d;2"),
                        new JobFault(FaultCode.DELEGATION_ENDED, "d2"),
                        new JobFault(FaultCode.DELEGATION_REFUSED, "not a chain"),
                        new JobFault(FaultCode.LEASE_UNKNOWN, "l1"),
                        new JobFault(FaultCode.GENERIC, "Executable: absent"));
        OwnerStore owners = new OwnerStore(DB.database());
        Identity alice = new GridIdentity("CN=Alice", List.of(), null, false, Instant.MAX, List.of());
        assertThat(owners.subject(alice)).isEqualTo(7);
        assertThat(owners.owner(alice)).as("old ids are kept").isEqualTo(1);
        List<String> jobs = DB.database()
                .read(h -> h.select("SELECT CONCAT(j.state + 0, t.jdl) FROM job j JOIN job_text t ON t.job_id = j.id"
                                + " ORDER BY j.id")
                        .mapTo(String.class)
                        .list());
        assertThat(jobs)
                .isEqualTo(Arrays.stream(JobState.values())
                        .map(state -> state.code() + "[]" + state.code())
                        .toList());
    }
}
