package org.gelato.ce.core.sandbox;

import java.nio.file.Path;
import java.util.Optional;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.gelato.ce.json.FaultCode;

/** Looks sandboxes up in the database. A wrapper's secret is checked before the database is queried for the job. */
public final class StoredSandboxes implements Sandboxes {
    public static final String SANDBOX = """
            SELECT j.owner_id, j.state, a.name AS account, o.subject_id, o.vo, s.dn, o.fqan, f.path
            FROM job j JOIN account a ON a.id = j.account_id JOIN owner o ON o.id = j.owner_id
              JOIN subject s ON s.id = o.subject_id LEFT JOIN proxy_file f ON f.delegation_id = j.delegation_id
            WHERE j.id = :id
            """;

    private final Database database;
    private final OwnerStore owners;
    private final JobNumbers numbers;
    private final SandboxLayout layout;
    private final WrapperTokens tokens;

    public StoredSandboxes(
            Database database, OwnerStore owners, JobNumbers numbers, SandboxLayout layout, WrapperTokens tokens) {
        this.database = database;
        this.owners = owners;
        this.numbers = numbers;
        this.layout = layout;
        this.tokens = tokens;
    }

    private record Found(int owner, JobSandbox sandbox) {}

    @Override
    public JobSandbox of(Caller caller, JobId job) {
        int owner = owners.owner(caller.identity());
        return find(job, owner)
                .filter(found -> caller.admin() || found.owner() == owner)
                .map(Found::sandbox)
                .orElseThrow(() -> new ServiceException(FaultCode.JOB_UNKNOWN, "no such job"));
    }

    @Override
    public JobSandbox ofWrapper(JobId job, String token) {
        return Optional.of(job)
                .filter(id -> tokens.matches(id, token))
                .flatMap(id -> find(id, null))
                .map(Found::sandbox)
                .orElseThrow(() -> new ServiceException.NotAuthorized("no such job, or not its token"));
    }

    private Optional<Found> find(JobId job, Integer asker) {
        return database.read(h -> h.createQuery(SANDBOX)
                .bind("id", numbers.row(job))
                .map((r, c) -> {
                    int number = r.getInt("owner_id");
                    Owner owner = Owner.of(r);
                    String account = r.getString("account");
                    Path home = layout.home(owner, account);
                    String proxy = r.getString("path");
                    return new Found(
                            number,
                            new JobSandbox(
                                    job,
                                    owner.subject(),
                                    r.getInt("subject_id"),
                                    account,
                                    layout.sandbox(home, job),
                                    JobState.ofCode(r.getInt("state")),
                                    asker != null && asker == number,
                                    proxy == null ? null : Path.of(proxy)));
                })
                .findOne());
    }
}
