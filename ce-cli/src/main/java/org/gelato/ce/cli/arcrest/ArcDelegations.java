package org.gelato.ce.cli.arcrest;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.gelato.ce.cli.http.PathText;
import org.gelato.ce.cli.terminal.CliException;

/** Delegations of one CE, which names them itself. Used by one thread. */
final class ArcDelegations {
    private static final String PEM = "application/x-pem-file";

    private final ArcCalls calls;
    private final UnaryOperator<String> signer;

    /** @param signer turns a certificate request into a chain, both PEM; null for a user without a proxy */
    ArcDelegations(ArcCalls calls, UnaryOperator<String> signer) {
        this.calls = calls;
        this.signer = signer;
    }

    /** Makes a delegation; empty for a user without a proxy. */
    Optional<String> make() {
        if (signer == null) {
            return Optional.empty();
        }
        ArcCalls.Reply reply = calls.call("POST", "/delegations?action=new", PEM, "");
        if (reply.location() == null || !reply.location().matches("[A-Za-z0-9._-]{1,100}")) {
            throw new CliException(calls.endpoint() + ": the CE did not name the new delegation");
        }
        put(reply.location(), reply);
        return Optional.of(reply.location());
    }

    void renew(String id) {
        if (signer == null) {
            throw new CliException(
                    "there is no proxy to delegate, only a token: submit without a delegation, or make a proxy"
                            + " with voms-proxy-init");
        }
        put(id, calls.call("POST", path(id) + "?action=renew", PEM, ""));
    }

    private void put(String id, ArcCalls.Reply request) {
        calls.call("PUT", path(id), PEM, signer.apply(new String(request.body(), StandardCharsets.US_ASCII)));
    }

    private static String path(String id) {
        return "/delegations/" + PathText.encode(id).replace("/", "%2F");
    }
}
