package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.gelato.ce.core.intake.FenceRequest;
import org.gelato.ce.core.intake.StartFence;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.http.ResourceServlet;
import org.gelato.ce.ws.web.HttpFaults;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /ce-cream/wrapper-claims}: a job wrapper claims its job (docs/developer/design.md section 4),
 * authenticated by the secret in its text. 200 when it is; 409 when another wrapper has it; 410 when the job should not
 * run; 403 for a wrong secret; 400 for what is no claim; 503 when nothing was decided and it must retry.
 */
final class StartFenceServlet extends ResourceServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger log = LoggerFactory.getLogger(StartFenceServlet.class);

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
        Optional<FenceRequest> claim = FenceRequest.parse(body);
        if (claim.isEmpty()) {
            JsonResponse.error(response, HttpServletResponse.SC_BAD_REQUEST, "not a claim");
            return;
        }
        StartFence.Verdict verdict;
        try {
            verdict = claims.claim(claim.get());
        } catch (RuntimeException e) {
            if (HttpFaults.code(e) != FaultCode.UNAVAILABLE) {
                log.error("Cannot decide on a claim of job {}", claim.get().job(), e);
            }
            JsonResponse.busy(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "try again");
            return;
        }
        switch (verdict) {
            case GRANTED -> response.setStatus(HttpServletResponse.SC_OK);
            case TAKEN -> JsonResponse.error(response, HttpServletResponse.SC_CONFLICT, "another wrapper has the job");
            case OVER -> JsonResponse.error(response, HttpServletResponse.SC_GONE, "the job should not run any more");
            case REFUSED -> JsonResponse.error(response, HttpServletResponse.SC_FORBIDDEN, "refused");
        }
    }
}
