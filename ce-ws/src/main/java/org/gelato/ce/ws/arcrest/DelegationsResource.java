package org.gelato.ce.ws.arcrest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.fault.ServiceException;

/**
 * {@code /delegations}: the same delegations as those of the SOAP protocol, each under an id that this CE makes. Clients make one
 * for each job, so it costs a key of the pool and one statement (docs/protocol/arc-rest.md, trap 13).
 */
final class DelegationsResource {
    private static final String PEM = "application/x-pem-file";
    private static final Form.ListName LIST = new Form.ListName("delegations", "delegation");

    private final Delegations delegations;

    DelegationsResource(Delegations delegations) {
        this.delegations = delegations;
    }

    /** {@code GET /delegations}. */
    void list(HttpServletRequest request, HttpServletResponse response, ArcCall call) throws IOException {
        List<Delegations.Listed> all = delegations.list(call.caller());
        ArcAnswer.stream(
                request,
                response,
                200,
                call.form(),
                new ListAnswer<>(
                        call.form(),
                        LIST,
                        List.of(all).iterator(),
                        one -> new Part.Builder("delegation")
                                .with("id", one.id())
                                .with("type", "x509")
                                .with("expires", one.expiresAt())
                                .build()));
    }

    /** {@code POST /delegations?action=new}. */
    void make(HttpServletResponse response, ArcCall call) throws IOException {
        Delegations.NewProxyReq made = delegations.getNewProxyReq(call.caller());
        request(response, call, made.delegationId(), made.proxyRequest());
    }

    /** {@code PUT /delegations/ID} with the signed chain. */
    void put(HttpServletResponse response, ArcCall call, String id, byte[] body) {
        if (body.length == 0) {
            throw new ArcRefusal(400, "Missing payload: expected the signed proxy and its chain, PEM");
        }
        delegations.putProxy(call.caller(), id, new String(body, StandardCharsets.US_ASCII));
        ArcAnswer.empty(response, 200);
    }

    /** {@code POST /delegations/ID?action=…}. */
    void act(HttpServletResponse response, ArcCall call, String id) throws IOException {
        try {
            switch (call.action()) {
                case "get" -> ArcAnswer.text(response, 200, PEM, delegations.chain(call.caller(), id));
                case "renew" -> request(response, call, id, delegations.renewProxyReq(call.caller(), id));
                case "delete" -> {
                    if (!delegations.release(call.caller(), id)) {
                        throw new ArcRefusal(
                                409, "jobs that have not ended need this delegation; kill them or wait for their end");
                    }
                    ArcAnswer.empty(response, 202);
                }
                default -> throw new ArcRefusal(501, "Action not implemented: expected get, renew or delete");
            }
        } catch (ServiceException.DelegationRefused e) {
            // Whatever is wrong with an id: no delegation is stored under it.
            throw new ArcRefusal(404, "No delegation found: " + e.getMessage());
        }
    }

    private static void request(HttpServletResponse response, ArcCall call, String id, String request)
            throws IOException {
        // In lower case and without the query, as HTCondor and ARC 7 have it (docs/protocol/arc-rest.md, traps 1 and
        // 2).
        response.setHeader("location", call.base() + "/delegations/" + id);
        ArcAnswer.text(response, 201, PEM, request);
    }
}
