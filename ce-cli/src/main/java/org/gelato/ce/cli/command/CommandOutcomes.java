package org.gelato.ce.cli.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.Grouping;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Response;

/**
 * What became of a command that CEs carry out after they agreed to it. Most do within a second; one that a batch system cannot carry out
 * would else look as if it were under way for ever.
 *
 * @param done those for which it was carried out
 * @param failed why it was not, by job
 * @param open those for which it is under way
 */
record CommandOutcomes(Set<JobUrl> done, Map<JobUrl, String> failed, Set<JobUrl> open) {
    private static final List<Duration> PAUSES = List.of(
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofMillis(800),
            Duration.ofMillis(1500),
            Duration.ofSeconds(2));

    /**
     * Asks until all is known, for five seconds at most. Of jobs of which a CE shows no such command nothing is known.
     *
     * @param command the wire's name
     */
    static CommandOutcomes of(
            String command, Collection<JobUrl> jobs, Function<Endpoint, ComputingElement> connect, CliContext context) {
        CommandOutcomes outcomes =
                new CommandOutcomes(new LinkedHashSet<>(), new LinkedHashMap<>(), new LinkedHashSet<>(jobs));
        Grouping.byEndpoint(List.copyOf(jobs)).forEach((endpoint, own) -> {
            try {
                outcomes.ask(command, connect.apply(endpoint), own, context);
            } catch (CliException e) {
                // The CE agreed; only what became of it is not known.
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return outcomes;
    }

    private void ask(String command, ComputingElement ce, List<JobUrl> jobs, CliContext context)
            throws InterruptedException {
        List<JobUrl> left = jobs;
        for (Duration pause : PAUSES) {
            context.pause().sleep(pause);
            List<JobUrl> under = new ArrayList<>();
            for (Response<JobReport> response :
                    ce.info(JobSelector.of(left.stream().map(JobUrl::localId).toList()))) {
                if (response.value() != null
                        && isOpen(command, new JobUrl(ce.endpoint(), response.subject()), response)) {
                    under.add(new JobUrl(ce.endpoint(), response.subject()));
                }
            }
            if (under.isEmpty()) {
                return;
            }
            left = under;
        }
    }

    /** Takes over what is known of the last of these commands; false where no more is to come. */
    private boolean isOpen(String command, JobUrl job, Response<JobReport> response) {
        JobReport.CommandReport last = response.value().commands().stream()
                .filter(one -> command.equals(one.name()))
                .reduce((first, second) -> second)
                .orElse(null);
        if (last == null) {
            return false;
        }
        switch (last.status()) {
            case "SUCCESSFULL" -> done.add(job);
            case "ERROR" -> failed.put(job, last.failureReason());
            default -> {
                return true;
            }
        }
        open.remove(job);
        return false;
    }
}
