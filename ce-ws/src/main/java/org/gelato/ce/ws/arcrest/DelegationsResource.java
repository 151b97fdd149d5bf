package org.gelato.ce.ws.arcrest;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.gelato.ce.core.delegation.DelegatedToken;
import org.gelato.ce.core.delegation.DelegationKind;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.token.TokenRefusal;
import org.gelato.ce.ws.token.UnverifiedToken;
import org.gelato.ce.ws.web.Refusal;

/**
 * {@code /delegations}: the same delegations as those of the SOAP protocol, each under an id that this CE makes. Clients make one
 * for each job, so it costs a key of the pool and one statement (docs/developer/protocol/arc-rest.md, trap 13). Version 1.1 also knows bearer
 * tokens (docs/developer/decisions/0071); 1.0 shows none, for its clients take every delegation for a proxy.
 */
final class DelegationsResource {
    private static final String PEM = "application/x-pem-file";
    private static final String JSON = "application/json";
    private static final String TOKEN = "X-Token-Delegation";
    private static final Form.ListName LIST = new Form.ListName("delegations", "delegation");

    private final Delegations delegations;

    DelegationsResource(Delegations delegations) {
        this.delegations = delegations;
    }

    /** {@code GET /delegations}. */
    void list(ArcCall call) throws IOException {
        boolean tokens = showsTokens(call);
        List<Delegations.Listed> all = delegations.list(call.caller()).stream()
                .filter(one -> tokens || one.kind() == DelegationKind.X509)
                .toList();
        call.response()
                .list(
                        200,
                        LIST,
                        List.of(all).iterator(),
                        one -> new Part.Builder("delegation")
                                .with("id", one.id())
                                .with("type", one.kind().wireName())
                                .with("expires", one.expiresAt())
                                .build());
    }

    private static boolean showsTokens(ArcCall call) {
        return !call.base().equals(ArcCall.ROOT + "/1.0");
    }

    /** {@code POST /delegations?action=new}, of 1.1 with a {@code type}. */
    void make(ArcCall call) throws IOException {
        String type = showsTokens(call) ? call.parameter("type") : null;
        if (DelegationKind.JWT.wireName().equals(type)) {
            String id = delegations.putToken(call.caller(), token(call.request()));
            call.response().http().setHeader("location", call.base() + "/delegations/" + id);
            call.response().empty(201);
            return;
        }
        if (type != null && !type.equals(DelegationKind.X509.wireName())) {
            throw new Refusal(501, "Delegation type not implemented: expected x509 or jwt");
        }
        Delegations.NewProxyReq made = delegations.newUnnamedReq(call.caller());
        request(call, made.delegationId(), made.proxyRequest());
    }

    /** {@code PUT /delegations/ID} with the signed chain. */
    void put(ArcCall call, String id, byte[] body) {
        if (body.length == 0) {
            throw new Refusal(400, "Missing payload: expected the signed proxy and its chain, PEM");
        }
        delegations.putProxy(call.caller(), id, new String(body, StandardCharsets.US_ASCII));
        call.response().empty(200);
    }

    /** {@code POST /delegations/ID?action=…}. */
    void act(ArcCall call, String id) throws IOException {
        try {
            switch (call.action()) {
                case "get" -> get(call, id);
                case "renew" -> renew(call, id);
                case "delete" -> {
                    if (!delegations.release(call.caller(), id)) {
                        throw new Refusal(
                                FaultCode.STATUS_INVALID,
                                409,
                                "jobs that have not ended need this delegation; kill them or wait for their end");
                    }
                    call.response().empty(202);
                }
                default -> throw new Refusal(501, "Action not implemented: expected get, renew or delete");
            }
        } catch (ServiceException.DelegationRefused e) {
            // Whatever is wrong with an id: no delegation is stored under it.
            throw new Refusal(e.code(), 404, "No delegation found: " + e.getMessage());
        }
    }

    private DelegationKind kind(ArcCall call, String id) {
        return delegations
                .kind(call.caller(), id)
                .filter(kind -> kind == DelegationKind.X509 || showsTokens(call))
                .orElseThrow(() -> new Refusal(FaultCode.DELEGATION_UNKNOWN, 404, "No delegation found"));
    }

    /** What may be known of the credential without being of use: the chain without its key, the claims without their signature. */
    private void get(ArcCall call, String id) throws IOException {
        switch (kind(call, id)) {
            case X509 -> call.response().text(200, PEM, delegations.chain(call.caller(), id));
            case JWT ->
                call.response().text(200, JSON, UnverifiedToken.claims(delegations.unsignedToken(call.caller(), id)));
        }
    }

    private void renew(ArcCall call, String id) throws IOException {
        switch (kind(call, id)) {
            case X509 -> request(call, id, delegations.renewUnnamedReq(call.caller(), id));
            case JWT -> {
                try {
                    delegations.renewToken(call.caller(), id, token(call.request()));
                } catch (ServiceException.DelegationRefused e) {
                    // Because of the token, not of the id.
                    throw new Refusal(e.code(), 400, e.getMessage());
                }
                call.response().empty(200);
            }
        }
    }

    /** The token that the request brings; its signature is for other services to verify. */
    private static DelegatedToken token(HttpServletRequest request) {
        List<String> values = Collections.list(request.getHeaders(TOKEN));
        if (values.isEmpty()) {
            throw new Refusal(501, "Header " + TOKEN + " is missing: it carries the token");
        }
        if (values.size() > 1) {
            throw new Refusal(400, "Header " + TOKEN + " is there more than once");
        }
        try {
            return UnverifiedToken.of(values.get(0));
        } catch (TokenRefusal e) {
            throw new Refusal(400, "Header " + TOKEN + ": " + e.getMessage());
        }
    }

    private static void request(ArcCall call, String id, String request) throws IOException {
        // In lower case and without the query, as HTCondor and ARC 7 have it (docs/developer/protocol/arc-rest.md,
        // traps 1 and
        // 2).
        call.response().http().setHeader("location", call.base() + "/delegations/" + id);
        call.response().text(201, PEM, request);
    }
}
