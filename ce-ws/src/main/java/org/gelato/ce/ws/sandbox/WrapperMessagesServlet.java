package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.message.MessageBatch;
import org.gelato.ce.core.message.MessageIntake;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.http.ResourceServlet;
import org.gelato.ce.ws.web.HttpFaults;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /ce-cream/wrapper-messages}: messages of a job, or a piece of its output (docs/user/live.md), authenticated by the secret in it, so
 * without client certificate. 204 when stored; 409 when earlier messages are missing; 413 when a quota is used up and nothing more is
 * wanted; 403 for a wrong secret; 400 for what is no batch; 503 when it could not be stored and must be sent again. Header
 * {@code Gelato-Next} of 204, 409 and 413 has the number of the message, or the offset of the byte of output, that is wanted next;
 * {@code Gelato-Live: 1} says that the job's output is wanted.
 */
final class WrapperMessagesServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger log = LoggerFactory.getLogger(WrapperMessagesServlet.class);

    private final transient MessageIntake messages;

    WrapperMessagesServlet(MessageIntake messages) {
        super("POST");
        this.messages = messages;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        byte[] body = Exchange.of(request).body(request.getRemoteAddr(), MessageBatch.MAX_BYTES);
        if (body == null) {
            return;
        }
        Optional<MessageBatch> batch = MessageBatch.parse(body);
        if (batch.isEmpty()) {
            JsonResponse.error(response, HttpServletResponse.SC_BAD_REQUEST, "not messages");
            return;
        }
        MessageIntake.Response answer;
        try {
            answer = messages.apply(List.of(batch.get())).get(0);
        } catch (RuntimeException e) {
            if (HttpFaults.code(e) != FaultCode.UNAVAILABLE) {
                log.error("Cannot store messages of job {}", batch.get().job(), e);
            }
            JsonResponse.busy(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "try again");
            return;
        }
        if (answer.result() == MessageIntake.Result.REFUSED) {
            JsonResponse.error(response, HttpServletResponse.SC_FORBIDDEN, "refused");
            return;
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
}
