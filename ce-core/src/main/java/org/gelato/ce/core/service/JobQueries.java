package org.gelato.ce.core.service;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SliceWeight;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobChoice;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobSlices;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateRow;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.RecordCache;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.job.UsageRecords;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.json.JobDetail;
import org.gelato.ce.json.RouteSettings;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * JobStatus, JobInfo and JobList: reads only, a fixed number of statements per slice of a thousand jobs (2500 for states alone), or
 * of fewer where their texts are long. A result holds the ids of its next jobs, and one slice while it is read and written.
 */
public final class JobQueries implements Jobs.Queries {
    static final String DETAILS = """
            SELECT j.id, t.jdl, t.grid_job_id, a.name AS account, q.name AS queue, o.vo, s.dn, o.fqan, d.info, d.renewed_at, d.expires_at AS delegation_end,
              COALESCE(j.past_lease_end, l.expires_at) AS lease_time, r.content AS route
            FROM job j JOIN job_text t ON t.job_id = j.id JOIN account a ON a.id = j.account_id
              JOIN queue q ON q.id = j.queue_id
              JOIN owner o ON o.id = j.owner_id JOIN subject s ON s.id = o.subject_id
              LEFT JOIN delegation d ON d.id = j.delegation_id LEFT JOIN lease l ON l.id = j.lease_id
              LEFT JOIN route r ON r.id = j.route_id
            WHERE j.id IN (<ids>)
            """;
    public static final String HISTORY = """
            SELECT job_id, state, at, exit_code, failure_reason, description
            FROM job_state_history WHERE job_id IN (<ids>) ORDER BY job_id, id
            """;
    static final String COMMANDS = "SELECT job_id, " + CommandRecord.COLUMNS
            + " FROM command WHERE job_id IN (<ids>) AND kind > 0 ORDER BY id";

    private static final Set<JobState> ANY = EnumSet.allOf(JobState.class);

    /**
     * Ids of a result held at a time. A page reads all ids above it from the index, so that a list of N jobs costs N / PAGE
     * statements and half as many times N entries; clients read the list as a ping.
     */
    private static final int PAGE = 50_000;

    /** Jobs of one slice of states: a row alone, without the texts and the history of {@link #infos}. */
    private static final int STATES = 2500;

    /** Bytes of the descriptions of one slice; one alone may have more. */
    private static final int MAX_TEXT = SliceWeight.MAX / 2;

    private final Database database;
    private final JobStore jobs;
    private final OwnerStore owners;
    private final JobNumbers numbers;
    private final SandboxLayout layout;
    private final UsageRecords usage = new UsageRecords();

    public JobQueries(Database database, JobStore jobs, OwnerStore owners, JobNumbers numbers, SandboxLayout layout) {
        this.database = database;
        this.jobs = jobs;
        this.owners = owners;
        this.numbers = numbers;
        this.layout = layout;
    }

    /** @throws ServiceException STATUS_NOT_COMPATIBLE for a filter by states of which none exists */
    @Override
    public Iterator<List<JobStatusResult>> statuses(Caller caller, JobFilter filter) {
        Integer owner = ownerOf(caller);
        JobSelection selection = new JobSelection(filter, owner, ANY);
        return new JobSlices<>(choice(filter, owner, selection), STATES, jobs -> statuses(selection, jobs));
    }

    private JobSlices.Part<JobStatusResult> statuses(JobSelection selection, List<JobChoice.Choice> choices) {
        SliceWeight weight = new SliceWeight(choices.size() > 1);
        Map<Integer, JobStateRow> states;
        Function<Integer, FaultCode> mismatch;
        if (selection.isByState()) {
            states = database.read(h -> jobs.states(h, rowsOf(choices), weight));
            mismatch = id -> selection.mismatch(states.get(id));
        } else {
            Map<Integer, JobRow> rows = database.read(h -> jobs.byId(h, rowsOf(choices), weight));
            states = new HashMap<>();
            rows.values()
                    .forEach(row -> states.put(
                            row.id(),
                            new JobStateRow(row.id(), row.registration().ownerId(), row.status())));
            mismatch = id -> selection.mismatch(rows.get(id));
        }
        List<JobStatusResult> results = new ArrayList<>();
        for (JobChoice.Choice choice : choices) {
            FaultCode fault = mismatch.apply(choice.row());
            if (fault == null) {
                results.add(new JobStatusResult(
                        name(choice), states.get(choice.row()).status(), null));
            } else if (choice.name() != null) {
                results.add(new JobStatusResult(choice.name(), null, new JobFault(fault, null)));
            }
        }
        return new JobSlices.Part<>(results, choices.size());
    }

    /** @throws ServiceException STATUS_NOT_COMPATIBLE for a filter by states of which none exists */
    @Override
    public Iterator<List<JobInfoResult>> infos(Caller caller, JobFilter filter) {
        Integer owner = ownerOf(caller);
        JobSelection selection = new JobSelection(filter, owner, ANY);
        return new JobSlices<>(
                choice(filter, owner, selection), JobStore.SLICE, jobs -> infos(selection, jobs, caller.admin()));
    }

    // A job purged between two of the reads is unknown if it was named and left out otherwise: never a result with
    // neither record nor fault (docs/developer/protocol/behaviour.md section 12, trap 5).

    private JobSlices.Part<JobInfoResult> infos(JobSelection selection, List<JobChoice.Choice> choices, boolean admin) {
        SliceWeight weight = new SliceWeight(choices.size() > 1);
        Map<Integer, JobStore.Sized> sized = database.read(h -> jobs.byIdWithText(h, rowsOf(choices), weight));
        Map<Integer, JobRow> rows = new LinkedHashMap<>();
        List<JobChoice.Choice> part = new ArrayList<>();
        long text = 0;
        for (JobChoice.Choice choice : choices) {
            JobStore.Sized job = sized.get(choice.row());
            if (job != null && selection.mismatch(job.row()) == null) {
                text += job.bytes();
                if (!rows.isEmpty() && text > MAX_TEXT) {
                    break;
                }
                rows.put(choice.row(), job.row());
            }
            part.add(choice);
        }
        Map<Integer, JobInfo> infos = load(List.copyOf(rows.values()), admin, new SliceWeight(rows.size() > 1));
        List<JobInfoResult> results = new ArrayList<>();
        for (JobChoice.Choice choice : part) {
            JobInfo info = infos.get(choice.row());
            if (info != null) {
                results.add(new JobInfoResult(name(choice), info, null));
            } else if (choice.name() != null) {
                JobStore.Sized job = sized.get(choice.row());
                FaultCode fault = selection.mismatch(job == null ? null : job.row());
                results.add(new JobInfoResult(
                        choice.name(), null, new JobFault(fault == null ? FaultCode.JOB_UNKNOWN : fault, null)));
            }
        }
        return new JobSlices.Part<>(results, part.size());
    }

    @Override
    public Iterator<List<JobId>> lists(Caller caller) {
        return new JobSlices<>(
                all(ownerOf(caller), ANY),
                JobStore.SLICE,
                jobs -> new JobSlices.Part<>(
                        jobs.stream().map(job -> numbers.id(job.row())).toList(), jobs.size()));
    }

    @Override
    public boolean hasJobs(Identity identity) {
        return database.read(h -> jobs.hasAny(h, identity));
    }

    /** Whose jobs the caller sees; null for everybody's. */
    private Integer ownerOf(Caller caller) {
        return caller.admin() ? null : (Integer) owners.owner(caller.identity());
    }

    private JobChoice choice(JobFilter filter, Integer owner, JobSelection selection) {
        return filter.ids().isEmpty() ? all(owner, selection.states(ANY)) : JobChoice.named(selection.rows(numbers));
    }

    private JobChoice all(Integer owner, Set<JobState> states) {
        return JobChoice.paged(after -> database.read(h -> jobs.page(h, owner, states, after, PAGE)));
    }

    private String name(JobChoice.Choice choice) {
        return choice.name() == null ? numbers.id(choice.row()).toString() : choice.name();
    }

    private static Set<Integer> rowsOf(List<JobChoice.Choice> choices) {
        Set<Integer> rows = new TreeSet<>();
        choices.stream().map(JobChoice.Choice::row).filter(Objects::nonNull).forEach(rows::add);
        return rows;
    }

    /**
     * The records of one slice, in its order; what is gone by now is missing. Three statements, four with ended jobs.
     *
     * @throws SliceWeight.TooHeavy when they weigh too much
     */
    private Map<Integer, JobInfo> load(List<JobRow> rows, boolean admin, SliceWeight weight) {
        if (rows.isEmpty()) {
            return new HashMap<>(); // It allows a look-up of null, which an impossible id maps to.
        }
        List<Integer> ids = rows.stream().map(JobRow::id).toList();
        return database.read(h -> {
            Map<Integer, Details> details = details(h, ids, weight);
            Map<Integer, RecordCache<JobStatus>> history = new HashMap<>();
            rowByRow(h, HISTORY, ids)
                    .map((r, c) -> Map.entry(r.getInt("job_id"), statusOf(r)))
                    .forEach(e -> kept(history, e.getKey()).add(e.getValue(), weightOf(e.getValue(), weight)));
            Map<Integer, RecordCache<CommandRecord>> commands = new HashMap<>();
            rowByRow(h, COMMANDS, ids)
                    .map((r, c) -> Map.entry(r.getInt("job_id"), CommandRecord.of(r)))
                    .forEach(e -> kept(commands, e.getKey()).add(e.getValue(), weightOf(e.getValue(), weight)));
            Map<JobId, Usage> used = usage.of(
                    h,
                    rows.stream()
                            .filter(row -> row.state().isFinal())
                            .map(row -> numbers.id(row.id()))
                            .toList());
            Map<Integer, JobInfo> infos = new LinkedHashMap<>();
            for (JobRow row : rows) {
                Details d = details.get(row.id());
                if (d != null && history.containsKey(row.id())) {
                    List<CommandRecord> issued = new ArrayList<>();
                    issued.add(registration(row));
                    if (commands.containsKey(row.id())) {
                        issued.addAll(commands.get(row.id()).all());
                    }
                    infos.put(
                            row.id(),
                            info(row, d, history.get(row.id()).all(), issued, used.get(numbers.id(row.id())), admin));
                }
            }
            return infos;
        });
    }

    private static Query rowByRow(Handle h, String sql, Collection<Integer> ids) {
        return h.createQuery(sql).setFetchSize(SliceWeight.ROW_BY_ROW).bindList("ids", InList.of(ids));
    }

    private static <T> RecordCache<T> kept(Map<Integer, RecordCache<T>> of, int job) {
        return of.computeIfAbsent(job, x -> new RecordCache<>());
    }

    private static int weightOf(JobStatus s, SliceWeight weight) {
        return weight.row(s.exitCode(), s.failureReason(), s.description());
    }

    private static int weightOf(CommandRecord c, SliceWeight weight) {
        return weight.row(c.description(), c.failureReason());
    }

    private JobInfo info(
            JobRow row, Details d, List<JobStatus> history, List<CommandRecord> commands, Usage used, boolean admin) {
        JobId id = numbers.id(row.id());
        Map<JobDetail, String> details = new EnumMap<>(d.shown());
        if (used != null) {
            details.putAll(used.details());
        }
        return new JobInfo(
                id,
                d.gridJobId(),
                admin ? row.lrmsId() : null,
                !admin,
                row.registration().delegationId(),
                d.delegationInfo(),
                row.batchJob().workerNode(),
                d.account(),
                layout.sandbox(d.home(layout), id).toString(),
                d.jdl(),
                "Normal",
                row.registration().leaseId(),
                d.leaseTime(),
                withPresent(history, row),
                withRenewal(row, d, commands),
                details,
                d.delegationEnd());
    }

    /** Why a job waits changes without a record, so its last state is described as the job's row does. */
    private static List<JobStatus> withPresent(List<JobStatus> history, JobRow row) {
        JobStatus last = history.get(history.size() - 1);
        if (!JobState.WAITING.contains(last.state()) || last.state() != row.state()) {
            return history;
        }
        List<JobStatus> all = new ArrayList<>(history);
        all.set(
                all.size() - 1,
                new JobStatus(
                        last.state(),
                        last.since(),
                        last.exitCode(),
                        last.failureReason(),
                        row.status().description()));
        return all;
    }

    /** Registering is done with its transaction, so its command is shown and not stored (docs/developer/decisions/0061). */
    private static CommandRecord registration(JobRow row) {
        Instant at = row.registration().at();
        return CommandRecord.done(CommandKind.JOB_REGISTER, null, at);
    }

    /**
     * A renewal touches no job, so its command is shown and not stored (docs/developer/decisions/0061): the last one, for jobs it
     * still concerned.
     */
    private static List<CommandRecord> withRenewal(JobRow row, Details d, List<CommandRecord> stored) {
        Instant at = d.renewedAt();
        if (at == null
                || at.isBefore(row.registration().at())
                || (row.state().isFinal() && row.since().isBefore(at))) {
            return stored;
        }
        List<CommandRecord> all = new ArrayList<>(stored);
        all.add(CommandRecord.done(CommandKind.PROXY_RENEW, d.delegationInfo(), at));
        all.sort(Comparator.comparing(CommandRecord::created));
        return all;
    }

    private static Map<Integer, Details> details(Handle h, Collection<Integer> ids, SliceWeight weight) {
        Map<Integer, Details> map = new HashMap<>();
        // One text for all jobs of a delegation, as they share it.
        Map<String, String> proxies = new HashMap<>();
        rowByRow(h, DETAILS, ids)
                .map((r, c) -> new Details(
                        r.getInt("id"),
                        r.getString("jdl"),
                        r.getString("grid_job_id"),
                        r.getString("account"),
                        Owner.of(r),
                        shared(proxies, r.getString("info")),
                        SqlTime.get(r, "renewed_at"),
                        SqlTime.get(r, "lease_time"),
                        SqlTime.get(r, "delegation_end"),
                        shown(r)))
                .forEach(d -> {
                    weight.row(
                            d.jdl(),
                            d.gridJobId(),
                            d.account(),
                            d.owner().vo(),
                            d.owner().subject(),
                            d.owner().group());
                    map.put(d.id(), d);
                });
        return map;
    }

    private static Map<JobDetail, String> shown(ResultSet r) throws SQLException {
        Map<JobDetail, String> shown = new EnumMap<>(JobDetail.class);
        shown.put(JobDetail.QUEUE, r.getString("queue"));
        String route = r.getString("route");
        if (route != null) {
            shown.put(JobDetail.ROUTES, routes(route));
        }
        return shown;
    }

    /** A row that somebody else has written must not hide the details of the other jobs. */
    private static String routes(String stored) {
        try {
            return String.join(", ", RouteSettings.parse(stored).routes());
        } catch (IllegalArgumentException e) {
            return "unknown: their row in the database cannot be read";
        }
    }

    private static String shared(Map<String, String> texts, String text) {
        return text == null ? null : texts.computeIfAbsent(text, x -> x);
    }

    private static JobStatus statusOf(ResultSet r) throws SQLException {
        return new JobStatus(
                JobState.ofCode(r.getInt("state")),
                SqlTime.get(r, "at"),
                r.getString("exit_code"),
                r.getString("failure_reason"),
                r.getString("description"));
    }

    private record Details(
            int id,
            String jdl,
            String gridJobId,
            String account,
            Owner owner,
            String delegationInfo,
            Instant renewedAt,
            Instant leaseTime,
            Instant delegationEnd,
            Map<JobDetail, String> shown) {
        Path home(SandboxLayout layout) {
            return layout.home(owner, account);
        }
    }
}
