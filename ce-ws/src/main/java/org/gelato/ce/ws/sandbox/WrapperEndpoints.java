package org.gelato.ce.ws.sandbox;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.intake.FenceRequest;
import org.gelato.ce.core.intake.StartFence;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvents;
import org.gelato.ce.core.message.MessageBatch;
import org.gelato.ce.core.message.MessageIntake;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.web.Refusal;
import org.gelato.ce.ws.web.ServicePath;

/**
 * Where wrappers report. Each path takes a POST; 403 is for a wrong secret, 400 for what cannot be read, and 5xx when nothing is known to
 * be stored or decided, and it must be sent again.
 */
public final class WrapperEndpoints implements ServletContextListener {
    private final WrapperEvents events;
    private final StartFence claims;
    private final MessageIntake messages;

    public WrapperEndpoints(WrapperEvents events, StartFence claims, MessageIntake messages) {
        this.events = events;
        this.claims = claims;
        this.messages = messages;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        add(context, "wrapper-events", WrapperEvent.MAX_BYTES, this::event);
        add(context, "wrapper-claims", WrapperEvent.MAX_BYTES, this::claim);
        add(context, "wrapper-messages", MessageBatch.MAX_BYTES, this::messages);
    }

    private static void add(ServletContext context, String name, int maxBytes, WrapperServlet.Report report) {
        String path = ServicePath.in(context, ServicePath.CE_CREAM + "/" + name);
        HttpEndpoints.add(context, name, new WrapperServlet(maxBytes, report), path);
    }

    /**
     * One event of a job wrapper (docs/developer/design.md section 7). 204 when accepted; 403 when not, whether the job, the secret or the
     * time was wrong.
     */
    private void event(byte[] body, HttpServletResponse response) {
        WrapperEvent event = WrapperEvent.parse(body).orElseThrow(() -> new Refusal(400, "not an event"));
        if (events.apply(List.of(event)) != 1) {
            throw refused();
        }
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    /**
     * A job wrapper claims its job (docs/developer/design.md section 4). 200 when it is; 409 when another wrapper has it; 410 when the job
     * should not run.
     */
    private void claim(byte[] body, HttpServletResponse response) {
        FenceRequest claim = FenceRequest.parse(body).orElseThrow(() -> new Refusal(400, "not a claim"));
        switch (claims.claim(claim)) {
            case GRANTED -> response.setStatus(HttpServletResponse.SC_OK);
            case TAKEN -> throw new Refusal(409, "another wrapper has the job");
            case OVER -> throw new Refusal(410, "the job should not run any more");
            case REFUSED -> throw refused();
        }
    }

    /**
     * Messages of a job, or a piece of its output (docs/user/live.md). 204 when stored; 409 when earlier messages are missing; 413 when a
     * quota is used up and nothing more is wanted. Header {@code Gelato-Next} of these has the number of the message, or the offset of the
     * byte of output, that is wanted next; {@code Gelato-Live: 1} says that the job's output is wanted.
     */
    private void messages(byte[] body, HttpServletResponse response) throws IOException {
        MessageBatch batch = MessageBatch.parse(body).orElseThrow(() -> new Refusal(400, "not messages"));
        MessageIntake.Response answer = messages.apply(List.of(batch)).get(0);
        if (answer.result() == MessageIntake.Result.REFUSED) {
            throw refused();
        }
        response.setHeader("Gelato-Next", Long.toString(answer.next()));
        if (answer.live()) {
            response.setHeader("Gelato-Live", "1");
        }
        switch (answer.result()) {
            case GAP ->
                JsonResponse.error(response, HttpServletResponse.SC_CONFLICT, "messages before these are missing");
            case FULL ->
                JsonResponse.error(
                        response, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, "the quota of messages is used up");
            default -> response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        }
    }

    private static ServiceException refused() {
        return new ServiceException.NotAuthorized("refused");
    }
}
