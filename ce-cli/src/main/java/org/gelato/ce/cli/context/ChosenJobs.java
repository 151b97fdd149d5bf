package org.gelato.ce.cli.context;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.cli.terminal.ShellText;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The jobs a command is about: named ones, or all jobs of the user on one CE, and of these those that meet criteria. */
public final class ChosenJobs {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private JobIdArguments ids = new JobIdArguments();

    @Mixin
    private JobCriteria criteria = new JobCriteria();

    @Option(
            names = {"-a", "--all"},
            description = "All your jobs on the CE that meet the other criteria.")
    private boolean all;

    /**
     * What was chosen.
     *
     * @param jobs empty for all jobs on the one CE named
     */
    public record Chosen(List<JobUrl> jobs, JobSelector criteria) {}

    /**
     * The choice of a command that changes jobs: without names it wants {@code --all}, so that a forgotten name is never
     * taken for all jobs.
     *
     * @throws IllegalArgumentException for no choice, or two
     */
    public Chosen ofChange(InputStream in, Optional<Endpoint> known) {
        return read(
                in,
                known,
                all,
                criteria.isGiven()
                        ? "For all of yours that meet the criteria write: " + typed() + " --all"
                        : "name jobs, or give --all");
    }

    private String typed() {
        List<String> words =
                new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
        words.add(0, spec.root().name());
        return ShellText.of(words);
    }

    /**
     * The choice of a command that only reads.
     *
     * @throws IllegalArgumentException for no choice, or two
     */
    public Chosen ofQuestion(InputStream in, Optional<Endpoint> known) {
        return read(in, known, all || criteria.isGiven(), "name jobs, give criteria, or give --all");
    }

    /** Whether nothing names or describes jobs. */
    public boolean isEmpty() {
        return !ids.isGiven() && !all && !criteria.isGiven();
    }

    private Chosen read(InputStream in, Optional<Endpoint> known, boolean everything, String advice) {
        if (ids.isGiven() && all) {
            throw new IllegalArgumentException("--all and names of jobs exclude each other");
        }
        if (ids.isGiven() && criteria.read().naming().isGiven()) {
            throw new IllegalArgumentException("--name and --label are about all your jobs: leave ids of jobs out");
        }
        if (ids.isGiven()) {
            return new Chosen(ids.read(in, known), criteria.read());
        }
        if (!everything) {
            throw new IllegalArgumentException("which jobs? " + advice);
        }
        return new Chosen(List.of(), criteria.read());
    }
}
