package org.gelato.ce.ws.admin;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.ws.http.JsonAnswer;
import org.gelato.ce.ws.web.CallerResolver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /ce-cream/admin/explain?dn=…&fqan=…}: why a user is mapped, refused or banned. For administrators only, as
 * it shows what is in the site's files.
 */
final class ExplainServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger log = LoggerFactory.getLogger(ExplainServlet.class);
    private static final int MAX_FQANS = 100;

    private final transient CallerResolver callers;
    private final transient Explainer explainer;

    ExplainServlet(CallerResolver callers, Explainer explainer) {
        this.callers = callers;
        this.explainer = explainer;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            if (!callers.resolve(request).admin()) {
                JsonAnswer.error(
                        response,
                        HttpServletResponse.SC_FORBIDDEN,
                        "only administrators of this CE may request how a user is authorized");
                return;
            }
            String[] dn = request.getParameterValues("dn");
            String[] fqans = request.getParameterValues("fqan");
            List<String> requested = fqans == null ? List.of() : List.of(fqans);
            if (dn == null || dn.length != 1 || dn[0].isBlank() || requested.size() > MAX_FQANS) {
                JsonAnswer.error(
                        response,
                        HttpServletResponse.SC_BAD_REQUEST,
                        "expected one parameter dn and at most " + MAX_FQANS + " parameters fqan");
                return;
            }
            JsonAnswer.send(response, HttpServletResponse.SC_OK, explainer.explain(dn[0].strip(), requested));
        } catch (ServiceException.NotAuthorized e) {
            JsonAnswer.error(response, HttpServletResponse.SC_FORBIDDEN, e.getMessage());
        } catch (IllegalArgumentException e) {
            JsonAnswer.error(response, HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
        } catch (RuntimeException e) {
            log.error("Cannot explain an authorization", e);
            JsonAnswer.error(response, HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "internal error");
        }
    }
}
