package org.gelato.ce.cli.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.gelato.ce.cli.CliException;
import org.gelato.ce.cli.wire.Answer;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.WireFault;

/**
 * Registers and starts jobs, some at a time. Register and start are two calls, so that a job whose id never reached the user never runs:
 * when the connection breaks in between, jobs stay REGISTERED.
 */
final class Submission {
    /** Descriptions in one request. */
    static final int JOBS_PER_REQUEST = 100;

    private final ComputingElement ce;
    private final String delegationId;
    private final BiConsumer<Object, String> failure;
    private final Consumer<JobUrl> started;
    private final Map<Description, JobUrl> jobs = new LinkedHashMap<>();
    private final Map<Description, WireFault> refusals = new LinkedHashMap<>();

    /** One description. Identity counts, as a user may submit one file twice. */
    static final class Description {
        private final String file;
        private final String jdl;

        Description(String file, String jdl) {
            this.file = file.equals("-") ? "standard input" : file;
            this.jdl = jdl;
        }

        String file() {
            return file;
        }
    }

    /**
     * @param failure is told what failed and why
     * @param started is told each job that was started, at once
     */
    Submission(ComputingElement ce, String delegationId, BiConsumer<Object, String> failure, Consumer<JobUrl> started) {
        this.ce = ce;
        this.delegationId = delegationId;
        this.failure = failure;
        this.started = started;
    }

    void submit(List<Description> descriptions) {
        for (List<Description> part : Grouping.parts(descriptions, JOBS_PER_REQUEST)) {
            Map<Description, JobUrl> registered = register(part);
            if (!registered.isEmpty()) {
                start(registered);
            }
        }
    }

    /** The started jobs by description. */
    Map<Description, JobUrl> jobs() {
        return jobs;
    }

    /** The descriptions the CE refused at register. */
    Map<Description, WireFault> refusals() {
        return refusals;
    }

    private Map<Description, JobUrl> register(List<Description> part) {
        List<Answer<String>> answers = ce.register(part.stream().map(d -> d.jdl).toList(), delegationId);
        Map<Description, JobUrl> registered = new LinkedHashMap<>();
        for (int i = 0; i < part.size(); i++) {
            Answer<String> answer = answers.get(i);
            if (answer.fault() != null) {
                refusals.put(part.get(i), answer.fault());
                failure.accept(part.get(i).file, answer.fault().words());
            } else {
                registered.put(part.get(i), new JobUrl(ce.endpoint(), answer.value()));
            }
        }
        return registered;
    }

    private void start(Map<Description, JobUrl> registered) {
        Map<String, WireFault> notStarted = new LinkedHashMap<>();
        try {
            List<String> ids = registered.values().stream().map(JobUrl::localId).toList();
            for (Answer<Void> refusal : ce.start(ids)) {
                notStarted.put(refusal.subject(), refusal.fault());
            }
        } catch (CliException e) {
            List<String> ids = new ArrayList<>();
            registered.values().forEach(job -> ids.add(job.toString()));
            throw new CliException(
                    "registered, but the start failed: " + e.getMessage() + "; look at: " + String.join(" ", ids), e);
        }
        registered.forEach((description, job) -> {
            WireFault fault = notStarted.get(job.localId());
            if (fault == null) {
                jobs.put(description, job);
                started.accept(job);
            } else {
                refusals.put(description, fault);
                failure.accept(description.file, "registered as " + job + " but not started: " + fault.words());
            }
        });
    }
}
