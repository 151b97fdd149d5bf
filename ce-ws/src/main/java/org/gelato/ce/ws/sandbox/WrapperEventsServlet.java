package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvents;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.http.ResourceServlet;
import org.gelato.ce.ws.web.HttpFaults;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /ce-cream/wrapper-events}: one event of a job wrapper (docs/developer/design.md section 7), authenticated by the
 * secret in it, so without client certificate. 204 when accepted; 403 when not, whether the job, the secret or the time
 * was wrong; 400 for what is no event; 503 when it could not be stored and must be sent again.
 */
final class WrapperEventsServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger log = LoggerFactory.getLogger(WrapperEventsServlet.class);

    private final transient WrapperEvents events;

    WrapperEventsServlet(WrapperEvents events) {
        super("POST");
        this.events = events;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        byte[] body = Exchange.of(request).body(request.getRemoteAddr(), WrapperEvent.MAX_BYTES);
        if (body == null) {
            return;
        }
        Optional<WrapperEvent> event = WrapperEvent.parse(body);
        if (event.isEmpty()) {
            JsonResponse.error(response, HttpServletResponse.SC_BAD_REQUEST, "not an event");
            return;
        }
        int believed;
        try {
            believed = events.apply(List.of(event.get()));
        } catch (RuntimeException e) {
            if (HttpFaults.code(e) != FaultCode.UNAVAILABLE) {
                log.error("Cannot apply an event of job {}", event.get().job(), e);
            }
            JsonResponse.busy(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "try again");
            return;
        }
        if (believed == 1) {
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        } else {
            JsonResponse.error(response, HttpServletResponse.SC_FORBIDDEN, "refused");
        }
    }
}
