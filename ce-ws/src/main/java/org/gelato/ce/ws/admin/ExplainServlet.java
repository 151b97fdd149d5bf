package org.gelato.ce.ws.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.Parameters;

/**
 * {@code GET /ce-cream/admin/explain?dn=…&fqan=…&queue=…&cores=…}: why a user is mapped, refused or banned, and what the site's
 * routes would give a job in the queue. For administrators only, as
 * it shows what is in the site's files.
 */
final class ExplainServlet extends AdminServlet {
    private static final long serialVersionUID = 1L;
    private static final int MAX_FQANS = 100;

    private static final Pattern CORES = Pattern.compile("[1-9][0-9]{0,6}");

    private final transient Explainer explainer;
    private final transient Set<String> queues;

    ExplainServlet(CallerResolver callers, Explainer explainer, Set<String> queues) {
        super(callers, "how a user is authorized");
        this.explainer = explainer;
        this.queues = queues;
    }

    @Override
    Object answer(HttpServletRequest request) {
        String dn = Parameters.single(request, "dn");
        String[] fqans = request.getParameterValues("fqan");
        List<String> requested = fqans == null ? List.of() : List.of(fqans);
        if (dn == null || requested.size() > MAX_FQANS) {
            throw new IllegalArgumentException(
                    "expected one parameter dn and at most " + MAX_FQANS + " parameters fqan");
        }
        return explainer.explain(dn, requested, job(request));
    }

    private Explainer.Job job(HttpServletRequest request) {
        String queue = Parameters.single(request, "queue");
        String cores = Parameters.single(request, "cores");
        if (queue == null && cores == null) {
            return null;
        }
        if (queue == null || !queues.contains(queue)) {
            throw new IllegalArgumentException(
                    "expected a parameter queue, one of " + String.join(", ", new TreeSet<>(queues)));
        }
        if (cores != null && !CORES.matcher(cores).matches()) {
            throw new IllegalArgumentException("cores is no number of cores: " + cores);
        }
        return new Explainer.Job(queue, cores == null ? 1 : Integer.parseInt(cores));
    }
}
