package org.gelato.ce.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.Grouping;
import org.gelato.ce.cli.display.JobTable;
import org.gelato.ce.cli.display.ProgressBar;
import org.gelato.ce.cli.display.ProgressLine;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobNaming;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What all commands share: the options, the connection, and one way to report a refusal. Used once, by the main thread.
 */
@Command(mixinStandardHelpOptions = true, versionProvider = Ce.Version.class)
abstract class CeCommand implements Callable<Integer> {
    protected final CliContext context;
    protected final CommonOptions options;

    @Spec
    private CommandSpec spec;

    private int failures;

    CeCommand(CliContext context, CommonOptions options) {
        this.context = context;
        this.options = options;
    }

    /** A mistake on the command line: exit code 2. */
    protected final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** As messages begin. */
    protected final String name() {
        return spec.qualifiedName();
    }

    /** Shows how far something is. */
    protected final ProgressBar bar() {
        return new ProgressBar(context, new ProgressLine(context, name()));
    }

    protected final ComputingElement connect(Endpoint endpoint) {
        return context.connector().connect(endpoint, options, context);
    }

    /** The CE of a command that needs exactly one. */
    protected final ComputingElement connectToNamed() {
        return connect(
                named().orElseThrow(
                                () -> usage(
                                        "which CE? Name it with -e HOST[:PORT] or in CE_ENDPOINT, or for good: ce config set endpoint HOST[:PORT]")));
    }

    /** Reports one failure and continues; the command will end with exit code 1. */
    protected final void fail(Object subject, String message) {
        failures++;
        context.err().println(spec.qualifiedName() + ": " + subject + ": " + Printable.line(message));
    }

    /** Prints a table of jobs. The launcher sets the property to the width of the terminal, where standard output is one. */
    protected final void print(List<JobTable.Row> rows) {
        JobTable.print(
                context.out(),
                spec.commandLine().getColorScheme(),
                rows,
                context.clock().instant(),
                Integer.getInteger("gelato.cli.columns", 0));
    }

    /** Reports to people what was done; the results of a command never go this way. */
    protected final void summarize(String text) {
        context.err().println(spec.qualifiedName() + ": " + text);
    }

    /** Reports how many of all jobs have ended, and how. */
    protected final void summarizeEnds(int all, Map<JobUrl, StatusReport> ends) {
        String states = ends.values().stream()
                .map(CeCommand::end)
                .collect(Collectors.groupingBy(end -> end, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(state -> state.getValue() + " " + Printable.line(state.getKey()))
                .collect(Collectors.joining(", "));
        summarize(jobs(ends.size()) + " ended" + (states.isEmpty() ? "" : ": " + states)
                + (ends.size() == all ? "" : "; " + (all - ends.size()) + " not known any more"));
    }

    /** A program's exit code other than 0 is no failure of the job's, and what its user wants to know. */
    private static String end(StatusReport end) {
        return end.ofProgram().orElse(0) == 0 ? end.name() : end.name() + " with exit " + end.exitCode();
    }

    /** A number of jobs in words. */
    protected static String jobs(long number) {
        return number + (number == 1 ? " job" : " jobs");
    }

    protected final boolean failed() {
        return failures > 0;
    }

    /** How many jobs failed; another failure counts as one. */
    protected final int failures() {
        return failures;
    }

    /** The CE named on the command line or in the environment. */
    protected final Optional<Endpoint> named() {
        return options.endpointOr(context.environment());
    }

    /** Calls each job's CE, in bounded requests; a CE that fails is reported and the others are still called. */
    protected final <T> List<JobResponse<T>> ask(
            ChosenJobs.Chosen wanted, BiFunction<ComputingElement, JobSelector, List<Response<T>>> question) {
        ChosenJobs.Chosen chosen = byId(wanted).orElse(null);
        if (chosen == null) {
            return List.of();
        }
        if (chosen.jobs().isEmpty()) {
            ComputingElement ce = connectToNamed();
            try {
                return named(ce.endpoint(), question.apply(ce, chosen.criteria()));
            } catch (CliException e) {
                throw e.mayHaveBeenDone() ? new ConnectionFailure(e.getMessage() + unclear(), e) : e;
            }
        }
        List<JobResponse<T>> responses = new ArrayList<>();
        for (Map.Entry<Endpoint, List<JobUrl>> group :
                Grouping.byEndpoint(chosen.jobs()).entrySet()) {
            ComputingElement ce = connect(group.getKey());
            List<JobUrl> jobs = group.getValue();
            ProgressBar bar = bar();
            for (int from = 0; from < jobs.size(); from += Grouping.JOBS_PER_REQUEST) {
                List<String> ids = jobs.stream()
                        .skip(from)
                        .limit(Grouping.JOBS_PER_REQUEST)
                        .map(JobUrl::localId)
                        .toList();
                if (jobs.size() > ids.size()) {
                    bar.count(from, jobs.size(), "jobs");
                }
                try {
                    responses.addAll(named(
                            group.getKey(), question.apply(ce, chosen.criteria().among(ids))));
                } catch (CliException e) {
                    if (options.debug()) {
                        e.printStackTrace(context.err());
                    }
                    bar.clear();
                    fail(jobs, from, ids.size(), e);
                    break;
                }
            }
            bar.clear();
        }
        return responses;
    }

    /** The same by ids, where jobs are wanted by name or end; empty when no job has it and meets the other criteria. */
    protected final Optional<ChosenJobs.Chosen> byId(ChosenJobs.Chosen chosen) {
        JobSelector criteria = chosen.criteria();
        if (!criteria.needsLookup()) {
            return Optional.of(chosen);
        }
        List<JobUrl> found = new ArrayList<>();
        if (chosen.jobs().isEmpty()) {
            found.addAll(found(connectToNamed(), criteria));
        } else {
            Grouping.byEndpoint(chosen.jobs()).forEach((endpoint, jobs) -> {
                ComputingElement ce = connect(endpoint);
                List<String> ids = jobs.stream().map(JobUrl::localId).toList();
                found.addAll(urls(ce, meeting(ce, criteria, ids, true)));
            });
        }
        if (found.isEmpty()) {
            JobNaming naming = criteria.naming();
            summarize(
                    chosen.jobs().isEmpty() && naming.isGiven()
                            ? "no job of yours has " + naming + criteria.besidesNaming()
                            : "no job of " + (chosen.jobs().isEmpty() ? "yours" : "these") + " meets the criteria");
            return Optional.empty();
        }
        return Optional.of(new ChosenJobs.Chosen(
                found, criteria.among(found.stream().map(JobUrl::localId).toList())));
    }

    private List<JobUrl> found(ComputingElement ce, JobSelector criteria) {
        if (!criteria.naming().isGiven()) {
            return urls(ce, ending(ce, criteria, ce.status(criteria.plain()), false));
        }
        List<String> found = ce.messages().find(criteria.naming());
        return urls(ce, criteria.hasOnlyNaming() ? found : meeting(ce, criteria, found, false));
    }

    private static List<JobUrl> urls(ComputingElement ce, List<String> ids) {
        return ids.stream().map(id -> new JobUrl(ce.endpoint(), id)).toList();
    }

    /**
     * Of named jobs a CE responds for each that does not meet the criteria.
     *
     * @param named by the user, to whom one that is not there is reported
     */
    private List<String> meeting(ComputingElement ce, JobSelector criteria, List<String> ids, boolean named) {
        List<String> meeting = new ArrayList<>();
        for (List<String> some : Grouping.parts(ids, Grouping.JOBS_PER_REQUEST)) {
            meeting.addAll(ending(ce, criteria, ce.status(criteria.plain().among(some)), named));
        }
        return meeting;
    }

    /** Those that have ended as is wanted; without such a wish also those that the CE refuses for another reason than a criterion, which the caller reports. */
    private List<String> ending(
            ComputingElement ce, JobSelector criteria, List<Response<StatusReport>> states, boolean named) {
        List<Response<StatusReport>> known = states.stream()
                .filter(response -> response.refusal()
                        .filter(WireFault::isOfCriteria)
                        .filter(fault -> !named || !fault.kind().equals(MessageCalls.UNKNOWN))
                        .isEmpty())
                .toList();
        if (!criteria.ending().isGiven()) {
            return known.stream().map(Response::subject).toList();
        }
        // The CE knows nothing of ends: what is done to a job is done whatever its end.
        known.forEach(response -> response.refusal()
                .ifPresent(fault -> fail(new JobUrl(ce.endpoint(), response.subject()), fault.advised())));
        return known.stream()
                .filter(response ->
                        response.value() != null && criteria.ending().test(response.value()))
                .map(Response::subject)
                .toList();
    }

    /** What is not known after the response to a request was lost, as the end of a sentence; empty for questions. */
    String unclear() {
        return "";
    }

    /** Reports jobs of one CE for which there is no result: those of the request that failed, and those not sent after it. */
    private void fail(List<JobUrl> jobs, int from, int sent, CliException e) {
        String unclear = e.mayHaveBeenDone() ? unclear() : "";
        if (unclear.isEmpty()) {
            fail(jobs.subList(from, jobs.size()), e.advised());
            return;
        }
        fail(jobs.subList(from, from + sent), e.getMessage() + unclear);
        if (from + sent < jobs.size()) {
            fail(jobs.subList(from + sent, jobs.size()), "not sent, as the connection broke before");
        }
    }

    private void fail(List<JobUrl> jobs, String message) {
        fail(
                jobs.size() == 1
                        ? jobs.get(0)
                        : jobs(jobs.size()) + " from " + jobs.get(0).localId() + " on",
                message);
        failures += jobs.size() - 1;
    }

    private static <T> List<JobResponse<T>> named(Endpoint endpoint, List<Response<T>> responses) {
        return responses.stream()
                .map(response -> new JobResponse<>(new JobUrl(endpoint, response.subject()), response))
                .toList();
    }

    /** A result with the full name of its job. */
    record JobResponse<T>(JobUrl job, Response<T> response) {}
}
