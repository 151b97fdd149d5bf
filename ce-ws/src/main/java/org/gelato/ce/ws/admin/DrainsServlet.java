package org.gelato.ce.ws.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.SiteAdministration;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.Parameters;

/**
 * {@code /ce-cream/admin/drains?queue=…} or {@code ?vo=…}, or neither for the whole CE: {@code PUT} drains, with {@code reason},
 * {@code DELETE} enables, {@code GET} changes nothing. Each returns all that is drained, and the jobs of the part.
 */
final class DrainsServlet extends AdminServlet {
    private static final long serialVersionUID = 1L;

    private final transient SiteAdministration control;
    private final transient Predicate<HttpServletRequest> root;
    private final Set<String> queues;

    /**
     * @param queues those there are
     * @param root which requests are of root on this host, whatever their credentials
     */
    DrainsServlet(
            CallerResolver callers,
            SiteAdministration control,
            Set<String> queues,
            Predicate<HttpServletRequest> root) {
        super(callers, "what is drained");
        this.control = control;
        this.root = root;
        this.queues = Set.copyOf(queues);
    }

    private record Part(Drain.Part part, String name) {}

    private static Part part(HttpServletRequest request) {
        String queue = Parameters.single(request, "queue");
        String vo = Parameters.single(request, "vo");
        if (queue != null && vo != null) {
            throw new IllegalArgumentException("parameters queue and vo exclude each other");
        }
        return queue != null
                ? new Part(Drain.Part.QUEUE, queue)
                : vo != null ? new Part(Drain.Part.VO, vo) : new Part(Drain.Part.ALL, null);
    }

    @Override
    Object answer(HttpServletRequest request) {
        Part part = part(request);
        return answer(null, control.load(part.part(), part.name()));
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
        Part part = part(request);
        if (part.part() == Drain.Part.QUEUE && !queues.contains(part.name())) {
            throw new IllegalArgumentException(
                    "queue " + part.name() + " does not exist here; there are " + String.join(", ", queues));
        }
        return answer(null, control.drain(caller, part.part(), part.name(), Parameters.single(request, "reason")));
    }

    @Override
    Object end(Caller caller, HttpServletRequest request) {
        Part part = part(request);
        boolean there = control.enable(caller, part.part(), part.name());
        return answer(there, control.load(part.part(), part.name()));
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Answer(Boolean changed, @JsonUnwrapped SiteAdministration.Load load, List<Drain> drains) {}

    private Answer answer(Boolean changed, SiteAdministration.Load load) {
        return new Answer(changed, load, control.drains());
    }
}
