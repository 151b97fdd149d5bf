package org.gelato.ce.ws.arcrest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.StoredDescriptions;
import org.gelato.ce.ws.http.ResponseSource;
import org.gelato.ce.ws.sandbox.SessionFiles;

/**
 * {@code /jobs/ID/session}: the job's files. There is no call that starts a job: it starts with the last file that its description
 * names without a source. When the CE is killed between that file and the start, its client has no response and sends the file again.
 */
final class SessionResource {
    private final SessionFiles files;
    private final StoredDescriptions descriptions;
    private final Jobs jobs;
    private final URI baseUrl;

    /** @param baseUrl {@code https://host:port} of the CE */
    SessionResource(SessionFiles files, StoredDescriptions descriptions, Jobs jobs, URI baseUrl) {
        this.files = files;
        this.descriptions = descriptions;
        this.jobs = jobs;
        this.baseUrl = baseUrl;
    }

    /** @param path below the session directory */
    void serve(HttpServletRequest request, HttpServletResponse response, ArcCall call, JobId job, List<String> path)
            throws IOException {
        String side = ArcCall.parameter(request, "side");
        if (side != null && !side.equals("output")) {
            throw new ArcRefusal(400, "side is output, for what the job left, or it is left out");
        }
        String url = baseUrl + call.base() + "/jobs/" + job + "/session";
        files.serve(
                request,
                response,
                new SessionFiles.Session(call.caller(), job, path, url, side != null),
                new Responses(response, call));
    }

    private final class Responses implements SessionFiles.Protocol {
        private final HttpServletResponse response;
        private final ArcCall call;

        Responses(HttpServletResponse response, ArcCall call) {
            this.response = response;
            this.call = call;
        }

        @Override
        public ResponseSource list(List<TreeEntry> found) throws IOException {
            if (found.size() <= FolderList.MOST) {
                ArcResponse.send(
                        response,
                        200,
                        call.form(),
                        Part.of("list", found.stream().map(FolderList::part).toList()));
                return null;
            }
            response.setContentType(call.form().mediaType());
            response.setHeader("Cache-Control", "no-store");
            return new FolderList(call.form(), found);
        }

        /** What the CE knows of the job, in the directory where its description wants that. */
        @Override
        public Map<String, String> shown(JobId job) {
            String directory = descriptions.logDirectory(job).orElse(null);
            if (directory == null) {
                return Map.of();
            }
            Map<String, String> texts = new TreeMap<>();
            jobs.queries().info(call.caller(), JobFilter.ofIds(List.of(job.toString()))).stream()
                    .map(JobInfoResult::info)
                    .filter(Objects::nonNull)
                    .forEach(info -> Diagnosis.FILES.forEach(name ->
                            Diagnosis.of(info, name).ifPresent(text -> texts.put(directory + "/" + name, text))));
            return texts;
        }

        @Override
        public void arrived(JobId job, Set<String> names) {
            if (names.containsAll(descriptions.uploads(job))) {
                jobs.commands().start(call.caller(), JobFilter.ofIds(List.of(job.toString())));
            }
            done();
        }

        @Override
        public void done() {
            ArcResponse.empty(response, 200);
        }
    }
}
