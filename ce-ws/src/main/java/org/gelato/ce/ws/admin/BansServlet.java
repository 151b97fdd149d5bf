package org.gelato.ce.ws.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.SiteAdministration;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.Parameters;

/**
 * {@code /ce-cream/admin/bans}: {@code GET} lists the bans of administrators; {@code PUT} with {@code dn}, {@code fqan} or {@code vo}
 * bans, {@code DELETE} with one of these ends a ban. A ban may have {@code reason}, {@code jobs} ({@code keep} or {@code cancel}) and
 * {@code force=true}.
 */
final class BansServlet extends AdminServlet {
    private static final long serialVersionUID = 1L;

    private final transient SiteAdministration control;
    private final transient Predicate<HttpServletRequest> root;

    BansServlet(CallerResolver callers, SiteAdministration control, Predicate<HttpServletRequest> root) {
        super(callers, "who is banned");
        this.control = control;
        this.root = root;
    }

    private record Whom(Ban.Kind kind, String name) {}

    private static Whom whom(HttpServletRequest request) {
        Whom whom = null;
        for (Ban.Kind kind : Ban.Kind.values()) {
            String name = Parameters.single(request, kind.name().toLowerCase(Locale.ROOT));
            if (name != null && whom != null) {
                throw new IllegalArgumentException("parameters dn, fqan and vo exclude each other");
            }
            whom = name == null ? whom : new Whom(kind, name);
        }
        if (whom == null) {
            throw new IllegalArgumentException("expected one of the parameters dn, fqan and vo");
        }
        return whom;
    }

    @Override
    Object answer(HttpServletRequest request) {
        return Map.of("bans", control.bans());
    }

    @Override
    boolean isOfRoot(HttpServletRequest request) {
        return root.test(request);
    }

    @Override
    List<String> methods() {
        return List.of("GET", "PUT", "DELETE");
    }

    @Override
    Object set(Caller caller, HttpServletRequest request) {
        Whom whom = whom(request);
        String jobs = Parameters.single(request, "jobs");
        if (jobs != null && !jobs.equals("keep") && !jobs.equals("cancel")) {
            throw new IllegalArgumentException("parameter jobs is neither keep nor cancel");
        }
        boolean force = "true".equals(Parameters.single(request, "force"));
        return control.ban(
                caller, whom.kind(), whom.name(), Parameters.single(request, "reason"), "cancel".equals(jobs), force);
    }

    @Override
    Object end(Caller caller, HttpServletRequest request) {
        Whom whom = whom(request);
        return Map.of("changed", control.unban(caller, whom.kind(), whom.name()));
    }
}
