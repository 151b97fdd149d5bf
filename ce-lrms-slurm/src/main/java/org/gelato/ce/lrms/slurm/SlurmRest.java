package org.gelato.ce.lrms.slurm;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.HttpCall;
import org.gelato.ce.core.account.AccountCommands.HttpResponse;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.command.JobBatches;
import org.gelato.ce.lrms.slurm.RestResponse.Outcome;
import org.gelato.ce.lrms.slurm.RestUnusableException.Scope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hand-over, cancel, hold and release through the account's slurmrestd, which the helper runs: no process for a job. The API
 * version is found by trying, newest first, and counts until slurmrestd no longer has it. Futures fail with
 * {@link RestUnusableException} when nothing was done because slurmrestd can't be used. For any thread.
 */
final class SlurmRest {
    /** Its name in the helper's configuration. */
    static final String SERVICE = "slurmrestd";

    /** The last number of {@code v0.0.NN}: the newest that Slurm 26.05 has, and the oldest of 22.05. */
    static final int NEWEST = 45;

    static final int OLDEST = 36;

    private static final Logger log = LoggerFactory.getLogger(SlurmRest.class);

    private static final String PING = "ping";

    /**
     * From this version on a cancel is refused for another's job, and slurmctld hangs from then on (24.11.5, 26.05.5;
     * docs/developer/protocol/slurmrest.md): whose job it is is read first.
     */
    private static final int OWNER_IS_READ_FIRST = 40;

    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int SERVER_ERROR = 500;

    // numbers of Slurm's error table
    private static final int UNSPECIFIED = -1;
    private static final int UNKNOWN_JOB = 2017;
    private static final int COMPLETING = 2021;
    private static final int FINISHED = 2084;
    /** As the commands print it. */
    private static final String NOT_PERMITTED = "Access/permission denied";

    private static final int MAX_ANSWER = 256 * 1024;
    /** A job with what it has of each node. */
    private static final int MAX_JOB = 4 << 20;
    /** Requests at once; the helper holds some thousands. */
    private static final int MAX_AT_ONCE = 200;

    private static final byte[] NOTHING = new byte[0];
    private static final byte[] HOLD = "{\"hold\":true}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RELEASE = "{\"hold\":false}".getBytes(StandardCharsets.US_ASCII);

    private final SlurmConfig config;
    private final AccountCommands accounts;
    private final RestGate gate;
    private final Map<String, CompletableFuture<Integer>> trials = new ConcurrentHashMap<>();
    /** 0 for none yet. */
    private volatile int version;
    /** The version that the log has. */
    private final AtomicInteger logged = new AtomicInteger();

    /** @param gate receives whether requests are answered */
    SlurmRest(SlurmConfig config, AccountCommands accounts, RestGate gate) {
        this.gate = gate;
        this.config = config;
        this.accounts = accounts;
    }

    /** The last number of the API in use; 0 where none is known. */
    int version() {
        return version;
    }

    /** Which version there is now for an account; fails with {@link RestUnusableException} where slurmrestd can't be used. */
    CompletableFuture<Integer> probe(String account) {
        return tryFrom(account, NEWEST);
    }

    CompletableFuture<SubmitResult> submit(Submission submission) {
        return version(submission.account())
                .thenCompose(number -> send(
                        submission.account(),
                        submission.sandbox(),
                        "POST",
                        number,
                        "job/submit",
                        RestJob.of(submission, config, number)))
                .thenApply(response -> {
                    passOnToSbatch(submission.account(), response);
                    return submitResult(response);
                })
                .handle((result, failure) -> {
                    Throwable cause = failure == null ? null : Causes.of(failure);
                    if (cause instanceof IllegalArgumentException) {
                        return new SubmitResult.Refused(cause.getMessage());
                    }
                    if (cause instanceof RestUnusableException unusable) {
                        throw unusable;
                    }
                    return cause == null
                            ? result
                            : new SubmitResult.Unclear("the fate of the job is unknown: " + cause.getMessage());
                });
    }

    /** What a site's plugin says of a job it refuses is passed on by sbatch alone: once the fate of this try is known, that tries it. */
    private void passOnToSbatch(String account, RestResponse response) {
        if (response.status() >= SERVER_ERROR && response.code() == UNSPECIFIED && gate.fallsBack()) {
            gate.unusable(
                    account,
                    new RestUnusableException(
                            "slurmrestd does not say why a job was not taken: " + response.message(), Scope.ACCOUNT));
        }
    }

    /** @param response to a hand-over that slurmrestd accepted as a request */
    static SubmitResult submitResult(RestResponse response) {
        if (response.jobId() > 0) {
            return new SubmitResult.Accepted(Long.toString(response.jobId()));
        }
        String message = response.message();
        if (response.isFailure()) {
            Optional<SubmitResult> without = SlurmMessages.withoutEffect(message, message);
            if (without.isPresent()) {
                return without.get();
            }
        }
        return response.outcome() == Outcome.REFUSED
                ? new SubmitResult.Refused(message)
                : new SubmitResult.Unclear("the fate of the job is unknown: " + response.text());
    }

    /** Result as of {@link org.gelato.ce.core.lrms.Lrms#cancel}; ids are checked. */
    CompletableFuture<Map<String, String>> cancel(String account, Collection<String> ids) {
        return each(account, ids, (number, id) -> {
            if (number < OWNER_IS_READ_FIRST) {
                return delete(account, number, id);
            }
            return send(account, null, "GET", number, "job/" + id, NOTHING)
                    .thenCompose(job -> job.owner().equals(account)
                            ? delete(account, number, id)
                            : CompletableFuture.completedFuture(notCancelled(job)));
        });
    }

    /** Of a job that is not cancelled, as slurmrestd names another account or none; result as of {@link #cancelResult}. */
    private String notCancelled(RestResponse job) {
        if (!job.owner().isEmpty()) {
            if (!gate.fallsBack()) {
                return NOT_PERMITTED;
            }
            // scancel may decide: it knows accounts by their numbers, and harms nothing
            throw new RestUnusableException("the job's account is called " + job.owner() + " there", Scope.REQUEST);
        }
        if (job.status() == HttpResponse.UNKNOWN || (job.isSuccess() && job.code() == 0)) {
            throw new RestUnusableException(
                    "slurmrestd does not say whose the job is: " + job.text(),
                    job.isSuccess() ? Scope.REQUEST : Scope.NOW);
        }
        return cancelResult(job);
    }

    private CompletableFuture<String> delete(String account, int number, String id) {
        return send(account, null, "DELETE", number, "job/" + id, NOTHING).thenApply(SlurmRest::cancelResult);
    }

    /** As {@link #changeResult}, but that jobs which have ended or are unknown are cancelled. */
    static String cancelResult(RestResponse response) {
        int code = response.code();
        return code == UNKNOWN_JOB || code == FINISHED || code == COMPLETING ? null : changeResult(response);
    }

    /**
     * Of a hold or a release.
     *
     * @return null for success or Slurm's words
     * @throws LrmsException when nothing is known
     */
    static String changeResult(RestResponse response) {
        return switch (response.outcome()) {
            case DONE -> null;
            case DONE_WITH_ERRORS -> response.text();
            case REFUSED -> response.message();
            case NOT_ACCEPTED, UNKNOWN -> throw new LrmsException("slurmrestd: " + response.text());
        };
    }

    CompletableFuture<Map<String, String>> hold(String account, Collection<String> ids) {
        return update(account, ids, HOLD);
    }

    CompletableFuture<Map<String, String>> release(String account, Collection<String> ids) {
        return update(account, ids, RELEASE);
    }

    private CompletableFuture<Map<String, String>> update(String account, Collection<String> ids, byte[] body) {
        return each(
                account,
                ids,
                (number, id) ->
                        send(account, null, "POST", number, "job/" + id, body).thenApply(SlurmRest::changeResult));
    }

    /** @param change of a job by its id, in the API of this number; null or Slurm's words */
    private CompletableFuture<Map<String, String>> each(
            String account, Collection<String> ids, BiFunction<Integer, String, CompletableFuture<String>> change) {
        return JobBatches.inChunks(
                ids,
                MAX_AT_ONCE,
                some -> version(account).thenCompose(number -> {
                    List<CompletableFuture<String>> responses =
                            some.stream().map(id -> change.apply(number, id)).toList();
                    return CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new))
                            .thenApply(ignored -> {
                                Map<String, String> result = new LinkedHashMap<>();
                                for (int k = 0; k < some.size(); k++) {
                                    result.put(some.get(k), responses.get(k).join());
                                }
                                return result;
                            });
                }));
    }

    /** Fails with {@link RestUnusableException} when nothing was done. */
    private CompletableFuture<RestResponse> send(
            String account, Path directory, String method, int number, String target, byte[] body) {
        return call(account, directory, method, number, target, body).thenApply(response -> {
            RestResponse read = RestResponse.of(response);
            if (response.status() == HttpResponse.UNKNOWN) {
                gate.unanswered(account, read.message());
            } else {
                gate.answered(account);
            }
            if (read.outcome() == Outcome.NOT_ACCEPTED) {
                throw notAccepted(number, read);
            }
            if (response.status() != HttpResponse.UNKNOWN) {
                gate.works(account);
            }
            return read;
        });
    }

    private RestUnusableException notAccepted(int number, RestResponse response) {
        if (response.status() == NOT_FOUND) {
            version = 0;
            return new RestUnusableException("slurmrestd has no API v0.0." + number + " any more", Scope.NOW);
        }
        return new RestUnusableException(
                "slurmrestd does not accept the request: " + response.text(),
                response.status() == UNAUTHORIZED ? Scope.ACCOUNT : Scope.REQUEST);
    }

    private CompletableFuture<HttpResponse> call(
            String account, Path directory, String method, int number, String target, byte[] body) {
        HttpCall call = new HttpCall(
                SERVICE,
                directory,
                method,
                "/slurm/v0.0." + number + "/" + target,
                body,
                config.commands().timeout(),
                method.equals("GET") ? MAX_JOB : MAX_ANSWER,
                target.equals(PING));
        CompletableFuture<HttpResponse> response;
        try {
            response = accounts.http(account, call);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        return response.handle((got, failure) -> {
            if (failure == null) {
                return got;
            }
            Throwable cause = Causes.of(failure);
            if (cause instanceof AccountCommandException refused) {
                // nothing was sent; a daemon that is busy now may not be later
                throw new RestUnusableException(
                        refused.getMessage(),
                        refused.code() == AccountCommandException.Code.BUSY ? Scope.NOW : Scope.ACCOUNT);
            }
            throw new CompletionException(cause);
        });
    }

    private CompletableFuture<Integer> version(String account) {
        int known = version;
        if (known != 0) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<Integer> trial = new CompletableFuture<>();
        CompletableFuture<Integer> other = trials.putIfAbsent(account, trial);
        if (other != null) {
            return other;
        }
        tryFrom(account, NEWEST).whenComplete((number, failure) -> {
            if (failure == null) {
                version = number;
                if (logged.getAndSet(number) != number) {
                    log.info("Slurm is used through slurmrestd with its API v0.0.{}", number);
                }
            }
            trials.remove(account);
            if (failure == null) {
                trial.complete(number);
            } else {
                trial.completeExceptionally(Causes.of(failure));
            }
        });
        return trial;
    }

    /**
     * By its ping, which is 404 for an unknown version in all of Slurm 22.05 to 26.05. A version that exists may say 500: slurmctld is
     * away, and the hand-over will say the same.
     */
    private CompletableFuture<Integer> tryFrom(String account, int number) {
        if (number < OLDEST) {
            return CompletableFuture.failedFuture(new RestUnusableException(
                    "slurmrestd has no API from v0.0." + OLDEST + " to v0.0." + NEWEST, Scope.ACCOUNT));
        }
        return call(account, null, "GET", number, PING, NOTHING).thenCompose(response -> {
            int status = response.status();
            if (status == NOT_FOUND) {
                return tryFrom(account, number - 1);
            }
            if (status / 100 == 2 || status >= SERVER_ERROR) {
                return CompletableFuture.completedFuture(number);
            }
            return CompletableFuture.failedFuture(new RestUnusableException(
                    "slurmrestd does not say whether it has the API v0.0." + number + ": "
                            + RestResponse.of(response).text(),
                    // slurmctld that hangs is no fault of the daemon
                    status == HttpResponse.UNKNOWN ? Scope.NOW : Scope.ACCOUNT));
        });
    }
}
