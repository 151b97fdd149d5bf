package org.gelato.ce.lrms.slurm;

import io.micrometer.core.instrument.FunctionCounter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.Renderers;
import org.gelato.ce.core.lrms.command.CommandSite;
import org.gelato.ce.core.lrms.command.LrmsCommands;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.core.lrms.type.LrmsOpening;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.SiteFile;

/**
 * A site's Slurm.
 *
 * @param config how it is reached
 */
public record SlurmSite(SlurmConfig config) implements LrmsSite {
    /** Those no job can do without; sacct is missing where there is no accounting. */
    private static final List<String> NEEDED = List.of("sbatch", "scancel", "squeue", "scontrol");

    private static final List<String> ALL = List.of("sbatch", "scancel", "squeue", "scontrol", "sinfo", "sacct");
    private static final Pattern FEDERATION = Pattern.compile("(?m)^Federation:[ \t]*([A-Za-z0-9_.-]+)");
    private static final Pattern MIN_JOB_AGE = Pattern.compile("(?m)^MinJobAge\\s*= ([0-9]{1,9}) sec");
    private static final Pattern CLUSTER = Pattern.compile("(?m)^ClusterName\\s*= (\\S+)");
    /** With an address behind it where that is not the host's. */
    private static final Pattern CONTROLLER =
            Pattern.compile("(?m)^(?:SlurmctldHost\\[0\\]|ControlMachine)\\s*= ([^\\s(]+)");

    private static final int MAX_SHOWN = 65_536;
    private static final String BLOCK = SlurmType.BLOCK;
    private static final String PAGE = Manual.page("docs/admin/slurm.md");

    /** For a site that wants slurmrestd alone and cannot have it. */
    static final String REST_ADVICE =
            "run ce server check, correct that (" + PAGE + "), or set " + BLOCK + "api = auto";

    @Override
    public String idName() {
        return "slurm";
    }

    @Override
    public Lrms open(LrmsOpening opening) {
        SlurmLrms slurm = new SlurmLrms(config, opening.accounts(), opening.work());
        FunctionCounter.builder("ce.slurm.api.fallbacks", slurm, SlurmLrms::fallbacks)
                .description("Requests to Slurm by a command though slurmrestd was to be used")
                .register(opening.meters());
        return slurm;
    }

    @Override
    public Renderers<?> renderers() {
        return SlurmOption.RENDERERS;
    }

    @Override
    public List<HelperLine> helperLines() {
        List<HelperLine> lines =
                config.site().executables(ALL, config.commands().submitAttributes());
        if (config.api() != SlurmConfig.Api.COMMANDS) {
            Stream.concat(
                            SlurmRestService.lines(config).stream().map(line -> "account_service=" + line),
                            SlurmRestService.environment(config).stream()
                                    .map(variable -> "account_service_environment=" + variable))
                    .map(this::ofRest)
                    .forEach(lines::add);
        }
        lines.add(new HelperLine(
                "self_executable=" + SlurmOwnAccountCommands.settings(config),
                "a CE with another cluster is not refused on this database",
                "set gelato.lrms.identity"));
        lines.addAll(
                CommandSite.own(SlurmOwnAccountCommands.lines(config), SlurmOwnAccountCommands.environment(config)));
        return lines;
    }

    /** {@inheritDoc} Clusters have the same name where nobody gave them one; so that of the host of the first controller goes with it. */
    @Override
    public CompletableFuture<Optional<String>> identity(AccountCommands accounts, Path stateDirectory) {
        LrmsCommands commands = new LrmsCommands(config.site(), accounts, SlurmMessages::brief);
        return commands.run(AccountCommands.SELF, "scontrol", SlurmOwnAccountCommands.SETTINGS)
                .thenApply(completed -> {
                    commands.endedWell("scontrol", completed);
                    return cluster(completed.stdout());
                });
    }

    private static Optional<String> cluster(String settings) {
        Matcher name = CLUSTER.matcher(settings);
        Matcher host = CONTROLLER.matcher(settings);
        return name.find() && host.find()
                ? Optional.of(("cluster " + name.group(1) + " of " + host.group(1)).toLowerCase(Locale.ROOT))
                : Optional.empty();
    }

    private HelperLine ofRest(String text) {
        return config.api() == SlurmConfig.Api.REST
                ? new HelperLine(text, null, null)
                : new HelperLine(
                        text, "jobs are handed over by sbatch, not by slurmrestd", "set " + BLOCK + "api = commands");
    }

    @Override
    public List<SiteFile> files() {
        List<SiteFile> files = config.site().programs(BLOCK + "bin-directory", NEEDED);
        if (config.confFile() != null) {
            files.add(SiteFile.file(BLOCK + "conf", config.confFile()));
        }
        if (config.api() == SlurmConfig.Api.REST) {
            files.add(new SiteFile(
                    SiteFile.Kind.PROGRAM,
                    BLOCK + "slurmrestd",
                    config.restDaemon(),
                    "install it (Debian: package slurmrestd)"));
        }
        if (config.accounting() == SlurmConfig.Accounting.YES) {
            files.add(SiteFile.program(
                    BLOCK + "accounting", config.commands().binDirectory().resolve("sacct")));
        }
        if (config.commands().submitAttributes() != null) {
            files.add(
                    SiteFile.file(BLOCK + "submit-attributes", config.commands().submitAttributes()));
        }
        if (config.jobCompletionLog() != null) {
            files.add(SiteFile.file(BLOCK + "job-completion-log", config.jobCompletionLog()));
        }
        return files;
    }

    /** {@inheritDoc} A federation may start a job in a sibling cluster: it is REVOKED here, while its wrapper runs where this CE cannot follow it. */
    @Override
    public CompletableFuture<Optional<Unsupported>> unsupported(AccountCommands accounts, String account) {
        return federation(accounts, account)
                .thenCompose(found -> found.isPresent() || config.api() != SlurmConfig.Api.REST
                        ? CompletableFuture.completedFuture(found)
                        : withoutRest(accounts, account));
    }

    private CompletableFuture<Optional<Unsupported>> withoutRest(AccountCommands accounts, String account) {
        return new SlurmRest(config, accounts, new RestGate(System::nanoTime, false))
                .probe(account)
                .handle((version, failure) -> failure == null
                        ? Optional.empty()
                        : Optional.of(new Unsupported(
                                BLOCK + "api",
                                "slurmrestd cannot be used as " + account + ", and nothing else is allowed: "
                                        + Causes.of(failure).getMessage(),
                                "correct that (" + PAGE + "), or set " + BLOCK + "api = auto")));
    }

    /** {@inheritDoc} Zero keeps them for ever. */
    @Override
    public CompletableFuture<Optional<EndsShown>> endsShown(AccountCommands accounts, String account) {
        boolean accounted = config.accounting() != SlurmConfig.Accounting.NO;
        String log = config.jobCompletionLog() == null ? null : "its job completion log";
        return show(accounts, account, "config")
                .thenApply(result -> MIN_JOB_AGE
                        .matcher(result.stdout())
                        .results()
                        .map(found -> Duration.ofSeconds(Long.parseLong(found.group(1))))
                        .filter(age -> !age.isZero())
                        .map(age -> new EndsShown(age, "MinJobAge", accounted ? "its accounting (sacct)" : log))
                        .findFirst());
    }

    private CompletableFuture<AccountCommands.Completed> show(AccountCommands accounts, String account, String what) {
        return accounts.run(
                account,
                new AccountCommands.Run(
                        List.of(config.site().program("scontrol"), "show", what),
                        null,
                        config.site().environment(),
                        new byte[0],
                        List.of(),
                        config.commands().timeout(),
                        MAX_SHOWN));
    }

    private CompletableFuture<Optional<Unsupported>> federation(AccountCommands accounts, String account) {
        return show(accounts, account, "federation")
                .thenApply(result -> FEDERATION
                        .matcher(result.stdout())
                        .results()
                        .map(found -> new Unsupported(
                                "gelato.lrms.kind",
                                "this cluster is a member of the federation '" + found.group(1)
                                        + "', whose other clusters may start its jobs where this CE cannot follow them",
                                "take it out of the federation (sacctmgr modify federation), or use another cluster"))
                        .findFirst());
    }

    @Override
    public String statusCommands() {
        return "sinfo";
    }
}
