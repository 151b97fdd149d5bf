package org.gelato.ce.ws.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.ws.web.CallerResolver;

/**
 * {@code GET /ce-cream/admin/explain?dn=…&fqan=…}: why a user is mapped, refused or banned. For administrators only, as
 * it shows what is in the site's files.
 */
final class ExplainServlet extends AdminServlet {
    private static final long serialVersionUID = 1L;
    private static final int MAX_FQANS = 100;

    private final transient Explainer explainer;

    ExplainServlet(CallerResolver callers, Explainer explainer) {
        super(callers, "how a user is authorized");
        this.explainer = explainer;
    }

    @Override
    Object answer(HttpServletRequest request) {
        String dn = single(request, "dn");
        String[] fqans = request.getParameterValues("fqan");
        List<String> requested = fqans == null ? List.of() : List.of(fqans);
        if (dn == null || requested.size() > MAX_FQANS) {
            throw new IllegalArgumentException(
                    "expected one parameter dn and at most " + MAX_FQANS + " parameters fqan");
        }
        return explainer.explain(dn, requested);
    }
}
