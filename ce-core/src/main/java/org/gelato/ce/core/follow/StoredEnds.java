package org.gelato.ce.core.follow;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.end.EndDecision;
import org.gelato.ce.core.end.Evidence;
import org.gelato.ce.core.intake.FenceStore;
import org.gelato.ce.core.intake.ReportedEnds;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.message.JournalMarks;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores how jobs ended by the word of the batch system and what their wrappers have left, as {@link EndDecision} decides on the locked
 * rows: the end of a job that had none, or the correction of one that was its wrapper's word alone. Blocks its caller, the poller.
 */
final class StoredEnds {
    private static final Logger log = LoggerFactory.getLogger(StoredEnds.class);
    /** Jobs whose error output is read because the batch system's reason may be there, too. */
    static final int MAX_READ = 50;

    private final String lrms;
    private final FollowedJobs stored;
    private final EndDecision decision;
    private final BatchMessages words;
    private final JournalMarks journals;
    private final Clock clock;
    private final ReportedEnds reported = new ReportedEnds();
    private final FenceStore claims = new FenceStore();

    StoredEnds(
            String lrms,
            FollowedJobs stored,
            EndDecision decision,
            BatchMessages words,
            JournalMarks journals,
            Clock clock) {
        this.lrms = lrms;
        this.stored = stored;
        this.decision = decision;
        this.words = words;
        this.journals = journals;
        this.clock = clock;
    }

    /**
     * What was found out about a job's end, beside its row and what its wrapper has reported.
     *
     * @param job the batch system's word; null where it has none, and will have none
     * @param silence that the wrapper has left nothing, as far as was looked; null where it has reported
     * @param used what else is known of the job's usage; null for nothing
     * @param isTooLate whether the batch system was not asked, as the job has waited too long for that
     */
    record Found(LrmsJob job, Evidence.Silence silence, Usage used, boolean isTooLate) {}

    /**
     * Stores the ends of jobs.
     *
     * @param found by the jobs' rows
     * @return those that the database took in no form, or whose rows another session holds: they are to be tried again
     */
    Set<Integer> store(Map<Integer, Found> found) throws InterruptedException {
        if (found.isEmpty()) {
            return Set.of();
        }
        Map<Integer, SandboxStore.Place> places = stored.sandboxes().of(found.keySet());
        Map<Integer, Evidence.Word> evidence = new HashMap<>();
        int read = 0;
        for (Map.Entry<Integer, Found> one : found.entrySet()) {
            SandboxStore.Place place = places.get(one.getKey());
            LrmsJob job = words.explained(one.getValue().job(), place);
            boolean failed = job != null && isFailed(job);
            SandboxStore.Place reads = failed && ++read > MAX_READ ? null : place;
            evidence.put(one.getKey(), new Evidence.Word(clock.instant(), job, text(job, one.getValue(), reads)));
        }
        Set<Integer> stuck = new HashSet<>();
        List<String> corrected = new ArrayList<>();
        stuck.addAll(stored.database()
                .batches()
                .write(
                        List.copyOf(found.keySet()),
                        part -> corrected.addAll(store(part, found, evidence, null)),
                        id -> "the end of " + stored.sandboxes().id(id),
                        (id, reason) -> stuck.addAll(storeWithoutDetails(id, found, reason)))
                .members());
        if (!corrected.isEmpty()) {
            log.info("ends corrected by the word of {}: {}", lrms, Overruns.bounded(corrected));
        }
        return stuck;
    }

    private String text(LrmsJob job, Found found, SandboxStore.Place place) throws InterruptedException {
        if (job == null) {
            return null;
        }
        boolean failed = isFailed(job);
        return found.silence() == null || failed
                ? words.about(job, found.used(), failed ? place : null)
                : place == null ? "" : words.ownLines(place);
    }

    private static boolean isFailed(LrmsJob job) {
        return job.state() == LrmsJob.State.FAILED || job.isNotBegun();
    }

    /** The end of one whose end the database did not take as it is: without what only explains it. */
    private List<Integer> storeWithoutDetails(int job, Map<Integer, Found> found, String rejected) {
        Found one = found.get(job);
        String text = "what " + lrms + " says about the job's end can't be stored: " + rejected;
        LrmsJob shown =
                one.silence() == null ? one.job() : new LrmsJob(null, null, LrmsJob.State.FAILED, null, null, null);
        Evidence.Word word = new Evidence.Word(clock.instant(), shown, shown == null ? null : text);
        List<Integer> stuck = new ArrayList<>();
        stuck.addAll(stored.database()
                .batches()
                .write(
                        List.of(job),
                        part -> store(part, found, Map.of(job, word), rejected),
                        id -> "the bare end of " + stored.sandboxes().id(id),
                        (id, again) -> stuck.add(id))
                .members());
        return stuck;
    }

    /** @param rejected why the database did not take the whole end; null for nothing */
    private List<String> store(
            List<Integer> part, Map<Integer, Found> found, Map<Integer, Evidence.Word> evidence, String rejected) {
        return stored.database().inTransaction(h -> {
            List<JobStore.Stored> changes = new ArrayList<>();
            List<JobRow> silent = new ArrayList<>();
            List<String> corrected = new ArrayList<>();
            List<JobRow> rows = stored.jobs().lock(h, part);
            Map<Integer, WrapperEvent> reports = reported.of(h, part);
            Set<Integer> begun = claims.claimed(
                            h,
                            part.stream()
                                    .filter(id -> isUnclaimed(found.get(id)))
                                    .toList())
                    .keySet();
            for (JobRow row : rows) {
                Evidence.Word word = evidence.get(row.id());
                WrapperEvent report = reports.get(row.id());
                WrapperEvent end = report == null || rejected == null ? report : report.withoutDetails(rejected);
                Evidence.Silence silence = found.get(row.id()).silence();
                if (row.state().isFinal() && found.get(row.id()).isTooLate()) {
                    continue; // it has ended otherwise
                }
                if (row.state().isFinal()) {
                    correction(row, word).ifPresent(c -> {
                        changes.add(new JobStore.Stored(row, c, null, null));
                        corrected.add(stored.sandboxes().id(row.id()) + " from "
                                + row.state().wireName() + " to " + c.state().wireName());
                    });
                } else if (end != null) {
                    Instant at = end.time().isAfter(word.at()) ? word.at() : end.time();
                    decided(row, end.report(row, row.since(), false), word)
                            .change(stored.machine(), row, at)
                            .ifPresent(c ->
                                    changes.add(new JobStore.Stored(row, c, end.node(), end.lrmsId(), end.usage())));
                } else if (silence != null && !begun.contains(row.id())) {
                    decided(row, silence, word)
                            .change(stored.machine(), row, word.at())
                            .ifPresent(c -> {
                                Usage used =
                                        word.job() == null ? null : word.job().usage();
                                changes.add(new JobStore.Stored(row, c, null, null, used));
                                silent.add(row);
                            });
                }
            }
            stored.jobs().store(h, changes);
            journals.ended(h, silent);
            List<Integer> settled = part.stream()
                    .filter(id -> found.get(id).silence() == null || reports.containsKey(id))
                    .toList();
            reported.settled(h, settled);
            return corrected;
        });
    }

    /** A wrapper that sees no sandbox claims its job in the database: it may have done so since it was looked for. */
    private static boolean isUnclaimed(Found found) {
        return found.silence() != null && !found.silence().hasBegun();
    }

    private EndDecision.Decision decided(JobRow row, Evidence wrapper, Evidence.Word word) {
        List<Evidence> evidence = new ArrayList<>(List.of(wrapper, word));
        Evidence.CancelRequest.of(row).ifPresent(evidence::add);
        return decision.of(evidence);
    }

    private Optional<JobStateMachine.Change> correction(JobRow row, Evidence.Word word) {
        return decision.hasWord(row)
                ? Optional.empty()
                : decided(row, Evidence.Report.of(row), word).correction(stored.machine(), row, word.at());
    }
}
