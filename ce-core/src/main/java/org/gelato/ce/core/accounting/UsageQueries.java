package org.gelato.ce.core.accounting;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.json.ExitCodeComparison;
import org.gelato.ce.json.Json;
import org.jdbi.v3.core.statement.Query;

/** Sums of what jobs used, and where their records stand on their way out. Reads only; any thread. */
public final class UsageQueries {
    private static final String RAN = "(u.running_at IS NOT NULL OR u.wall_seconds IS NOT NULL)";
    /** By the end by which jobs are chosen; receivers know a record by the one that was published first. */
    private static final String MONTH = "DATE_FORMAT(u.ended_at, '%Y-%m')";
    /** As {@link UsageEntry#wall}: the begin is of another clock. */
    private static final String WALL =
            "COALESCE(u.wall_seconds, GREATEST(0, TIMESTAMPDIFF(MICROSECOND, u.running_at, u.ended_at)) / 1000000)";
    /** Parked, as it cannot be written; so are jobs that never ran. */
    private static final String UNWRITABLE = "(u.message_id = 0 AND " + RAN + ")";
    /** Whether a record's message is not written yet; one that was written may be forgotten. */
    private static final String OPEN = "(m.id IS NOT NULL AND m.sent_at IS NULL)";

    private static final String OF_ALL = " FROM usage_record u " + AccountingStore.NAMES + " WHERE ";
    /** A user reads what is that user's, however much others have used. */
    private static final String OF_ONE = " FROM usage_record u FORCE INDEX (usage_record_owner) "
            + AccountingStore.NAMES + " WHERE u.owner_id IN (<owners>) AND ";

    /** Numbers of owners begin with 1. */
    private static final int NOBODY = 0;

    private final Database database;
    private final OwnerStore owners;
    private final AccountingSettings settings;

    /**
     * What sums can be by.
     *
     * @param name as users write it
     * @param column that has the value
     * @param path of a label's value in a record's labels; null for what is no label
     */
    public record By(String name, String column, String path) {
        public static final By VO = new By("vo", AccountingStore.FQAN, null);
        public static final By USER = new By("user", "s.dn", null);
        public static final By QUEUE = new By("queue", "q.name", null);
        public static final By MONTH = new By("month", UsageQueries.MONTH, null);
        /** The job's name. */
        public static final By NAME = new By("name", null, pathOf("="));

        private static final String LABEL = "label:";
        private static final List<By> ALL = List.of(VO, USER, QUEUE, MONTH, NAME);

        /**
         * As users write it.
         *
         * @throws IllegalArgumentException for what sums cannot be by
         */
        public static By of(String word) {
            if (word.startsWith(LABEL) && JobLabels.isName(word.substring(LABEL.length()))) {
                return new By(word, null, pathOf(word.substring(LABEL.length())));
            }
            return ALL.stream()
                    .filter(by -> by.name.equals(word))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("sums are by "
                            + ALL.stream().map(By::name).collect(Collectors.joining(", ")) + " and " + LABEL + "NAME"));
        }
    }

    /**
     * The records of jobs that ran and ended in an interval.
     *
     * @param of whose jobs; null for everybody's
     * @param labels that the jobs have
     * @param ending how they ended
     */
    public record Selection(Identity of, Instant from, Instant to, JobLabels labels, Ending ending) {
        /** Whatever their labels and ends. */
        public static Selection of(Identity of, Instant from, Instant to) {
            return new Selection(of, from, to, JobLabels.NONE, Ending.ANY);
        }

        /** The path of each wanted value, and the value. */
        private Map<String, String> wanted() {
            Map<String, String> wanted = new LinkedHashMap<>();
            if (labels.name() != null) {
                wanted.put(pathOf("="), labels.name());
            }
            labels.labels().forEach((name, value) -> wanted.put(pathOf(name), value));
            return wanted;
        }

        private String condition() {
            StringBuilder sql = new StringBuilder("u.ended_at >= :from AND u.ended_at < :to");
            for (int i = 0; i < wanted().size(); i++) {
                sql.append(" AND ")
                        .append(bytes(label("path" + i)))
                        .append(" = ")
                        .append(bytes(":value" + i));
            }
            return sql.append(ending.condition()).toString();
        }
    }

    /**
     * How jobs ended, as the commands of users choose them.
     *
     * @param failed whether only those without success: cancelled ones are not among them
     * @param exitCode of the program; null for any, and none
     */
    public record Ending(boolean failed, ExitCodeComparison exitCode) {
        public static final Ending ANY = new Ending(false, null);

        private static final String OK = "u.state = " + JobState.DONE_OK.code();
        private static final String CODE = "(u.exit_code REGEXP '^-?[0-9]{1,9}$' AND CAST(u.exit_code AS SIGNED)";

        private String condition() {
            StringBuilder sql = new StringBuilder();
            if (failed) {
                sql.append(" AND (u.state IN (")
                        .append(JobState.DONE_FAILED.code())
                        .append(", ")
                        .append(JobState.ABORTED.code())
                        .append(") OR (" + OK + " AND " + CODE + " <> 0)))");
            }
            if (exitCode != null) {
                // Both are of a fixed form.
                sql.append(" AND (" + OK + " OR u.state = ")
                        .append(JobState.DONE_FAILED.code())
                        .append(") AND " + CODE + ' ')
                        .append(exitCode.operator())
                        .append(' ')
                        .append(exitCode.code())
                        .append(')');
            }
            return sql.toString();
        }
    }

    /** Of a label in a record; names of labels need no escape. */
    private static String pathOf(String name) {
        return "$.\"" + name + '"';
    }

    /** As JSON: JSON_UNQUOTE of MariaDB makes question marks of what is beyond the first 65536 characters. */
    private static String label(String path) {
        return "CAST(JSON_EXTRACT(u.labels, :" + path + ") AS CHAR)";
    }

    private static String quoted(String text) {
        try {
            return Json.MAPPER.writeValueAsString(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON of a text", e);
        }
    }

    private static String unquoted(String json) {
        try {
            return json == null ? null : Json.MAPPER.readValue(json, String.class);
        } catch (JsonProcessingException e) {
            return json;
        }
    }

    /** Texts are equal as their bytes are: a collation takes some for equal that differ in case, accents or spaces. */
    private static String bytes(String text) {
        return "CAST(" + text + " AS BINARY)";
    }

    /**
     * A sum.
     *
     * @param values of what it is by, in that order; the empty text for jobs without a VO
     * @param jobs that ran and ended
     * @param wallSeconds of all of them, not times cores
     * @param coreSeconds wall time times cores, where the cores are known; otherwise one
     * @param unmeasured jobs whose CPU time nobody measured
     */
    public record Sum(
            List<String> values,
            long jobs,
            BigDecimal cpuSeconds,
            BigDecimal wallSeconds,
            BigDecimal coreSeconds,
            long unmeasured) {
        private Sum plus(Sum other) {
            return new Sum(
                    values,
                    jobs + other.jobs,
                    cpuSeconds.add(other.cpuSeconds),
                    wallSeconds.add(other.wallSeconds),
                    coreSeconds.add(other.coreSeconds),
                    unmeasured + other.unmeasured);
        }
    }

    /**
     * Where the records of a month and VO stand.
     *
     * @param vo empty for jobs without
     * @param jobs that ran
     * @param published at least once
     * @param unsent not in a message as they stand, whatever the reason
     * @param unwritable those of them that no message can carry
     * @param unbenchmarked those of them whose queue has no benchmark
     * @param withoutBatchId those of them that no batch id is known of
     * @param unmeasured jobs whose CPU time nobody measured
     * @param neverRan jobs that are not in {@code jobs}, and never published
     */
    public record Standing(
            String month,
            String vo,
            long jobs,
            long published,
            long unsent,
            long unwritable,
            long unbenchmarked,
            long withoutBatchId,
            long unmeasured,
            long neverRan) {
        private Standing plus(Standing o) {
            return new Standing(
                    month,
                    vo,
                    jobs + o.jobs,
                    published + o.published,
                    unsent + o.unsent,
                    unwritable + o.unwritable,
                    unbenchmarked + o.unbenchmarked,
                    withoutBatchId + o.withoutBatchId,
                    unmeasured + o.unmeasured,
                    neverRan + o.neverRan);
        }
    }

    /** A page of records, and the number to continue after; null after the last. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Page(@JsonProperty("jobs") List<UsageEntry> records, Integer next) {}

    public UsageQueries(Database database, OwnerStore owners, AccountingSettings settings) {
        this.database = database;
        this.owners = owners;
        this.settings = settings;
    }

    /**
     * Sums of jobs.
     *
     * @param by each once, in the order of the values
     */
    public List<Sum> sums(Selection selection, List<By> by) {
        StringBuilder columns = new StringBuilder();
        StringBuilder group = new StringBuilder();
        for (int i = 0; i < by.size(); i++) {
            By each = by.get(i);
            String value = each.path() == null ? each.column() : label("by_path" + i);
            // Of a group all are the same.
            columns.append("MIN(").append(value).append(") AS by").append(i).append(", ");
            group.append(i == 0 ? " GROUP BY " : ", ").append(bytes(value));
        }
        String sql =
                "SELECT " + columns + "COUNT(*) AS jobs, SUM(u.cpu_seconds) AS cpu, SUM(" + WALL + ") AS wall, SUM("
                        + WALL
                        + " * COALESCE(u.cores, 1)) AS core, SUM(u.cpu_seconds IS NULL) AS unmeasured"
                        + from(selection.of()) + selection.condition() + " AND " + RAN + group;
        Map<List<String>, Sum> sums =
                new TreeMap<>((a, b) -> String.join("\n", a).compareTo(String.join("\n", b)));
        int vo = by.indexOf(By.VO);
        bound(sql, selection, query -> {
            for (int i = 0; i < by.size(); i++) {
                if (by.get(i).path() != null) {
                    query.bind("by_path" + i, by.get(i).path());
                }
            }
            query.map((r, c) -> {
                        List<String> values = new ArrayList<>();
                        for (int i = 0; i < by.size(); i++) {
                            String column = r.getString("by" + i);
                            String value = by.get(i).path() == null ? column : unquoted(column);
                            values.add(i == vo ? vo(value) : value == null ? "" : value);
                        }
                        return new Sum(
                                List.copyOf(values),
                                r.getLong("jobs"),
                                orZero(r.getBigDecimal("cpu")),
                                orZero(r.getBigDecimal("wall")),
                                orZero(r.getBigDecimal("core")),
                                r.getLong("unmeasured"));
                    })
                    .forEach(sum -> sums.merge(sum.values(), sum, Sum::plus));
        });
        return List.copyOf(sums.values());
    }

    private static BigDecimal orZero(BigDecimal sum) {
        return sum == null ? BigDecimal.ZERO : sum;
    }

    private static String vo(String fqan) {
        String vo = Fqan.of(fqan).vo();
        return vo == null ? "" : vo;
    }

    private interface Reading {
        void of(Query query);
    }

    private static String from(Identity of) {
        return of == null ? OF_ALL : OF_ONE;
    }

    private void bound(String sql, Selection selection, Reading reading) {
        Integer subject = selection.of() == null ? null : (Integer) owners.subject(selection.of());
        database.read(h -> {
            Query query = h.createQuery(sql).bind("from", selection.from()).bind("to", selection.to());
            int i = 0;
            for (Map.Entry<String, String> label : selection.wanted().entrySet()) {
                query.bind("path" + i, label.getKey()).bind("value" + i, quoted(label.getValue()));
                i++;
            }
            if (subject == null) {
                reading.of(query);
                return null;
            }
            List<Integer> own = owners.ofSubject(h, subject);
            // Where there are none the sum is one of no jobs.
            reading.of(query.bindList("owners", InList.of(own.isEmpty() ? List.of(NOBODY) : own)));
            return null;
        });
    }

    /**
     * Records of jobs, a page of them by their numbers.
     *
     * @param after number of the record before the first
     */
    public Page page(Selection selection, int after, int most) {
        String sql = "SELECT " + AccountingStore.COLUMNS + from(selection.of()) + selection.condition()
                + " AND u.id > :after AND " + RAN + " ORDER BY u.id LIMIT :most";
        List<UsageEntry> records = new ArrayList<>();
        bound(
                sql,
                selection,
                query -> query.bind("after", after)
                        .bind("most", most)
                        .map(AccountingStore::entry)
                        .forEach(records::add));
        return new Page(
                records,
                records.size() < most ? null : (Integer) records.get(most - 1).id());
    }

    /** Where the records stand of jobs that ended in an interval, by month and VO. */
    public List<Standing> standings(Instant from, Instant to) {
        String sql = "SELECT " + MONTH + " AS month, " + AccountingStore.FQAN
                + " AS accounted, q.name AS queue_name, SUM(" + RAN
                + ") AS jobs, SUM(u.message_id > 0 AND NOT " + OPEN + ") AS published, SUM(" + RAN
                + " AND (u.message_id IS NULL OR " + UNWRITABLE + " OR " + OPEN + ")) AS unsent, SUM(" + UNWRITABLE
                + ") AS unwritable, SUM(" + RAN
                + " AND u.message_id IS NULL AND u.lrms_id IS NULL) AS without_id, SUM(" + RAN
                + " AND u.cpu_seconds IS NULL) AS unmeasured, SUM(NOT " + RAN + ") AS never FROM usage_record u "
                + AccountingStore.NAMES
                + " LEFT JOIN accounting_message m ON m.id = u.message_id WHERE u.ended_at >= :from AND u.ended_at < :to GROUP BY month, accounted, queue_name ORDER BY month, accounted, queue_name";
        Set<String> benchmarked = settings.benchmarks().queues();
        Map<String, Standing> standings = new LinkedHashMap<>();
        bound(
                sql,
                Selection.of(null, from, to),
                query -> query.map((r, c) -> {
                            long unsent = r.getLong("unsent");
                            long unwritable = r.getLong("unwritable");
                            return new Standing(
                                    r.getString("month"),
                                    vo(r.getString("accounted")),
                                    r.getLong("jobs"),
                                    r.getLong("published"),
                                    unsent,
                                    unwritable,
                                    benchmarked.contains(r.getString("queue_name")) ? 0 : unsent - unwritable,
                                    r.getLong("without_id"),
                                    r.getLong("unmeasured"),
                                    r.getLong("never"));
                        })
                        .forEach(s -> standings.merge(s.month() + "\n" + s.vo(), s, Standing::plus)));
        return List.copyOf(standings.values());
    }
}
