package org.gelato.ce.ws.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;

/**
 * A job of one second that a check gives to the batch system, as an account and in a sandbox like those of users' jobs. It shows
 * whether the batch system takes and runs jobs, and whether worker nodes see the files that the CE sees. What it makes is removed.
 */
public final class TestJob {
    private static final Duration STEP = Duration.ofSeconds(30);
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private static final int MAX_SEEN = 4096;

    private final CeConfig config;
    private final String account;
    private final AccountCommands accounts;
    private final Lrms lrms;
    private final List<ServerTrace.Step> steps = new ArrayList<>();
    private final SecureRandom random = new SecureRandom();
    private Instant handedOver;
    /** Null before that was known. */
    private Boolean isFoundWithoutId;

    /** Opens the configured batch system; its caller closes it. */
    @FunctionalInterface
    public interface Opening {
        Lrms open(CeConfig config, AccountCommands accounts) throws IOException;
    }

    private TestJob(CeConfig config, String account, AccountCommands accounts, Lrms lrms) {
        this.config = config;
        this.account = account;
        this.accounts = accounts;
        this.lrms = lrms;
    }

    /**
     * Runs a job and waits for its end.
     *
     * @param file the configuration
     * @param account local account the job runs as
     * @param patience how long the job may wait and run
     * @return the steps in order; only the last may not be passed
     * @throws ConfigurationException when the file cannot be used
     * @throws IOException when no helper can be started
     */
    public static List<ServerTrace.Step> steps(Path file, String account, Duration patience, Opening opening)
            throws IOException {
        CeConfig config = CeConfig.load(file);
        List<ServerTrace.Step> steps = new ArrayList<>();
        HelperCheck.with(config, accounts -> {
            try (Lrms lrms = opening.open(config, accounts)) {
                TestJob job = new TestJob(config, account, accounts, lrms);
                job.run(patience);
                steps.addAll(job.steps);
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                steps.add(new ServerTrace.Step(
                        "batch system", false, "cannot be opened: " + e.getMessage(), "run ce server check"));
            }
        });
        return steps;
    }

    private void run(Duration patience) {
        byte[] token = new byte[16];
        random.nextBytes(token);
        String secret = HexFormat.of().formatHex(token);
        // The helper admits what lies in an owner's home alone.
        Path home = new SandboxLayout(config.sandboxRoot()).home(new Owner("CN=ce server check", "", null), account);
        Path directory = home.resolve("check-" + secret.substring(0, 16));
        // A number like those of users' jobs: the batch system's adapters know jobs by their sandboxes and names alone.
        JobId id = new JobId(random.nextInt(JobId.SPACE));
        Path sandbox = directory.resolve(id.toString());
        if (isUnsupported()) {
            return;
        }
        try {
            if (made(sandbox, secret)) {
                handedOver(id, sandbox, secret, patience);
            }
        } finally {
            try {
                await(accounts.remove(account, directory));
            } catch (Refused e) {
                steps.add(stop("clean", directory + " was not removed: " + e.getMessage(), "remove it by hand"));
            }
        }
    }

    /** Where the batch system does not respond, the hand-over says so. */
    private boolean isUnsupported() {
        Optional<LrmsSite.Unsupported> found;
        try {
            found = await(config.lrms().site().unsupported(accounts, account));
        } catch (Refused e) {
            return false;
        }
        found.ifPresent(one -> steps.add(
                one.inPart()
                        ? ok("batch system", one.what() + ": " + one.advice())
                        : stop("batch system", one.what(), one.advice())));
        return found.filter(one -> !one.inPart()).isPresent();
    }

    private boolean made(Path sandbox, String secret) {
        try {
            await(accounts.makeDirectory(account, sandbox));
            await(accounts.put(
                    account,
                    new FileContent(sandbox.resolve("token"), 0600, secret.getBytes(StandardCharsets.US_ASCII))));
            steps.add(ok("sandbox", sandbox + " was made as " + account));
            return true;
        } catch (Refused e) {
            steps.add(stop(
                    "sandbox",
                    sandbox + " cannot be made as " + account + ": " + e.getMessage(),
                    "see that the account may pass to the sandbox root, and that the helper serves it ("
                            + Manual.page("docs/developer/helper.md") + ")"));
            return false;
        }
    }

    private void handedOver(JobId id, Path sandbox, String secret, Duration patience) {
        String queue = config.lrms().queues().get(0);
        String script = "#!/bin/sh\ncd '" + sandbox + "' || exit 3\ncat token > seen || exit 4\necho >> seen\n"
                + "hostname >> seen\nsleep 1\n";
        Submission submission = new Submission(
                id,
                1,
                account,
                queue,
                sandbox,
                script,
                JobRequest.of(
                        new JobRequest.Executable("/bin/sh", ""),
                        new JobRequest.Resources(
                                lrms.name(), queue, new JobRequest.NodeRequest(1, null, null, false))));
        SubmitResult result;
        try {
            result = await(lrms.submit(List.of(submission)).get(0));
        } catch (Refused e) {
            steps.add(stop("hand-over", e.getMessage(), "see the batch system's logs"));
            return;
        }
        if (!(result instanceof SubmitResult.Accepted accepted)) {
            steps.add(
                    stop("hand-over", "queue " + queue + " does not take the job: " + result, "see the batch system"));
            return;
        }
        steps.add(ok("hand-over", "queue " + queue + " took the job as " + accepted.lrmsId()));
        ended(sandbox, secret, submission, accepted.lrmsId(), patience);
    }

    private void ended(Path sandbox, String secret, Submission submission, String lrmsId, Duration patience) {
        LrmsJob last = null;
        handedOver = Instant.now();
        for (long end = System.nanoTime() + patience.toNanos(); System.nanoTime() < end; ) {
            try {
                last = found(submission.id(), lrmsId);
                if (last != null && last.state() != LrmsJob.State.UNKNOWN && !Boolean.TRUE.equals(isFoundWithoutId)) {
                    LrmsJob named = found(submission.id(), null);
                    if (named == null || !named.isUnreadable()) {
                        isFoundWithoutId = named != null;
                    }
                }
            } catch (Refused e) {
                steps.add(stop("run", "the batch system cannot be queried: " + e.getMessage(), "see its logs"));
                return;
            }
            if (last == null || last.state().isEnd()) {
                break;
            }
            LockSupport.parkNanos(BETWEEN.toNanos());
        }
        if (last != null && !last.state().isEnd()) {
            steps.add(stop(
                    "run",
                    lrmsId + " is " + last.state() + because(last) + " after " + patience.toSeconds()
                            + " s, and is cancelled",
                    "see why the queue starts no jobs"));
            try {
                await(lrms.cancel(account, List.of(lrmsId)));
            } catch (Refused e) {
                steps.add(stop("cancel", lrmsId + " was not cancelled: " + e.getMessage(), "cancel it by hand"));
            }
            return;
        }
        if (last != null && last.state() != LrmsJob.State.DONE) {
            steps.add(stop(
                    "run",
                    lrmsId + " is " + last.state() + because(last),
                    "see the batch system's logs, and that nodes run jobs as " + account + " and see " + sandbox));
            return;
        }
        if (last != null
                && last.exitCode() != null
                && last.exitCode() != 0
                && last.exitCode() != 3
                && last.exitCode() != 4) {
            steps.add(stop("run", lrmsId + " ended with " + last.exitCode() + " " + last.reason(), "see its logs"));
            return;
        }
        steps.add(ok(
                "run",
                lrmsId + " ended" + (last == null || last.workerNode() == null ? "" : " on " + last.workerNode())));
        shared(sandbox, secret);
        if (steps.get(steps.size() - 1).passed()) {
            named(submission.id());
        }
    }

    private static String because(LrmsJob job) {
        return job.reason() == null ? "" : " (" + job.reason() + ")";
    }

    private LrmsJob found(JobId id, String lrmsId) throws Refused {
        return await(lrms.find(Set.of(new Lrms.Lookup(id.tag(), account, lrmsId, handedOver))))
                .get(id.tag());
    }

    /** The last step: a job whose hand-over breaks off before its id is known. */
    private void named(JobId id) {
        if (Boolean.FALSE.equals(isFoundWithoutId)) {
            steps.add(stop(
                    "look-up",
                    "the job is not found by its name " + id.tag()
                            + " without its id, as a job is sought whose hand-over broke off",
                    "let the site's plugin for submissions leave the name or the comment of the CE's jobs alone"));
        }
    }

    private void shared(Path sandbox, String secret) {
        if (!config.sandbox().shared()) {
            steps.add(ok("files", "worker nodes need not see the sandboxes (gelato.sandbox.shared = false)"));
            return;
        }
        try {
            String seen = new String(
                    await(accounts.get(account, sandbox.resolve("seen"), 0, MAX_SEEN))
                            .content(),
                    StandardCharsets.UTF_8);
            List<String> lines = seen.lines().toList();
            if (!lines.isEmpty() && lines.get(0).equals(secret)) {
                steps.add(ok("files", "node " + (lines.size() > 1 ? lines.get(1) : "?") + " sees what this host sees"));
                return;
            }
            steps.add(notShared("the node read another file"));
        } catch (Refused e) {
            steps.add(notShared(e.getMessage()));
        }
    }

    private ServerTrace.Step notShared(String why) {
        return stop(
                "files",
                "the worker node does not see the sandbox root " + config.sandboxRoot() + ": " + why,
                "share it with all nodes under the same path, or set gelato.sandbox.shared = false ("
                        + Manual.page("docs/admin/worker-nodes.md") + ")");
    }

    private static ServerTrace.Step ok(String name, String what) {
        return new ServerTrace.Step(name, true, what, null);
    }

    private static ServerTrace.Step stop(String name, String what, String advice) {
        return new ServerTrace.Step(name, false, what, advice);
    }

    /** What was requested failed; the message is for an administrator. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    private static <T> T await(CompletableFuture<T> future) throws Refused {
        try {
            return future.get(STEP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new Refused(String.valueOf(e.getCause().getMessage()));
        } catch (TimeoutException e) {
            throw new Refused("no response within " + STEP.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused("interrupted");
        }
    }
}
