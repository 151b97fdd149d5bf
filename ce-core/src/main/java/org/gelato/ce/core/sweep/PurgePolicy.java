package org.gelato.ce.core.sweep;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.job.JobState;

/**
 * How long jobs are kept in the states they can be purged from (docs/developer/protocol/behaviour.md section 7). States that are not
 * named are kept for ever. Immutable.
 */
public final class PurgePolicy {
    private static final int LONGEST = 10_000;
    /** Times before the year 1000 are none in the database. */
    private static final Duration LONGEST_TIME = ChronoUnit.YEARS.getDuration().multipliedBy(500);

    private static final Pattern RULE = Pattern.compile("(\\S+)\\s+(\\d{1,9})\\s+(\\S+)");
    private static final Set<JobState> PURGEABLE = EnumSet.of(
            JobState.REGISTERED, JobState.CANCELLED, JobState.DONE_OK, JobState.DONE_FAILED, JobState.ABORTED);
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "minutes", ChronoUnit.MINUTES,
            "hours", ChronoUnit.HOURS,
            "days", ChronoUnit.DAYS,
            "months", ChronoUnit.MONTHS,
            "years", ChronoUnit.YEARS);

    private final Map<JobState, Age> ages;

    private record Age(int amount, ChronoUnit unit) {}

    private PurgePolicy(Map<JobState, Age> ages) {
        this.ages = ages;
    }

    /**
     * Reads {@code STATUS N unit; STATUS N unit;}. The empty text purges nothing.
     *
     * @throws IllegalArgumentException that names the rule and what is wrong with it
     */
    public static PurgePolicy parse(String text) {
        Map<JobState, Age> ages = new EnumMap<>(JobState.class);
        for (String rule : text.split(";", -1)) {
            if (!rule.isBlank()) {
                read(rule.strip(), ages);
            }
        }
        return new PurgePolicy(ages);
    }

    private static void read(String rule, Map<JobState, Age> ages) {
        Matcher m = RULE.matcher(rule);
        if (!m.matches()) {
            throw wrong(rule, "is not of the form STATUS N unit");
        }
        JobState state = JobState.ofWireName(m.group(1))
                .filter(PURGEABLE::contains)
                .orElseThrow(() -> wrong(rule, "names no state that can be purged: " + names()));
        int amount = Integer.parseInt(m.group(2));
        if (amount < 1 || amount > LONGEST) {
            throw wrong(rule, "needs a number from 1 to " + LONGEST);
        }
        ChronoUnit unit = UNITS.get(m.group(3).toLowerCase(Locale.ROOT));
        if (unit == null) {
            throw wrong(rule, "needs one of the units minutes, hours, days, months, years");
        }
        if (unit.getDuration().multipliedBy(amount).compareTo(LONGEST_TIME) > 0) {
            throw wrong(rule, "keeps jobs for more than 500 years: leave it out to keep them for ever");
        }
        if (ages.put(state, new Age(amount, unit)) != null) {
            throw wrong(rule, "is the second rule for " + state.wireName());
        }
    }

    private static IllegalArgumentException wrong(String rule, String what) {
        return new IllegalArgumentException("\"" + rule + "\" " + what);
    }

    private static String names() {
        List<String> names = new ArrayList<>();
        PURGEABLE.forEach(s -> names.add(s.wireName()));
        return String.join(", ", names);
    }

    /** When a job in this state since then is to go; empty for one that is kept. */
    public Optional<Instant> end(JobState state, Instant since) {
        return Optional.ofNullable(ages.get(state))
                .map(age -> since.atZone(ZoneOffset.UTC)
                        .plus(age.amount(), age.unit())
                        .toInstant());
    }

    /** By state: jobs in it since before this time are to go. Months and years are those of the calendar, in UTC. */
    public Map<JobState, Instant> cutOffs(Instant now) {
        Map<JobState, Instant> cutOffs = new EnumMap<>(JobState.class);
        ages.forEach((state, age) -> cutOffs.put(
                state,
                now.atZone(ZoneOffset.UTC).minus(age.amount(), age.unit()).toInstant()));
        return cutOffs;
    }
}
