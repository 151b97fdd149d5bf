package org.gelato.ce.ws.arcrest;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.StoredDescriptions;
import org.gelato.ce.ws.http.ResponseSource;
import org.gelato.ce.ws.sandbox.SessionFiles;
import org.gelato.ce.ws.web.Refusal;
import org.gelato.ce.ws.web.ServicePath;

/**
 * {@code /jobs/ID/session}: the job's files. There is no call that starts a job: it starts with the last file that its description
 * names without a source. When the CE is killed between that file and the start, its client has no response and sends the file again.
 */
final class SessionResource {
    private final SessionFiles files;
    private final StoredDescriptions descriptions;
    private final RunningOutput output;
    private final Jobs jobs;
    private final URI baseUrl;

    /** @param baseUrl {@code https://host:port} of the CE */
    SessionResource(SessionFiles files, StoredDescriptions descriptions, RunningOutput output, Jobs jobs, URI baseUrl) {
        this.files = files;
        this.descriptions = descriptions;
        this.output = output;
        this.jobs = jobs;
        this.baseUrl = baseUrl;
    }

    /**
     * Serves a file, or a list of some.
     *
     * @param path below the session directory
     * @return false when the request waits for output of a running job, and comes again
     */
    boolean serve(ArcCall call, JobId job, List<String> path) throws IOException {
        String side = call.parameter("side");
        if (side != null && !side.equals("output")) {
            throw new Refusal(400, "side is output, for what the job left, or it is left out");
        }
        String url = baseUrl + ServicePath.requested(call.request());
        Responses responses = new Responses(call, side == null);
        SessionFiles.Session session = new SessionFiles.Session(call.caller(), job, path, url, side != null);
        files.serve(call.request(), call.response().http(), session, responses);
        return !responses.waits;
    }

    private final class Responses implements SessionFiles.Protocol {
        private final ArcCall call;
        private final boolean whole;
        private boolean waits;

        /** @param whole whether both sides of the directory are read */
        Responses(ArcCall call, boolean whole) {
            this.call = call;
            this.whole = whole;
        }

        @Override
        public ResponseSource list(List<TreeEntry> found) throws IOException {
            if (found.size() <= FolderList.MAX) {
                call.response()
                        .send(
                                200,
                                Part.of(
                                        "list",
                                        found.stream().map(FolderList::part).toList()));
                return null;
            }
            Form form = call.response().form();
            call.response().http().setContentType(form.mediaType());
            call.response().http().setHeader("Cache-Control", "no-store");
            return new FolderList(form, found);
        }

        /** What the CE knows of the job, in the directory where its description wants that; and what a running job prints. */
        @Override
        public Map<String, SessionFiles.Shown> shown(JobId job, JobState state, String path) {
            Map<String, SessionFiles.Shown> files = new TreeMap<>();
            String directory = descriptions.logDirectory(job).orElse(null);
            if (directory != null) {
                jobs.queries().info(call.caller(), JobFilter.ofIds(List.of(job.toString()))).stream()
                        .map(JobInfoResult::info)
                        .filter(Objects::nonNull)
                        .forEach(info -> Diagnosis.FILES.forEach(name -> Diagnosis.of(info, name)
                                .ifPresent(text -> files.put(
                                        directory + "/" + name,
                                        SessionFiles.Shown.text(
                                                text, Diagnosis.last(info).since())))));
            }
            if (whole) {
                output.shown(call.request(), job, state, path).forEach(files::putIfAbsent);
                waits = SessionFiles.Shown.LATER.equals(files.get(path));
            }
            return files;
        }

        @Override
        public void arrived(JobId job, Set<String> names) {
            if (names.containsAll(descriptions.uploads(job))) {
                jobs.commands().start(call.caller(), JobFilter.ofIds(List.of(job.toString())));
            }
        }

        @Override
        public void done() {
            call.response().empty(200);
        }
    }
}
