package org.gelato.ce.core.job;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandState;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.jdbi.v3.core.Handle;

/** JobStatus, JobInfo and JobList: reads only, a fixed number of statements per thousand. */
public final class JobQueries {
    static final String DETAILS = """
            SELECT j.id, t.jdl, t.grid_job_id, a.name AS account, o.vo, s.dn, o.fqan, d.info, d.renewed_at,
              COALESCE(j.past_lease_end, l.expires_at) AS lease_time
            FROM job j JOIN job_text t ON t.job_id = j.id JOIN account a ON a.id = j.account_id
              JOIN owner o ON o.id = j.owner_id JOIN subject s ON s.id = o.subject_id
              LEFT JOIN delegation d ON d.id = j.delegation_id LEFT JOIN lease l ON l.id = j.lease_id
            WHERE j.id IN (<ids>)
            """;
    static final String HISTORY = """
            SELECT job_id, state, at, exit_code, failure_reason, description
            FROM job_state_history WHERE job_id IN (<ids>) ORDER BY job_id, id
            """;
    static final String COMMANDS = """
            SELECT job_id, kind, state, description, failure_reason, created_at, started_at, completed_at
            FROM command WHERE job_id IN (<ids>) AND kind > 0 ORDER BY id
            """;

    private static final Set<JobState> ANY = EnumSet.allOf(JobState.class);

    private final Database database;
    private final JobStore jobs;
    private final OwnerStore owners;
    private final JobNumbers numbers;
    private final SandboxLayout layout;

    public JobQueries(Database database, JobStore jobs, OwnerStore owners, JobNumbers numbers, SandboxLayout layout) {
        this.database = database;
        this.jobs = jobs;
        this.owners = owners;
        this.numbers = numbers;
        this.layout = layout;
    }

    List<JobStatusResult> status(Caller caller, JobFilter filter) {
        Integer owner = ownerOf(caller);
        JobSelection selection = new JobSelection(filter, owner, ANY);
        List<JobStatusResult> results = new ArrayList<>();
        if (filter.ids().isEmpty()) {
            for (List<Integer> slice : JobStore.slices(matchable(owner, selection))) {
                for (JobRow row : selection.matching(database.read(h -> jobs.byId(h, slice)))) {
                    results.add(new JobStatusResult(numbers.id(row.id()).toString(), row.status(), null));
                }
            }
            return results;
        }
        Map<String, Integer> ids = selection.rows(numbers);
        Map<Integer, JobRow> rows = JobSelection.byId(database.read(h -> jobs.byId(h, existing(ids))));
        ids.forEach((id, number) -> {
            JobRow row = rows.get(number);
            JobFault.Kind fault = selection.mismatch(row);
            results.add(
                    fault == null
                            ? new JobStatusResult(id, row.status(), null)
                            : new JobStatusResult(id, null, JobFault.of(fault)));
        });
        return results;
    }

    List<JobInfoResult> info(Caller caller, JobFilter filter) {
        Integer owner = ownerOf(caller);
        JobSelection selection = new JobSelection(filter, owner, ANY);
        return filter.ids().isEmpty()
                ? infoOfAll(selection, owner, caller.admin())
                : infoOfNamed(selection, caller.admin());
    }

    // A job purged between two of the reads is unknown if it was named and left out otherwise: never a result with
    // neither record nor fault (contract/behaviour.md section 12, trap 5).

    private List<JobInfoResult> infoOfAll(JobSelection selection, Integer owner, boolean admin) {
        List<JobInfoResult> results = new ArrayList<>();
        for (List<Integer> slice : JobStore.slices(matchable(owner, selection))) {
            List<JobRow> rows = selection.matching(database.read(h -> jobs.byId(h, slice)));
            load(rows, admin)
                    .values()
                    .forEach(info -> results.add(new JobInfoResult(info.id().toString(), info, null)));
        }
        return results;
    }

    private List<JobInfoResult> infoOfNamed(JobSelection selection, boolean admin) {
        Map<String, Integer> ids = selection.rows(numbers);
        Map<Integer, JobRow> rows = JobSelection.byId(database.read(h -> jobs.byId(h, existing(ids))));
        Map<Integer, JobInfo> infos = new HashMap<>();
        for (List<JobRow> slice : JobStore.slices(selection.matching(rows.values()))) {
            infos.putAll(load(slice, admin));
        }
        List<JobInfoResult> results = new ArrayList<>();
        ids.forEach((id, number) -> {
            JobInfo info = infos.get(number);
            JobFault.Kind fault = selection.mismatch(rows.get(number));
            results.add(
                    info == null
                            ? new JobInfoResult(
                                    id, null, JobFault.of(fault == null ? JobFault.Kind.JOB_UNKNOWN : fault))
                            : new JobInfoResult(id, info, null));
        });
        return results;
    }

    List<JobId> list(Caller caller) {
        Integer owner = ownerOf(caller);
        return database.read(h -> jobs.ids(h, owner, ANY)).stream()
                .map(numbers::id)
                .toList();
    }

    /** Whose jobs the caller sees; null for everybody's. */
    private Integer ownerOf(Caller caller) {
        return caller.admin() ? null : (Integer) owners.owner(caller.identity());
    }

    private List<Integer> matchable(Integer owner, JobSelection selection) {
        return database.read(h -> jobs.ids(h, owner, selection.states(ANY)));
    }

    private static Set<Integer> existing(Map<String, Integer> ids) {
        Set<Integer> rows = new TreeSet<>();
        ids.values().stream().filter(Objects::nonNull).forEach(rows::add);
        return rows;
    }

    /** The records of one slice, in its order; what is gone by now is missing. Three statements. */
    private Map<Integer, JobInfo> load(List<JobRow> rows, boolean admin) {
        if (rows.isEmpty()) {
            return Map.of();
        }
        List<Integer> ids = rows.stream().map(JobRow::id).toList();
        return database.read(h -> {
            Map<Integer, Details> details = details(h, ids);
            Map<Integer, List<JobStatus>> history = new HashMap<>();
            h.createQuery(HISTORY)
                    .bindList("ids", InList.of(ids))
                    .map((r, c) -> Map.entry(r.getInt("job_id"), statusOf(r)))
                    .forEach(e -> history.computeIfAbsent(e.getKey(), x -> new ArrayList<>())
                            .add(e.getValue()));
            Map<Integer, List<JobInfo.Command>> commands = new HashMap<>();
            h.createQuery(COMMANDS)
                    .bindList("ids", InList.of(ids))
                    .map((r, c) -> Map.entry(r.getInt("job_id"), commandOf(r)))
                    .forEach(e -> commands.computeIfAbsent(e.getKey(), x -> new ArrayList<>())
                            .add(e.getValue()));
            Map<Integer, JobInfo> infos = new LinkedHashMap<>();
            for (JobRow row : rows) {
                Details d = details.get(row.id());
                if (d != null && history.containsKey(row.id())) {
                    List<JobInfo.Command> issued = new ArrayList<>();
                    issued.add(registration(row));
                    issued.addAll(commands.getOrDefault(row.id(), List.of()));
                    infos.put(row.id(), info(row, d, history.get(row.id()), issued, admin));
                }
            }
            return infos;
        });
    }

    private JobInfo info(
            JobRow row, Details d, List<JobStatus> history, List<JobInfo.Command> commands, boolean admin) {
        JobId id = numbers.id(row.id());
        return new JobInfo(
                id,
                d.gridJobId(),
                admin ? row.lrmsId() : null,
                !admin,
                row.delegationId(),
                d.delegationInfo(),
                row.workerNode(),
                d.account(),
                layout.sandbox(d.home(layout), id).toString(),
                d.jdl(),
                "Normal",
                row.leaseId(),
                d.leaseTime(),
                history,
                withRenewal(row, d, commands));
    }

    /** Registering is done with its transaction, so its command is shown and not stored (docs/decisions/0041). */
    private static JobInfo.Command registration(JobRow row) {
        Instant at = row.registeredAt();
        return new JobInfo.Command(
                CommandKind.JOB_REGISTER.name(), CommandState.SUCCESSFULL.name(), null, null, at, at, at, at);
    }

    /**
     * A renewal touches no job, so its command is shown and not stored (docs/decisions/0010): the last one, for jobs it
     * still concerned.
     */
    private static List<JobInfo.Command> withRenewal(JobRow row, Details d, List<JobInfo.Command> stored) {
        Instant at = d.renewedAt();
        if (at == null
                || at.isBefore(row.registeredAt())
                || (row.state().isFinal() && row.since().isBefore(at))) {
            return stored;
        }
        List<JobInfo.Command> all = new ArrayList<>(stored);
        all.add(new JobInfo.Command(
                CommandKind.PROXY_RENEW.name(),
                CommandState.SUCCESSFULL.name(),
                d.delegationInfo(),
                null,
                at,
                at,
                at,
                at));
        all.sort(Comparator.comparing(JobInfo.Command::created));
        return all;
    }

    private static Map<Integer, Details> details(Handle h, Collection<Integer> ids) {
        Map<Integer, Details> map = new HashMap<>();
        h.createQuery(DETAILS)
                .bindList("ids", InList.of(ids))
                .map((r, c) -> new Details(
                        r.getInt("id"),
                        r.getString("jdl"),
                        r.getString("grid_job_id"),
                        r.getString("account"),
                        r.getString("vo"),
                        r.getString("dn"),
                        r.getString("fqan"),
                        r.getString("info"),
                        SqlTime.get(r, "renewed_at"),
                        SqlTime.get(r, "lease_time")))
                .forEach(d -> map.put(d.id(), d));
        return map;
    }

    private static JobStatus statusOf(ResultSet r) throws SQLException {
        return new JobStatus(
                JobState.ofCode(r.getInt("state")),
                SqlTime.get(r, "at"),
                r.getString("exit_code"),
                r.getString("failure_reason"),
                r.getString("description"));
    }

    private static JobInfo.Command commandOf(ResultSet r) throws SQLException {
        Instant created = SqlTime.get(r, "created_at");
        return new JobInfo.Command(
                CommandKind.ofCode(r.getInt("kind")).name(),
                CommandState.values()[r.getInt("state")].name(),
                r.getString("description"),
                r.getString("failure_reason"),
                created,
                created,
                SqlTime.get(r, "started_at"),
                SqlTime.get(r, "completed_at"));
    }

    private record Details(
            int id,
            String jdl,
            String gridJobId,
            String account,
            String vo,
            String dn,
            String fqan,
            String delegationInfo,
            Instant renewedAt,
            Instant leaseTime) {
        Path home(SandboxLayout layout) {
            return layout.home(vo, dn, fqan, account);
        }
    }
}
