package org.gelato.ce.ws.dashboard;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.monitoring.RecentJobs;

/**
 * Whether all is well, in one line; or what is wrong, since when, whom it hits, and what to do. The worst stands first.
 *
 * @param problems empty when all is well
 * @param calm what there is to say when all is well
 */
public record Verdict(List<Problem> problems, String calm) {
    /** How much it matters. */
    public enum Level {
        /** An administrator wants it so. */
        NOTE,
        /** Some users are hit, or all will be soon. */
        WARNING,
        /** The CE does not do its work. */
        ERROR
    }

    /**
     * One thing that is wrong.
     *
     * @param check whose finding it is
     * @param since null for unknown
     * @param text whom it hits, and what to do
     * @param commands what to type, in this order
     * @param message of another program; null for none
     */
    public record Problem(
            Level level,
            String check,
            String title,
            Instant since,
            String text,
            List<String> commands,
            @JsonProperty("said") String message) {}

    private static final String CHECK = "ce server check";
    private static final String LOG = "journalctl -u gelato-ce -n 100";

    /** Fewer ends prove nothing. */
    private static final int FEW_ENDS = 20;

    /** What the resolver and programs of batch systems say of it. */
    private static final Pattern UNRESOLVED = Pattern.compile(
            "(?i)(?:unable to|can(?:no|')t|could not|failed to) resolve|name or service not known|name resolution|unknown host");

    private static final Duration SOON = Duration.ofDays(30);

    /**
     * How jobs ended in the last hour.
     *
     * @param all {@link RecentJobs#MAX} at most, those that ended last
     * @param failed of them, without those that were cancelled
     * @param nonZero of them, neither failed nor cancelled, with an exit code other than 0
     * @param reason the most frequent of the failures; null for none
     * @param suspect a worker node on which more fail or exit so than on others; null for none
     */
    public record Ends(int all, int failed, int nonZero, String reason, String suspect) {}

    /** The level of the worst problem, {@code ok} where there is none. */
    @JsonProperty
    public String level() {
        return problems.isEmpty() ? "ok" : problems.get(0).level().name().toLowerCase(Locale.ROOT);
    }

    /** Makes it, where it is not known how jobs ended. */
    public static Verdict of(Situation s) {
        return of(s, null);
    }

    /**
     * Makes it.
     *
     * @param ends null for unknown
     */
    public static Verdict of(Situation s, Ends ends) {
        List<Problem> problems = Stream.of(
                        s.checks().stream().filter(c -> !c.ok() || c.degraded()).flatMap(c -> of(c, s)),
                        pause(s),
                        failures(ends))
                .flatMap(found -> found)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(Problem::level).reversed())
                .toList();
        return new Verdict(problems, calm(s));
    }

    private static Stream<Problem> of(Situation.Check check, Situation s) {
        return switch (check.name()) {
            case "database" ->
                Stream.of(problem(
                        check,
                        "The database does not respond: no request is served, no job is lost",
                        "Users get \"try again later\". Jobs in the batch system go on, and are followed again when the"
                                + " database is back. Is its disk full, or its server down?",
                        List.of("df -h", LOG)));
            case "helper" ->
                Stream.of(problem(
                        check,
                        "The helper does not respond: no job is handed over and no file is served",
                        "It hits all users. Running jobs go on. See what the check of the configuration finds:",
                        List.of(CHECK, LOG)));
            case "registrations" ->
                Stream.of(problem(
                        check,
                        "One user registers more at once than all others together",
                        "Calls of others go first, and his wait. Ask him to register fewer in parallel, or refuse him for a"
                                + " while:",
                        List.of("ce ban", LOG)));
            case "node" ->
                Stream.of(problem(
                        check,
                        "Another CE works under the name of this node, so this one executes no commands",
                        "Its jobs are handed over by the other. Give each CE on this database a gelato.node of its own:",
                        List.of(LOG)));
            case "host-certificate" -> Stream.of(certificate(check, s));
            case "admission" -> admission(check, s);
            case "trust" ->
                Stream.of(problem(
                        check,
                        "Users of some CAs or VOs are refused, as a file of these cannot be used",
                        "Others are served. Where a CRL has ended, fetch the CRLs, and see that this is done regularly."
                                + " This names every file:",
                        List.of("fetch-crl", CHECK)));
            case "tokens" ->
                Stream.of(problem(
                        check,
                        "Keys of a token issuer cannot be read",
                        "Its tokens are accepted as long as the keys that were read before are kept. Is the issuer reachable"
                                + " from this host?",
                        List.of(LOG)));
            case "clock" ->
                Stream.of(problem(
                        check,
                        "Proxies of several users contradict the clock of this host",
                        "Users whose proxies begin later than this clock shows are refused. Compare the clock:",
                        List.of("timedatectl")));
            case "configuration-files" ->
                Stream.of(problem(
                        check,
                        "A configuration file is broken, so an older version is in force",
                        "Mend the file; it is read again by itself. This names the line:",
                        List.of(CHECK)));
            case "queues" ->
                Stream.of(problem(
                        check,
                        "A queue of the configuration is missing or closed",
                        "Jobs for other queues run; those for this one wait. Open it in "
                                + s.look().title() + ", or name other queues in gelato.lrms.queues.",
                        orLog(s.look().queues())));
            default ->
                Stream.of(
                        check.name().equals(s.lrms())
                                ? batchSystem(check, s)
                                : problem(
                                        check,
                                        "The check " + check.name() + " fails",
                                        "See its words below, and the log:",
                                        List.of(LOG)));
        };
    }

    private static Problem problem(Situation.Check check, String title, String text, List<String> commands) {
        return new Problem(
                check.ok() ? Level.WARNING : Level.ERROR,
                check.name(),
                title,
                check.since(),
                text,
                commands,
                Foreign.text(check.detail()));
    }

    private static Problem batchSystem(Situation.Check check, Situation s) {
        String name = s.look().title();
        if (check.ok()) {
            return problem(
                    check,
                    "The hand-over to a queue of " + name + " pauses",
                    "Jobs for other queues are handed over. Look at the queue there; the hand-over goes on by itself.",
                    orLog(s.look().queues()));
        }
        Situation.Jobs jobs = s.jobs();
        String waiting = jobs == null ? "" : ": " + count(jobs.here() + jobs.batch(), "job waits", "jobs wait");
        String hit = jobs == null
                ? ""
                : count(jobs.here(), "job is", "jobs are") + " not handed over, and the states of "
                        + (jobs.batch() + jobs.running()) + " are " + time(s.pollAge()) + " old. ";
        Problem problem = problem(
                check,
                name + " does not respond" + waiting + ", none is lost",
                hit + "Running jobs go on. "
                        + (s.open() ? "New jobs are registered as always. " : "")
                        + (UNRESOLVED.matcher(String.valueOf(check.detail())).find()
                                ? "The name of a host of " + name
                                        + " does not resolve on this one: correct DNS, /etc/hosts or"
                                        + " its configuration"
                                : "Look at the host of " + name)
                        + "; the hand-over goes on by itself.",
                orLog(s.look().service()));
        // The last good poll is known better than the round of checks that found it.
        Instant poll = s.now().minus(s.pollAge());
        return problem.since() != null && problem.since().isBefore(poll)
                ? problem
                : new Problem(
                        problem.level(),
                        problem.check(),
                        problem.title(),
                        poll,
                        problem.text(),
                        problem.commands(),
                        problem.message());
    }

    private static Stream<Problem> pause(Situation s) {
        boolean known = s.checks().stream()
                .anyMatch(c -> (c.name().equals(s.lrms()) || c.name().equals("database")) && !c.ok());
        if (s.paused() == null || known) {
            return Stream.empty();
        }
        long here = s.jobs() == null ? 0 : s.jobs().here();
        return Stream.of(new Problem(
                Level.WARNING,
                s.lrms(),
                "The hand-over to " + s.look().title() + " pauses: " + count(here, "job waits", "jobs wait") + " here",
                null,
                "Running jobs go on, new jobs are registered. The hand-over goes on by itself when the cause is gone.",
                orLog(s.look().service()),
                Foreign.text(s.paused())));
    }

    /** All may be in order here, and the farm fails what it is given: a node without a disk ends jobs faster than others. */
    private static Stream<Problem> failures(Ends ends) {
        if (ends == null || ends.all() < FEW_ENDS || 2 * (ends.failed() + ends.nonZero()) <= ends.all()) {
            return Stream.empty();
        }
        boolean fail = 2 * ends.failed() > ends.all();
        String of = " of " + ends.all() + (ends.all() == RecentJobs.MAX ? " that ended last" : " in the last hour");
        return Stream.of(new Problem(
                Level.WARNING,
                "jobs",
                fail
                        ? "Most jobs fail: " + ends.failed() + of
                        : "Most jobs fail or exit with a code other than 0: " + (ends.failed() + ends.nonZero()) + of,
                null,
                (ends.suspect() == null
                                ? ""
                                : "More of them do on " + Foreign.text(ends.suspect())
                                        + " than elsewhere: look at this node. ")
                        + (fail
                                ? "See the reasons and the jobs under \"Failures by reason\"; "
                                : "An exit code is the job's own; the tables of owners and nodes show whose. ")
                        + (fail ? "the" : "The") + " CE goes on handing over."
                        + " Until the cause is mended, this keeps new jobs out:",
                List.of("ce drain --reason \"jobs fail\""),
                ends.reason() == null ? null : Foreign.text(ends.reason())));
    }

    private static Problem certificate(Situation.Check check, Situation s) {
        String remedy = " Install a certificate for " + s.host()
                + " and its key in the files of gelato.tls; no restart is needed. This looks at the pair:";
        Duration left = Duration.between(s.now(), s.hostCertificateEnds());
        if (check.ok()) {
            return problem(
                    check,
                    "The host certificate ends in " + time(left),
                    "All works until then; afterwards every client refuses this CE." + remedy,
                    List.of(CHECK));
        }
        return problem(
                check,
                left.isNegative()
                        ? "The host certificate has ended: every client refuses this CE"
                        : "The host certificate is not for this CE: every client refuses it",
                "Nobody gets in. Jobs go on." + remedy,
                List.of(CHECK));
    }

    private static Stream<Problem> admission(Situation.Check check, Situation s) {
        List<Problem> problems = new ArrayList<>();
        boolean all = s.drains().stream().anyMatch(d -> d.part() == Drain.Part.ALL);
        for (Drain drain : s.drains()) {
            String what = switch (drain.part()) {
                case ALL -> "This CE";
                case QUEUE -> "Queue " + drain.name();
                case VO -> "VO " + drain.name();
            };
            String option = switch (drain.part()) {
                case ALL -> "";
                case QUEUE -> " --queue " + drain.name();
                case VO -> " --vo " + drain.name();
            };
            problems.add(new Problem(
                    Level.NOTE,
                    check.name(),
                    what + " takes no new jobs: drained by an administrator"
                            + (drain.reason() == null ? "" : " (" + Foreign.text(drain.reason()) + ")"),
                    drain.since(),
                    "Jobs that are registered go on. An administrator ends it, or root on this host:",
                    List.of("ce enable" + option, "ce server enable" + option),
                    null));
        }
        if (!s.open() && !all) {
            // The check is degraded, as the CE works for the jobs it has; for who submits now nothing works.
            problems.add(limits(new Situation.Check(check.name(), false, true, check.detail(), check.since()), s));
        }
        return problems.stream();
    }

    /** A limit that is passed, by its name in what admission says. */
    private static Problem limits(Situation.Check check, Situation s) {
        String detail = check.detail();
        if (detail.contains("Disk Usage(")) {
            String name = detail.replaceAll("(?s).*?Disk Usage\\(([^)]*)\\).*", "$1");
            String place = s.disks().getOrDefault(name, Path.of(name)).toString();
            return problem(
                    check,
                    "New jobs are refused: the disk of " + place + " is almost full",
                    "It hits all users who submit; jobs that are registered go on. Make room; new jobs are taken again by"
                            + " themselves.",
                    List.of("df -h " + place, "du -xh --max-depth=2 " + place + " | sort -h | tail"));
        }
        return problem(
                check,
                detail.contains("is starting")
                        ? "New jobs are refused: the service is starting"
                        : "New jobs are refused: " + limit(detail),
                "Jobs that are registered go on. gelato.admission sets the limits; this shows them beside the values:",
                List.of("ce service-info"));
    }

    private static String limit(String detail) {
        String first = detail.replaceAll("(?s).*?Threshold for ([^:]*):.*", "$1");
        return first.equals(detail) ? "admission is closed" : "a limit is passed (" + first + ")";
    }

    private static List<String> orLog(List<String> commands) {
        return commands.isEmpty() ? List.of(LOG) : commands;
    }

    private static String calm(Situation s) {
        Situation.Jobs jobs = s.jobs();
        if (jobs == null) {
            return "";
        }
        String text = jobs.here() + jobs.batch() + jobs.running() == 0
                ? "There are no jobs."
                : count(jobs.running(), "job runs", "jobs run") + ", " + (jobs.here() + jobs.batch())
                        + (jobs.here() + jobs.batch() == 1 ? " waits." : " wait.");
        Duration left = Duration.between(s.now(), s.hostCertificateEnds());
        return left.compareTo(SOON) < 0
                ? text + " Next to watch: the host certificate ends in " + time(left) + "."
                : text;
    }

    private static String count(long number, String one, String more) {
        return number + " " + (number == 1 ? one : more);
    }

    /** A time in one unit, as people say it. */
    public static String time(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < 120) {
            return seconds == 1 ? "1 second" : seconds + " seconds";
        }
        return seconds < 7200
                ? seconds / 60 + " minutes"
                : seconds < 172_800 ? seconds / 3600 + " hours" : seconds / 86_400 + " days";
    }
}
