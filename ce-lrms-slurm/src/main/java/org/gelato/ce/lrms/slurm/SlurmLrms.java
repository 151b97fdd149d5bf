package org.gelato.ce.lrms.slurm;

import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.DiagnosticCommands;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SupportedRequests;
import org.gelato.ce.core.lrms.command.JobBatches;
import org.gelato.ce.core.lrms.command.LrmsCommands;
import org.gelato.ce.core.route.Setting;

/**
 * Slurm through slurmrestd and its own commands (docs/developer/protocol/lrms.md). Jobs are handed over, cancelled, held and released by
 * the account's slurmrestd without a process, or by one process for each hand-over (one more where the site has a
 * {@code slurm_local_submit_attributes.sh}) and for many cancels, as
 * {@link SlurmConfig#api} says; a poll of all jobs is one process always. Reports a job as not accepted only where that is certain;
 * every other failure is {@link SubmitResult.Unclear}. Called from any thread, never blocks, keeps no state but whether slurmrestd can be used:
 * after a crash Slurm itself is queried by tag. Futures other than submit's fail with {@link LrmsException} when Slurm
 * reported no result, and as {@link AccountCommands} says when the helper failed.
 */
public final class SlurmLrms implements Lrms {
    private static final Pattern ID = Pattern.compile("[0-9]{1,10}");

    private final SlurmConfig config;
    private final LrmsCommands commands;
    private final SlurmRest rest;
    private final RestGate gate;
    private final SlurmLookup lookup;
    private final SlurmHolds holds;
    private final Executor work;

    /**
     * @param accounts the helper; must allow the commands in {@link SlurmConfig#commands}
     * @param work runs the parsing of large listings and the reading of the job completion log; may block for seconds
     */
    public SlurmLrms(SlurmConfig config, AccountCommands accounts, Executor work) {
        SecureRandom random = new SecureRandom();
        this.work = work;
        this.config = config;
        this.commands = new LrmsCommands(config.site(), accounts, SlurmMessages::brief);
        this.gate = new RestGate(System::nanoTime, config.api() == SlurmConfig.Api.AUTO);
        this.rest = new SlurmRest(config, accounts, gate);
        this.lookup = new SlurmLookup(config, commands, () -> mark(random), work);
        this.holds = new SlurmHolds(lookup, new Verbs(), config.suspendRunning());
    }

    @Override
    public String name() {
        return "slurm";
    }

    @Override
    public DiagnosticCommands diagnosticCommands() {
        return new DiagnosticCommands(
                "Slurm",
                List.of("systemctl status slurmctld", "scontrol ping"),
                List.of("sinfo"),
                List.of(
                        "scontrol show job %s",
                        "sacct -j %s --format=JobID,State,ExitCode,NodeList,MaxRSS,Elapsed,Reason"));
    }

    @Override
    public SupportedRequests supportedRequests() {
        return SlurmOption.RENDERERS.options(config.commands().submitAttributes() != null);
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        return batch.stream().map(this::submit).toList();
    }

    private CompletableFuture<SubmitResult> submit(Submission submission) {
        return commands.withAttributes(
                submission, config.commands().submitAttributes(), attributes -> submit(submission, attributes));
    }

    private CompletableFuture<SubmitResult> submit(Submission submission, SiteScriptLines attributes) {
        // slurmrestd reads no directives, and has other names for further options
        if (!attributes.isEmpty()
                || Setting.ATTRIBUTES.of(submission.settings()) != null
                || !byRest(submission.account())) {
            return sbatch(submission, attributes);
        }
        String account = submission.account();
        return rest.submit(submission)
                .handle((result, failure) -> {
                    if (failure == null) {
                        return limited(submission, attributes, result);
                    }
                    RestUnusableException unusable = (RestUnusableException) Causes.of(failure);
                    gate.unusable(account, unusable);
                    if (config.api() == SlurmConfig.Api.AUTO) {
                        return sbatch(submission, attributes);
                    }
                    return CompletableFuture.<SubmitResult>completedFuture(
                            unusable.scope() == RestUnusableException.Scope.REQUEST
                                    ? new SubmitResult.Refused(unusable.getMessage() + generic(submission))
                                    : new SubmitResult.Unavailable(unusable.getMessage()));
                })
                .thenCompose(Function.identity());
    }

    /** A job that a policy does not allow: of slurmrestd and sbatch, only the latter names the limit. */
    private CompletableFuture<SubmitResult> limited(
            Submission submission, SiteScriptLines attributes, SubmitResult result) {
        if (!(result instanceof SubmitResult.Refused refused && refused.again())) {
            return CompletableFuture.completedFuture(result);
        }
        return config.api() == SlurmConfig.Api.AUTO
                ? sbatch(submission, attributes)
                : CompletableFuture.completedFuture(
                        new SubmitResult.Unavailable(refused.reason(), SubmitResult.Scope.ACCOUNT_IN_QUEUE));
    }

    /** slurmrestd does not say so when it is a generic resource that the site has not got. */
    private String generic(Submission submission) {
        Object generic =
                SbatchCommand.options(submission, config.wrapperOutput()).get(SlurmOption.GRES);
        return generic == null
                ? ""
                : "; the job requests the generic resources (gres) " + SlurmOption.generic(generic, "");
    }

    private boolean byRest(String account) {
        return config.api() == SlurmConfig.Api.REST || (config.api() == SlurmConfig.Api.AUTO && gate.isOpen(account));
    }

    /** Requests that went to Slurm by a command though slurmrestd was to be used, since the start. */
    public long fallbacks() {
        return gate.fallbacks();
    }

    private CompletableFuture<SubmitResult> sbatch(Submission submission, SiteScriptLines attributes) {
        return commands.submit(
                submission, () -> SbatchCommand.of(submission, attributes, config), new SbatchResponse());
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        return change(
                account,
                lrmsIds,
                rest::cancel,
                ids -> inChunks(account, ids, "scancel", some -> some, PerJobResults::ofScancel));
    }

    @Override
    public CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds) {
        return holds.hold(account, lrmsIds);
    }

    @Override
    public CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds) {
        return holds.release(account, lrmsIds, false);
    }

    @Override
    public CompletableFuture<Map<String, String>> resume(String account, Collection<String> lrmsIds) {
        return holds.release(account, lrmsIds, config.suspendRunning());
    }

    /** What {@link SlurmHolds} does to jobs. */
    private final class Verbs implements SlurmHolds.Verbs {
        @Override
        public CompletableFuture<Map<String, String>> hold(String account, Collection<String> ids) {
            return change(account, ids, rest::hold, some -> scontrol(account, some, "hold"));
        }

        @Override
        public CompletableFuture<Map<String, String>> release(String account, Collection<String> ids) {
            return change(account, ids, rest::release, some -> scontrol(account, some, "release"));
        }

        @Override
        public CompletableFuture<Map<String, String>> suspend(Collection<String> ids) {
            return scontrol(AccountCommands.SELF, ids, "suspend");
        }

        @Override
        public CompletableFuture<Map<String, String>> resume(Collection<String> ids) {
            return scontrol(AccountCommands.SELF, ids, "resume");
        }
    }

    private CompletableFuture<Map<String, String>> scontrol(String account, Collection<String> ids, String what) {
        return inChunks(
                account, ids, "scontrol", some -> List.of(what, String.join(",", some)), PerJobResults::ofScontrol);
    }

    /** Through slurmrestd or by a command; all three changes may be repeated. */
    private CompletableFuture<Map<String, String>> change(
            String account,
            Collection<String> lrmsIds,
            BiFunction<String, Collection<String>, CompletableFuture<Map<String, String>>> byRest,
            Function<Collection<String>, CompletableFuture<Map<String, String>>> byCommand) {
        // one invalid id would make Slurm drop the whole call
        return JobBatches.valid(
                lrmsIds,
                ID,
                "not the id of a Slurm job",
                ids -> byRest(account)
                        ? restOr(account, byRest.apply(account, ids), () -> byCommand.apply(ids))
                        : byCommand.apply(ids));
    }

    private CompletableFuture<Map<String, String>> restOr(
            String account,
            CompletableFuture<Map<String, String>> response,
            Supplier<CompletableFuture<Map<String, String>>> byCommand) {
        return response.handle((part, failure) -> {
                    Throwable cause = failure == null ? null : Causes.of(failure);
                    if (cause instanceof RestUnusableException unusable) {
                        gate.unusable(account, unusable);
                        if (config.api() == SlurmConfig.Api.AUTO) {
                            return byCommand.get();
                        }
                    }
                    return cause == null
                            ? CompletableFuture.completedFuture(part)
                            : CompletableFuture.<Map<String, String>>failedFuture(cause);
                })
                .thenCompose(Function.identity());
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll() {
        return lookup.all(List.of());
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll(Collection<String> followed) {
        return lookup.all(followed);
    }

    @Override
    public boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        return lookup.find(lookups);
    }

    /** {@inheritDoc} A slurmctld that was killed continues from the last number it saved. */
    @Override
    public CompletableFuture<Set<String>> stillOwned(Collection<Lookup> jobs) {
        return lookup.shown(jobs);
    }

    @Override
    public Optional<String> vendorMessage(String line) {
        return EndDetails.vendorMessage(line);
    }

    @Override
    public CompletableFuture<Health> health() {
        // one line for each controller; one that is up is enough
        return commands.health(
                "scontrol",
                List.of("ping"),
                "scontrol ping",
                completed -> completed
                        .stdout()
                        .lines()
                        .filter(line -> line.endsWith(" is UP"))
                        .findFirst()
                        .map(line -> new Health(true, line))
                        .orElseGet(() -> new Health(
                                false, SlurmMessages.brief(completed.stdout() + "\n" + completed.stderr()))));
    }

    /** {@inheritDoc} A partition without nodes is not shown. */
    @Override
    public CompletableFuture<ClusterStatus> status() {
        SinfoListing listing = new SinfoListing();
        return commands.read("sinfo", SinfoListing.ARGUMENTS, work, listing::take)
                .thenApply(ended -> listing.status().withApi(api()));
    }

    private String api() {
        return config.api() == SlurmConfig.Api.COMMANDS ? "commands" : gate.inUse(rest.version());
    }

    @Override
    public Optional<String> handOverTrouble() {
        if (config.api() != SlurmConfig.Api.REST) {
            return Optional.empty();
        }
        Optional<String> trouble = Files.isExecutable(config.restDaemon())
                ? gate.trouble()
                : Optional.of("there is no program " + config.restDaemon());
        return trouble.map(reason -> "slurmrestd cannot be used, and " + SlurmType.BLOCK
                + "api = rest allows nothing else: " + reason + "; " + SlurmSite.REST_ADVICE);
    }

    @Override
    public int statusCommands() {
        return 1;
    }

    private CompletableFuture<Map<String, String>> inChunks(
            String account,
            Collection<String> lrmsIds,
            String program,
            Function<List<String>, List<String>> arguments,
            BiFunction<Collection<String>, Completed, Map<String, String>> reader) {
        return JobBatches.inChunks(
                lrmsIds, JobBatches.MAX, some -> oneCall(account, some, program, arguments.apply(some), reader));
    }

    private CompletableFuture<Map<String, String>> oneCall(
            String account,
            List<String> ids,
            String program,
            List<String> arguments,
            BiFunction<Collection<String>, Completed, Map<String, String>> reader) {
        return commands.run(account, program, arguments).handle((completed, failure) -> {
            if (failure == null) {
                return reader.apply(ids, completed);
            }
            Throwable cause = Causes.of(failure);
            if (cause instanceof AccountCommandException refused
                    && refused.code() == AccountCommandException.Code.REFUSED) {
                Map<String, String> results = new LinkedHashMap<>();
                ids.forEach(id -> results.put(id, refused.getMessage()));
                return results;
            }
            throw new CompletionException(cause);
        });
    }

    private static String mark(SecureRandom random) {
        byte[] bytes = new byte[4];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
