package org.gelato.ce.lrms.condor;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;

/**
 * Hands jobs over in rounds: what waits for one account and queue, and requests the same, becomes one condor_submit, and what comes
 * meanwhile the next one. A job that waits for nothing goes at once. Thread-safe; what it keeps are jobs whose futures are not complete.
 */
final class Rounds {
    /** Jobs in one command: the helper accepts 512 words in all, three for each file. */
    static final int MAX = 150;
    /** Bytes of wrappers in one message to the helper. */
    private static final long MAX_BYTES = 6L << 20;

    private static final int MAX_MESSAGE = 64 * 1024;
    private static final int SCRIPT_MODE = 0700;
    private static final int ROUND_BYTES = 6;

    private final CondorConfig config;
    private final AccountCommands accounts;
    private final SecureRandom random = new SecureRandom();
    private final Map<Lane, Deque<Waiting>> waiting = new HashMap<>();
    /** Jobs in one command as far as HTCondor takes them: its {@code MAX_JOBS_PER_SUBMISSION} is found out. */
    private final AtomicInteger most = new AtomicInteger(MAX);

    /** Jobs that may go together. */
    private record Lane(String account, String queue, SubmitDescription description) {}

    private record Waiting(Submission job, CompletableFuture<SubmitResult> result) {}

    Rounds(CondorConfig config, AccountCommands accounts) {
        this.config = config;
        this.accounts = accounts;
    }

    /** A job to be handed over; never fails. */
    record Ready(Submission job, SubmitDescription description) {}

    /** Hands over jobs that came together; never blocks. */
    List<CompletableFuture<SubmitResult>> submit(List<Ready> jobs) {
        List<CompletableFuture<SubmitResult>> results = new ArrayList<>();
        List<Lane> idle = new ArrayList<>();
        synchronized (waiting) {
            for (Ready ready : jobs) {
                Lane lane = new Lane(ready.job().account(), ready.job().queue(), ready.description());
                Deque<Waiting> others = waiting.get(lane);
                if (others == null) {
                    others = new ArrayDeque<>();
                    waiting.put(lane, others);
                    idle.add(lane);
                }
                Waiting one = new Waiting(ready.job(), new CompletableFuture<>());
                others.add(one);
                results.add(one.result());
            }
        }
        idle.forEach(this::next);
        return results;
    }

    /** The next round of a lane, which has none under way. */
    private void next(Lane lane) {
        List<Waiting> round = new ArrayList<>();
        synchronized (waiting) {
            Deque<Waiting> all = waiting.get(lane);
            long bytes = 0;
            while (!all.isEmpty() && round.size() < most.get()) {
                bytes += all.peek().job().wrapper().length();
                if (!round.isEmpty() && bytes > MAX_BYTES) {
                    break;
                }
                round.add(all.poll());
            }
            if (round.isEmpty()) {
                waiting.remove(lane);
                return;
            }
        }
        send(lane, round, () -> next(lane));
    }

    private void send(Lane lane, List<Waiting> round, Runnable then) {
        String mark = mark();
        CompletableFuture<Completed> sent;
        try {
            sent = accounts.run(lane.account(), run(lane, round, mark));
        } catch (RuntimeException e) {
            sent = CompletableFuture.failedFuture(e);
        }
        SubmitResponse response = new SubmitResponse();
        sent.handle((completed, failure) -> failure == null ? response.of(completed) : response.of(failure))
                .whenComplete((result, never) -> settle(lane, round, mark, result, then));
    }

    /** What was not taken because of some is tried again without them: HTCondor takes all jobs of a submission or none. */
    private void settle(Lane lane, List<Waiting> round, String mark, SubmitResult result, Runnable then) {
        List<Waiting> these = round;
        List<List<Waiting>> others = List.of();
        String reason = surelyWithoutEffect(result);
        if (reason != null && round.size() > 1) {
            List<Waiting> named = round.stream()
                    .filter(one -> names(reason, one.job().sandbox().toString()))
                    .toList();
            if (!named.isEmpty() && named.size() < round.size()) {
                these = named;
                others = List.of(
                        round.stream().filter(one -> !named.contains(one)).toList());
            } else if (result instanceof SubmitResult.Refused) {
                these = List.of();
                others = parts(round, 1);
            } else if (CondorMessages.isTooManyAtOnce(reason)) {
                // another lane may have found out less meanwhile
                int fewer = most.accumulateAndGet(round.size() / 2, Math::min);
                these = List.of();
                others = parts(round, fewer);
            }
        }
        // the next round first: whoever waits for a result may submit again
        inTurn(lane, others, then);
        List<SubmitResult> results = SubmitResponse.each(result, these.size(), mark);
        for (int i = 0; i < these.size(); i++) {
            these.get(i).result().complete(results.get(i));
        }
    }

    private void inTurn(Lane lane, List<List<Waiting>> parts, Runnable then) {
        if (parts.isEmpty()) {
            then.run();
        } else {
            send(lane, parts.get(0), () -> inTurn(lane, parts.subList(1, parts.size()), then));
        }
    }

    private static List<List<Waiting>> parts(List<Waiting> round, int size) {
        return IntStream.iterate(0, from -> from < round.size(), from -> from + size)
                .mapToObj(from -> round.subList(from, Math.min(from + size, round.size())))
                .toList();
    }

    private static boolean names(String reason, String path) {
        int at = reason.indexOf(path);
        int end = at + path.length();
        return at >= 0 && (end == reason.length() || !Character.isLetterOrDigit(reason.charAt(end)));
    }

    private static String surelyWithoutEffect(SubmitResult result) {
        if (result instanceof SubmitResult.Refused refused) {
            return refused.reason();
        }
        return result instanceof SubmitResult.Unavailable unavailable ? unavailable.reason() : null;
    }

    private Run run(Lane lane, List<Waiting> round, String mark) {
        List<Submission> jobs = round.stream().map(Waiting::job).toList();
        List<FileContent> files = jobs.stream()
                .map(job -> new FileContent(
                        job.wrapperFile(),
                        SCRIPT_MODE,
                        SubmitDescription.script(job, config.commands().nodesSeeSandboxes())
                                .getBytes(StandardCharsets.UTF_8)))
                .toList();
        String text = lane.description().text(mark, jobs);
        return new Run(
                List.of(config.site().program("condor_submit"), "-terse", "-"),
                null,
                config.site().environment(lane.account(), "/"),
                text.getBytes(StandardCharsets.UTF_8),
                files,
                config.commands().timeout(),
                MAX_MESSAGE);
    }

    private String mark() {
        byte[] bytes = new byte[ROUND_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
