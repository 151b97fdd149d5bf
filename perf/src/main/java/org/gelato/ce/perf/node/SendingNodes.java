package org.gelato.ce.perf.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.UserPrincipal;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.gelato.ce.perf.stub.SimulatedWrapper;

/**
 * The messengers of many running jobs, on one thread: each job has its first turn a second after its start and then one every second, as a
 * wrapper's messenger has, and its last when its last message is due. What it reads of a job is the script in its sandbox.
 */
public final class SendingNodes {
    private static final long TURN_MILLIS = 1000;
    private static final long REST_MILLIS = 20;
    private static final String SCRIPT = "*_jobWrapper.sh";
    private static final int DEPTH = 6;

    private final MessageProfile profile;
    private final Clock clock;
    private final List<SendingJob> jobs = new ArrayList<>();
    private final List<Long> starts = new ArrayList<>();

    public SendingNodes(MessageProfile profile, Clock clock) {
        this.profile = profile;
        this.clock = clock;
    }

    /**
     * Finds the running jobs of a site; those that have ended are passed over.
     *
     * @param sandboxes the directory of all
     * @param within seconds within which all start, one after another
     * @return how many there are
     */
    public int find(Path sandboxes, double within) {
        PathMatcher isScript = sandboxes.getFileSystem().getPathMatcher("glob:" + SCRIPT);
        try (Stream<Path> scripts = Files.find(
                sandboxes,
                DEPTH,
                (path, attributes) -> attributes.isRegularFile() && isScript.matches(path.getFileName()))) {
            Map<UserPrincipal, UserPrincipal> owners = new HashMap<>();
            List<Path> running = scripts.filter(script -> !Files.exists(script.resolveSibling("exit")))
                    .sorted()
                    .toList();
            for (Path script : running) {
                UserPrincipal owner = owners.computeIfAbsent(Files.getOwner(script), one -> one);
                SimulatedWrapper wrapper = SimulatedWrapper.of(Files.readString(script), "0", owner, clock);
                Random random = new Random(jobs.size());
                long start = (long) (jobs.size() * within * TURN_MILLIS / running.size());
                List<Long> times =
                        profile.times(random).stream().map(t -> t + start).toList();
                jobs.add(new SendingJob(wrapper, times, random));
                starts.add(start);
            }
            return jobs.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends all there is to be sent, and ends the jobs; done when the last one has ended. */
    public CompletableFuture<Void> begin() {
        return CompletableFuture.runAsync(this::send, task -> new Thread(task, "nodes").start());
    }

    private void send() {
        long begin = System.nanoTime();
        long[] next = new long[jobs.size()];
        List<Integer> living = new ArrayList<>();
        for (int i = 0; i < next.length; i++) {
            living.add(i);
            next[i] = starts.get(i) + TURN_MILLIS;
        }
        while (!living.isEmpty()) {
            for (int i : List.copyOf(living)) {
                long now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
                if (now >= next[i]) {
                    turn(jobs.get(i), now);
                    next[i] = now + TURN_MILLIS;
                }
            }
            living.removeIf(i -> jobs.get(i).ended());
            try {
                // What is due is due by the clock alone: this plays jobs that send at their times.
                TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void turn(SendingJob job, long now) {
        Instant time = clock.instant();
        try {
            job.turn(now, time.getEpochSecond() * 1_000_000 + time.getNano() / 1000);
        } catch (IOException e) {
            throw new UncheckedIOException("job " + job.number() + " cannot send: " + e.getMessage(), e);
        }
    }

    /** Messages that each job sent, by its number; after the end. */
    public Map<Integer, Long> written() {
        Map<Integer, Long> written = new HashMap<>();
        jobs.forEach(job -> written.put(job.number(), job.written()));
        return written;
    }
}
