package org.gelato.ce.ws.push;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.LabelStore.Labelled;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.Parameters;
import org.gelato.ce.ws.web.RequiredScopes;

/**
 * {@code GET /jobs?name=NAME&label=NAME=VALUE}: the caller's jobs of that name with these labels, as docs/user/labels.md has it. The
 * protocols know neither.
 */
public final class LabelledJobs implements ServletContextListener {
    private static final List<String> PARAMETERS = List.of("name", "label", "after");
    private static final int PAGE = 1000;

    private final CallerResolver callers;
    private final String jobs;
    private final Lookup lookup;

    /** Finds jobs by what their owners gave them. */
    @FunctionalInterface
    public interface Lookup {
        /** @see org.gelato.ce.core.job.LabelStore#find */
        List<Labelled> find(Caller caller, JobLabels wanted, int after, int limit);
    }

    public LabelledJobs(URI baseUrl, CallerResolver callers, Lookup lookup) {
        this.jobs = baseUrl + "/";
        this.callers = callers;
        this.lookup = lookup;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        HttpEndpoints.add(event.getServletContext(), "labelled-jobs", new Resource(), "/jobs");
    }

    private final class Resource extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                if (List.of("GET", "HEAD").contains(request.getMethod())) {
                    JsonResponse.send(response, HttpServletResponse.SC_OK, page(request));
                } else {
                    JsonResponse.notAllowed(response, request.getMethod(), List.of("GET"));
                }
            } catch (RuntimeException e) {
                JsonResponse.refused(request, response, e);
            }
        }
    }

    private Map<String, Object> page(HttpServletRequest request) {
        Caller caller = RequiredScopes.caller(callers, request, RequiredScopes.Protocol.EVENTS);
        Parameters.only(request, PARAMETERS);
        List<Labelled> found = lookup.find(caller, wanted(request), after(request), PAGE + 1);
        List<Map<String, Object>> page = new ArrayList<>();
        for (Labelled job : found.subList(0, Math.min(PAGE, found.size()))) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("id", jobs + job.job());
            if (job.labels().name() != null) {
                entry.put("name", job.labels().name());
            }
            entry.put("labels", job.labels().labels());
            page.add(entry);
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("jobs", page);
        if (found.size() > PAGE) {
            body.put("next", Integer.toString(found.get(PAGE - 1).row()));
        }
        return body;
    }

    private static JobLabels wanted(HttpServletRequest request) {
        String[] labels = request.getParameterValues("label");
        String name = Parameters.single(request, "name");
        if (name == null && labels == null) {
            throw new IllegalArgumentException("give a name, a label (label=NAME=VALUE) or both");
        }
        try {
            return JobLabels.check("name", name, "label", labels == null ? List.of() : List.of(labels));
        } catch (DescriptionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static int after(HttpServletRequest request) {
        String after = Parameters.single(request, "after");
        if (after != null && !after.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("after is what a page had as next");
        }
        return after == null ? 0 : Integer.parseInt(after);
    }
}
