package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvents;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.ResourceServlet;
import org.gelato.ce.ws.web.Refusal;

/**
 * {@code POST /ce-cream/wrapper-events}: one event of a job wrapper (docs/developer/design.md section 7), authenticated by the
 * secret in it, so without client certificate. 204 when accepted; 403 when not, whether the job, the secret or the time
 * was wrong; 400 for what is no event; 5xx when it could not be stored and must be sent again.
 */
final class WrapperEventsServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;

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
        WrapperEvent event = WrapperEvent.parse(body).orElseThrow(() -> new Refusal(400, "not an event"));
        if (events.apply(List.of(event)) != 1) {
            throw new ServiceException.NotAuthorized("refused");
        }
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
}
