package org.gelato.ce.cli.submission;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.gelato.ce.cli.context.Grouping;
import org.gelato.ce.cli.display.ProgressBar;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.InputFile;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobText;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;

/**
 * Registers jobs, uploads their files and starts them, some at a time. Where register and start are two calls of the protocol, a job
 * whose id never reached the user never runs: when the connection breaks permanently in between, jobs stay REGISTERED.
 */
public final class Submitter {
    private final ComputingElement ce;
    private final String delegationId;
    private final BiConsumer<Object, String> failure;
    private final Consumer<JobUrl> started;
    private final ProgressBar progress;
    private final SubmissionLog log;
    private final SubmissionSignals signals;
    /**
     * Those at the CE of which the user does not know yet. Also read by the thread of a signal. As texts: what hashes a record for the first
     * time costs a short command a tenth of its time.
     */
    private final Set<String> untold = Collections.synchronizedSet(new LinkedHashSet<>());

    private volatile boolean registering;
    private final Map<Description, JobUrl> jobs = Collections.synchronizedMap(new LinkedHashMap<>());
    /** Those of {@link #jobs} that start only if a file has arrived whose upload got no response. */
    private final Set<Description> unsure = Collections.synchronizedSet(new HashSet<>());

    private final Map<Description, WireFault> refusals = Collections.synchronizedMap(new LinkedHashMap<>());

    /** One description. Identity counts, as a user may submit one file twice. */
    public static final class Description {
        private final String file;
        private final JobText text;

        private final List<InputFile> input;
        private final UnaryOperator<String> placed;

        public Description(String file, JobText text, List<InputFile> input) {
            this(file, text, input, message -> message);
        }

        /** @param placed adds to a message of the CE where in the text the fault is */
        public Description(String file, JobText text, List<InputFile> input, UnaryOperator<String> placed) {
            this.file = file.equals("-") ? "standard input" : file;
            this.text = text;
            this.input = List.copyOf(input);
            this.placed = placed;
        }

        /** @throws CliException when the protocol of this CE can't take it */
        public void check(ComputingElement ce) {
            try {
                ce.check(text.text());
            } catch (CliException e) {
                throw new CliException(file + ": " + e.getMessage(), e);
            }
        }

        /** Where it came from, for messages. */
        public String file() {
            return file;
        }
    }

    /**
     * @param delegationId null for jobs without a proxy
     * @param failure receives what failed and why
     * @param started receives each job as soon as it was started, or may have been
     * @param progress receives the progress of uploads
     * @param log receives each job before anything else is done with it
     * @param signals after the first of which nothing more is submitted
     */
    public Submitter(
            ComputingElement ce,
            String delegationId,
            BiConsumer<Object, String> failure,
            Consumer<JobUrl> started,
            ProgressBar progress,
            SubmissionLog log,
            SubmissionSignals signals) {
        this.ce = ce;
        this.delegationId = delegationId;
        this.failure = failure;
        this.started = started;
        this.progress = progress;
        this.log = log;
        this.signals = signals;
    }

    /**
     * Registers, uploads and starts; what fails is reported and the rest goes on.
     *
     * @throws CliException also when a signal came, for what is not submitted
     */
    public void submit(List<Description> descriptions) {
        signals.begin(this::leftBehind);
        try {
            submitParts(descriptions);
        } finally {
            signals.end();
        }
    }

    private void submitParts(List<Description> descriptions) {
        int left = descriptions.size();
        for (List<Description> part : Grouping.parts(descriptions, ce.registrationsAtOnce())) {
            if (signals.stopped().isPresent()) {
                throw new CliException("interrupted (" + left + " not sent)");
            }
            left -= part.size();
            try {
                submitPart(part);
            } catch (CliException e) {
                throw left == 0
                        ? e
                        : new CliException(
                                e.getMessage() + " (" + left + (left == 1 ? " more was" : " more were") + " not sent)",
                                e);
            }
        }
        if (signals.stopped().isPresent() && jobs.size() + refusals.size() < descriptions.size()) {
            throw new CliException("interrupted");
        }
    }

    private void submitPart(List<Description> part) {
        Map<Description, JobUrl> registered = register(part);
        Map<Description, JobUrl> interrupted = new LinkedHashMap<>();
        registered.entrySet().removeIf(job -> !upload(job.getKey(), job.getValue(), interrupted));
        if (signals.stopped().isPresent() && !ce.startsWithRegistration()) {
            interrupted.putAll(registered);
            registered.clear();
        }
        if (!interrupted.isEmpty()) {
            takeBack(interrupted, false)
                    .forEach((description, left) -> failure.accept(description.file, "interrupted; " + left));
        }
        if (!registered.isEmpty()) {
            start(registered);
        }
    }

    /** What the program leaves behind, for one that ends now; empty for nothing. */
    private String leftBehind() {
        List<String> left = new ArrayList<>();
        synchronized (untold) {
            if (!untold.isEmpty()) {
                left.add("jobs of this submission are at the CE: ce cancel " + String.join(" ", untold)
                        + " cancels those that run, ce purge removes those that were not started");
            }
        }
        if (registering) {
            left.add("the response to a registration has not come: ce list --lost -e " + ce.endpoint()
                    + " shows what it made");
        }
        return String.join("; ", left);
    }

    /** The jobs that were started so far, or may have been, by description. Any thread. */
    public Map<Description, JobUrl> jobs() {
        synchronized (jobs) {
            return new LinkedHashMap<>(jobs);
        }
    }

    /** Those of {@link #jobs} whose end may be waited for: the others may never start, nor end. Any thread. */
    public Map<Description, JobUrl> followed() {
        Map<Description, JobUrl> followed = jobs();
        followed.keySet().removeAll(unsure);
        return followed;
    }

    /** The descriptions the CE refused so far. Any thread. */
    public Map<Description, WireFault> refusals() {
        synchronized (refusals) {
            return new LinkedHashMap<>(refusals);
        }
    }

    private Map<Description, JobUrl> register(List<Description> part) {
        List<Response<String>> responses = responses(part);
        Map<Description, JobUrl> registered = new LinkedHashMap<>();
        for (int i = 0; i < part.size(); i++) {
            Response<String> response = responses.get(i);
            if (response.fault() != null) {
                refusals.put(part.get(i), response.fault());
                failure.accept(
                        part.get(i).file,
                        part.get(i).placed.apply(response.fault().advised()));
            } else {
                registered.put(part.get(i), new JobUrl(ce.endpoint(), response.value()));
            }
        }
        return registered;
    }

    private List<Response<String>> responses(List<Description> part) {
        String noted = log.begin(ce.endpoint(), part.size());
        registering = true;
        try {
            List<Response<String>> responses =
                    ce.register(part.stream().map(d -> d.text).toList(), delegationId);
            List<JobUrl> made = responses.stream()
                    .filter(response -> response.fault() == null)
                    .map(response -> new JobUrl(ce.endpoint(), response.value()))
                    .toList();
            made.forEach(job -> untold.add(job.toString()));
            log.end(noted, made);
            registering = false;
            return responses;
        } catch (CliException e) {
            if (!e.mayHaveBeenDone()) {
                registering = false;
                log.end(noted, List.of());
                throw e;
            }
            String jobs = part.size() == 1 ? "the job was" : "the " + part.size() + " jobs were";
            throw new CliException(
                    e.getMessage() + "; it is not known whether " + jobs + " registered: "
                            + (ce.startsWithRegistration()
                                    ? "ce list --lost -e " + ce.endpoint() + " shows it if so, and it runs then"
                                    : "ce status --all --status REGISTERED -e " + ce.endpoint()
                                            + " shows it if so; it does not run then, and ce purge removes it"),
                    e);
        }
    }

    /**
     * Whether a job is to be started, as its files are there.
     *
     * @param interrupted receives the job where a signal came before its files were sent
     */
    private boolean upload(Description description, JobUrl job, Map<Description, JobUrl> interrupted) {
        for (InputFile file : description.input) {
            if (signals.stopped().isPresent()) {
                progress.clear();
                interrupted.put(description, job);
                return false;
            }
            try {
                signals.breakable(() -> ce.upload(job.localId(), file, progress.file(file.name(), size(file))));
            } catch (CliException e) {
                progress.clear();
                return isUploaded(description, job, file, e);
            }
        }
        progress.clear();
        return true;
    }

    /**
     * Looks at a job after an upload that failed. One that lacks a file must never run, so it is taken back, where it is certain that it
     * lacks it, or where a signal says that it is not to run. Of one that was broken off all may have arrived.
     */
    private boolean isUploaded(Description description, JobUrl job, InputFile file, CliException e) {
        boolean stopped = signals.stopped().isPresent();
        boolean mayRun = ce.startsWithRegistration() && (stopped || e.mayHaveBeenDone());
        StatusReport state = states(List.of(job)).get(job.localId());
        if (mayRun && state != null && state.isBeyondPending()) {
            return true;
        }
        String left;
        if (state != null && state.isRegistered() && mayRun && !stopped) {
            left = job + " is left, and starts if the file has arrived: ce status shows whether it does";
            unsure.add(description);
            report(description, job);
        } else if (state != null && state.isRegistered()) {
            left = takeBack(Map.of(description, job), mayRun).get(description);
        } else if (state == null && !mayRun) {
            left = job + " is left, not started: purge it when the CE is reachable again";
        } else {
            left = "it is not known whether the job runs: ce status " + job;
            report(description, job);
        }
        failure.accept(description.file, file.path() + " was not uploaded: " + e.getMessage() + "; " + left);
        return false;
    }

    /** The states of jobs; of those that the CE does not show, and when it can't be reached, none. */
    private Map<String, StatusReport> states(Collection<JobUrl> of) {
        try {
            Map<String, StatusReport> states = new HashMap<>();
            ce.status(JobSelector.of(localIds(of))).stream()
                    .filter(response -> response.value() != null)
                    .forEach(response -> states.put(response.subject(), response.value()));
            return states;
        } catch (CliException e) {
            return Map.of();
        }
    }

    private void report(Description description, JobUrl job) {
        jobs.put(description, job);
        started.accept(job);
        untold.remove(job.toString());
    }

    /** What can't be found out here is the upload's to report. */
    private static long size(InputFile file) {
        try {
            return Files.size(file.path());
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * Removes jobs that were not started.
     *
     * @param mayRun whether they may have been, meanwhile: the CE refuses to remove those
     * @return what became of each, in words
     */
    private Map<Description, String> takeBack(Map<Description, JobUrl> of, boolean mayRun) {
        Map<String, WireFault> refused = new HashMap<>();
        CliException failed = null;
        try {
            ce.purge(JobSelector.of(localIds(of.values())))
                    .forEach(refusal -> refused.put(refusal.subject(), refusal.fault()));
        } catch (CliException e) {
            failed = e;
        }
        Map<Description, String> left = new LinkedHashMap<>();
        for (Map.Entry<Description, JobUrl> one : of.entrySet()) {
            JobUrl job = one.getValue();
            WireFault refusal = refused.get(job.localId());
            if (failed == null && refusal == null) {
                left.put(one.getKey(), "the job was not started and is removed");
            } else if (mayRun) {
                String was = failed != null && failed.mayHaveBeenDone()
                        ? "it is not known whether the job was removed: "
                        : "the job was not removed: " + (failed == null ? refusal.message() : failed.getMessage())
                                + "; ";
                left.put(one.getKey(), was + "ce status " + job);
                report(one.getKey(), job);
            } else {
                left.put(
                        one.getKey(),
                        job + " is left, not started: "
                                + (failed == null ? refusal.message() : "purge it when the CE is reachable again"));
            }
            untold.remove(job.toString());
        }
        return left;
    }

    private void start(Map<Description, JobUrl> registered) {
        Map<String, WireFault> refused = new HashMap<>();
        CliException lost = null;
        try {
            for (Response<Void> refusal : ce.start(localIds(registered.values()))) {
                refused.put(refusal.subject(), refusal.fault());
            }
        } catch (CliException e) {
            if (!e.mayHaveBeenDone()) {
                throw new CliException(
                        "registered, but the start failed: " + e.getMessage()
                                + "; they do not run, ce purge removes them: " + text(registered.values()),
                        e);
            }
            lost = e;
        }
        settle(registered, refused, lost);
    }

    /**
     * Sees which jobs were started. One that is refused may have been started by a request whose response was lost.
     *
     * @param lost after which that is not known of any; null otherwise
     */
    private void settle(Map<Description, JobUrl> registered, Map<String, WireFault> refused, CliException lost) {
        List<JobUrl> open = registered.values().stream()
                .filter(job -> lost != null || refused.containsKey(job.localId()))
                .toList();
        Map<String, StatusReport> states = open.isEmpty() ? Map.of() : states(open);
        List<JobUrl> unknown =
                open.stream().filter(job -> !states.containsKey(job.localId())).toList();
        // All are known before the first is told: who is told may not listen.
        registered.forEach((description, job) -> {
            if (!open.contains(job) || !isNotStarted(states.get(job.localId()))) {
                jobs.put(description, job);
            }
        });
        registered.forEach((description, job) -> {
            if (jobs.containsKey(description)) {
                started.accept(job);
            } else {
                WireFault fault = lost == null
                        ? refused.get(job.localId())
                        : new WireFault("GenericFault", null, lost.getMessage(), null);
                refusals.put(description, fault);
                failure.accept(
                        description.file,
                        "registered as " + job + " but not started" + (lost == null ? ": " : " when the CE was asked: ")
                                + fault.advised());
            }
            untold.remove(job.toString());
        });
        if (!unknown.isEmpty()) {
            String why = lost == null ? refused.get(unknown.get(0).localId()).message() : lost.getMessage();
            failure.accept(
                    unknown.size() == 1 ? "1 job" : unknown.size() + " jobs",
                    "registered, but the start failed: " + why + "; it is not known whether they run: ce status "
                            + text(unknown));
        }
    }

    private static boolean isNotStarted(StatusReport state) {
        return state != null && state.isRegistered();
    }

    private static List<String> localIds(Collection<JobUrl> of) {
        return of.stream().map(JobUrl::localId).toList();
    }

    private static String text(Collection<JobUrl> of) {
        return of.stream().map(JobUrl::toString).collect(Collectors.joining(" "));
    }
}
