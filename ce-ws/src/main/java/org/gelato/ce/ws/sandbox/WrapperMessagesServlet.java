package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.message.MessageBatch;
import org.gelato.ce.core.message.MessageIntake;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.http.ResourceServlet;
import org.gelato.ce.ws.web.Refusal;

/**
 * {@code POST /ce-cream/wrapper-messages}: messages of a job, or a piece of its output (docs/user/live.md), authenticated by the secret in it, so
 * without client certificate. 204 when stored; 409 when earlier messages are missing; 413 when a quota is used up and nothing more is
 * wanted; 403 for a wrong secret; 400 for what is no batch; 5xx when it could not be stored and must be sent again. Header
 * {@code Gelato-Next} of 204, 409 and 413 has the number of the message, or the offset of the byte of output, that is wanted next;
 * {@code Gelato-Live: 1} says that the job's output is wanted.
 */
final class WrapperMessagesServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;

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
        MessageBatch batch = MessageBatch.parse(body).orElseThrow(() -> new Refusal(400, "not messages"));
        MessageIntake.Response answer = messages.apply(List.of(batch)).get(0);
        if (answer.result() == MessageIntake.Result.REFUSED) {
            throw new ServiceException.NotAuthorized("refused");
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
