package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.JobCriteria;
import org.gelato.ce.cli.display.JobScreen;
import org.gelato.ce.cli.display.JobTable;
import org.gelato.ce.cli.display.StateSummary;
import org.gelato.ce.cli.submission.SubmissionLog;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ce list}: the ids of all jobs of the user on one CE. */
@Command(name = "list", description = "Lists the ids of your jobs on a CE, one per line.")
public final class ListCommand extends CeCommand {
    /** By which the clocks here and at a CE may differ. */
    private static final Duration CLOCKS = Duration.ofMinutes(5);
    /** A registration that is repeated has been made by then. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    @Mixin
    private JobCriteria criteria = new JobCriteria();

    @Mixin
    private JobTable table = new JobTable();

    @Option(
            names = "--summary",
            description = "How many there are in each state, since when, and the reason that most of them have.")
    private boolean summary;

    @Option(
            names = "--watch",
            description =
                    "On a terminal: jobs by state and their last changes, kept up to date until you interrupt it (Ctrl-C).")
    private boolean watch;

    @Option(
            names = "--lost",
            description =
                    "Jobs that may be of submissions from here whose response never came: registered at that time, with"
                            + " an id that no command here has seen. Check them before you cancel any.")
    private boolean lost;

    public ListCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() throws InterruptedException {
        JobSelector meant = criteria.read();
        if (lost && (watch || summary || criteria.isGiven())) {
            throw usage("--lost goes with no other criteria, nor with --watch and --summary");
        }
        if (watch && (options.json() || !context.interactive() || !table.isWanted())) {
            throw usage("--watch is for a terminal; elsewhere 'ce events --follow' prints a line for each change");
        }
        ComputingElement ce = connectToNamed();
        if (lost) {
            return lost(ce);
        }
        if (watch) {
            new JobScreen(context, ce.endpoint().toString(), () -> states(ce, meant)).run(connectToNamed());
            return ExitCode.OK;
        }
        JobSelector wanted = byId(new ChosenJobs.Chosen(List.of(), meant))
                .map(ChosenJobs.Chosen::criteria)
                .orElse(null);
        if (wanted == null) {
            if (options.json()) {
                JsonResult.print(
                        context.out(),
                        JsonResult.object().set("jobs", JsonResult.object().arrayNode()));
            }
            return failed() ? ExitCode.FAILED : ExitCode.OK;
        }
        if (summary) {
            return summary(ce.status(wanted));
        }
        if (table.isWanted() && !options.json()) {
            List<JobTable.Row> rows = ce.info(wanted).stream()
                    .filter(response -> response.value() != null)
                    .map(response -> new JobTable.Row(new JobUrl(ce.endpoint(), response.subject()), response.value()))
                    .toList();
            print(rows);
            summarize(jobs(rows.size()));
            return failed() ? ExitCode.FAILED : ExitCode.OK;
        }
        // The wire's list knows no criteria; its status does.
        List<String> ids = criteria.isGiven()
                ? ce.status(wanted).stream()
                        .filter(response -> response.value() != null)
                        .map(Response::subject)
                        .toList()
                : ce.list();
        return print(ids.stream().map(id -> new JobUrl(ce.endpoint(), id).toString()));
    }

    private int print(Stream<String> jobs) {
        if (options.json()) {
            ObjectNode root = JsonResult.object();
            jobs.forEach(root.putArray("jobs")::add);
            JsonResult.print(context.out(), root);
        } else {
            jobs.forEach(context.out()::println);
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    /** A CE finds no jobs by a request whose response was lost, so the time of the request and the ids that are known tell. */
    private int lost(ComputingElement ce) {
        SubmissionLog log = new SubmissionLog(context.environment(), context.clock());
        Set<String> known = log.ids();
        Set<String> found = new LinkedHashSet<>();
        List<SubmissionLog.Open> open = log.open().stream()
                .filter(one -> one.ce().toString().equals(ce.endpoint().toString()))
                .toList();
        for (SubmissionLog.Open one : open) {
            JobSelector then = new JobSelector(
                    List.of(), List.of(), one.begun().minus(CLOCKS), one.begun().plus(LONGEST), null, null);
            ce.status(then).stream()
                    .filter(response -> response.value() != null)
                    .map(response -> new JobUrl(ce.endpoint(), response.subject()).toString())
                    .filter(job -> !known.contains(job))
                    .forEach(found::add);
        }
        summarize(
                open.isEmpty()
                        ? "no submission from here to " + ce.endpoint() + " lacks its response"
                        : jobs(found.size()) + " that may be of those without a response: "
                                + jobs(open.stream()
                                        .mapToLong(SubmissionLog.Open::jobs)
                                        .sum()) + " registered "
                                + open.stream()
                                        .map(one -> one.begun()
                                                .truncatedTo(ChronoUnit.SECONDS)
                                                .toString())
                                        .collect(Collectors.joining(", ")));
        return print(found.stream());
    }

    /** Those that meet the criteria now, of which more or fewer may have a name at the next look. */
    private List<StatusReport> states(ComputingElement ce, JobSelector meant) {
        return byId(new ChosenJobs.Chosen(List.of(), meant))
                .map(chosen -> ce.status(chosen.criteria()).stream()
                        .map(Response::value)
                        .filter(Objects::nonNull)
                        .toList())
                .orElse(List.of());
    }

    private int summary(List<Response<StatusReport>> responses) {
        List<StatusReport> states =
                responses.stream().map(Response::value).filter(Objects::nonNull).toList();
        if (options.json()) {
            ObjectNode root = JsonResult.object();
            ObjectNode counts = root.putObject("states");
            states.forEach(
                    state -> counts.put(state.name(), counts.path(state.name()).asLong() + 1));
            JsonResult.print(context.out(), root);
        } else {
            StateSummary.print(context.out(), states, context.clock().instant());
        }
        return ExitCode.OK;
    }
}
