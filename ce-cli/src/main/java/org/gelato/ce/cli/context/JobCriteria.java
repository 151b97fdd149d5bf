package org.gelato.ce.cli.context;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.wire.JobEnding;
import org.gelato.ce.cli.wire.JobNaming;
import org.gelato.ce.cli.wire.JobSelector;
import picocli.CommandLine.Option;

/** What jobs must be like for a command to mean them. */
public final class JobCriteria {
    @Option(
            names = {"-s", "--status"},
            paramLabel = "STATE[:STATE...]",
            hideParamSyntax = true,
            split = "[:,]",
            description = "Only jobs in this state; several with ':' or ',' between.")
    private List<String> states = new ArrayList<>();

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "Only jobs registered then or later: " + TimeText.FORM + ".")
    private Instant from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = TimeText.class,
            description = "Only jobs registered then or earlier.")
    private Instant to;

    @Option(names = "--delegation", paramLabel = "ID", description = "Only jobs with this delegation.")
    private String delegation;

    @Option(names = "--lease", paramLabel = "ID", description = "Only jobs with this lease.")
    private String lease;

    @Option(names = "--name", paramLabel = "NAME", description = "Only jobs that were given this name.")
    private String name;

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            hideParamSyntax = true,
            description = "Only jobs that were given this label. May be repeated: jobs that have all.")
    private List<String> labels = new ArrayList<>();

    @Option(
            names = "--failed",
            description =
                    "Only jobs that have ended without success: DONE-FAILED, ABORTED, and DONE-OK with another exit"
                            + " code than 0.")
    private boolean failed;

    @Option(
            names = "--exit-code",
            paramLabel = "EXPR",
            description = "Only jobs whose program has ended with such an exit code: '!=0', '=3', '>0'.")
    private String exitCode;

    public boolean isGiven() {
        return new JobNaming(name, labels).isGiven()
                || failed
                || exitCode != null
                || !states.isEmpty()
                || from != null
                || to != null
                || delegation != null
                || lease != null;
    }

    /**
     * The jobs of the user that meet all criteria.
     *
     * @throws IllegalArgumentException for criteria that no job can meet
     */
    public JobSelector read() {
        if (from != null && to != null && from.isAfter(to)) {
            throw new IllegalArgumentException("--from is later than --to");
        }
        // An empty id would mean any job.
        if ((delegation != null && delegation.isBlank()) || (lease != null && lease.isBlank())) {
            throw new IllegalArgumentException("--delegation and --lease want an id");
        }
        return new JobSelector(
                List.of(),
                States.of(states),
                from,
                to,
                delegation,
                lease,
                new JobNaming(name, labels).checked(),
                new JobEnding(failed, exitCode).checked());
    }
}
