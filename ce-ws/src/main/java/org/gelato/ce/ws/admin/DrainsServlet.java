package org.gelato.ce.ws.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.SiteAdministration;
import org.gelato.ce.ws.web.CallerResolver;

/**
 * {@code /ce-cream/admin/drains?queue=…} or {@code ?vo=…}, or neither for the whole CE: {@code PUT} drains, with {@code reason},
 * {@code DELETE} enables, {@code GET} changes nothing. Each returns all that is drained, and the jobs of the part.
 */
final class DrainsServlet extends AdminServlet {
    private static final long serialVersionUID = 1L;

    private final transient SiteAdministration control;
    private final Set<String> queues;

    /** @param queues those there are */
    DrainsServlet(CallerResolver callers, SiteAdministration control, Set<String> queues) {
        super(callers, "what is drained");
        this.control = control;
        this.queues = Set.copyOf(queues);
    }

    private record Part(Drain.Part part, String name) {}

    private static Part part(HttpServletRequest request) {
        String queue = single(request, "queue");
        String vo = single(request, "vo");
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
        return json(control.load(part.part(), part.name()), null);
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
        return json(control.drain(caller, part.part(), part.name(), single(request, "reason")), null);
    }

    @Override
    Object end(Caller caller, HttpServletRequest request) {
        Part part = part(request);
        boolean there = control.enable(caller, part.part(), part.name());
        return json(control.load(part.part(), part.name()), there);
    }

    private Map<String, Object> json(SiteAdministration.Load load, Boolean changed) {
        Map<String, Object> json = new LinkedHashMap<>();
        if (changed != null) {
            json.put("changed", changed);
        }
        json.put("registered", load.registered());
        json.put("queued", load.queued());
        json.put("running", load.running());
        if (load.lastEnd() != null) {
            json.put("lastEnd", load.lastEnd().toString());
        }
        List<Map<String, Object>> drains =
                control.drains().stream().map(DrainsServlet::json).toList();
        json.put("drains", drains);
        return json;
    }

    private static Map<String, Object> json(Drain drain) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("part", drain.part().name().toLowerCase(Locale.ROOT));
        if (drain.name() != null) {
            json.put("name", drain.name());
        }
        if (drain.reason() != null) {
            json.put("reason", drain.reason());
        }
        json.put("by", drain.by());
        json.put("since", drain.since().toString());
        return json;
    }
}
