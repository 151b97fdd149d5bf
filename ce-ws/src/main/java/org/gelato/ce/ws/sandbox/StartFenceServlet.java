package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.intake.FenceRequest;
import org.gelato.ce.core.intake.StartFence;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.ResourceServlet;
import org.gelato.ce.ws.web.Refusal;

/**
 * {@code POST /ce-cream/wrapper-claims}: a job wrapper claims its job (docs/developer/design.md section 4),
 * authenticated by the secret in its text. 200 when it is; 409 when another wrapper has it; 410 when the job should not
 * run; 403 for a wrong secret; 400 for what is no claim; 5xx when nothing is known to be decided and it must retry.
 */
final class StartFenceServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;

    private final transient StartFence claims;

    StartFenceServlet(StartFence claims) {
        super("POST");
        this.claims = claims;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        byte[] body = Exchange.of(request).body(request.getRemoteAddr(), WrapperEvent.MAX_BYTES);
        if (body == null) {
            return;
        }
        FenceRequest claim = FenceRequest.parse(body).orElseThrow(() -> new Refusal(400, "not a claim"));
        switch (claims.claim(claim)) {
            case GRANTED -> response.setStatus(HttpServletResponse.SC_OK);
            case TAKEN -> throw new Refusal(409, "another wrapper has the job");
            case OVER -> throw new Refusal(410, "the job should not run any more");
            case REFUSED -> throw new ServiceException.NotAuthorized("refused");
        }
    }
}
