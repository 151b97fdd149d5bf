package org.gelato.ce.cli.arcrest;

import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.gelato.ce.cli.http.PathText;
import org.gelato.ce.cli.http.Repetition;
import org.gelato.ce.cli.http.TransportErrors;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ServiceFault;

/** Delegations of one CE, which names them itself. Used by one thread. */
final class ArcDelegations {
    private static final String PEM = "application/x-pem-file";
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";
    /** With NEW or without. */
    private static final Pattern END_OF_REQUEST = Pattern.compile("-----END (NEW )?CERTIFICATE REQUEST-----");

    private final ArcCalls calls;
    private final Repetition repetition;
    private final UnaryOperator<String> signer;

    /** @param signer turns a certificate request into a chain, both PEM; null for a user without a proxy */
    ArcDelegations(ArcCalls calls, Repetition repetition, UnaryOperator<String> signer) {
        this.calls = calls;
        this.repetition = repetition;
        this.signer = signer;
    }

    /** Makes a delegation; empty for a user without a proxy. */
    Optional<String> make() {
        if (signer == null) {
            return Optional.empty();
        }
        String[] sent = new String[1];
        return Optional.of(repetition.of(Repetition.TRIES, attempt -> {
            if (sent[0] != null && isDelegated(sent[0])) {
                return sent[0];
            }
            ArcCalls.Reply reply = calls.call("POST", "/delegations?action=new", PEM, "");
            if (reply.location() == null || !reply.location().matches("[A-Za-z0-9._-]{1,100}")) {
                throw TransportErrors.unreadable(calls.endpoint(), "the CE did not name the new delegation", null);
            }
            String chain = signed(reply);
            sent[0] = reply.location();
            put(reply.location(), chain);
            return reply.location();
        }));
    }

    /** The CE made this id: there is a delegation where it has the proxy. */
    private boolean isDelegated(String id) {
        try {
            // Of a delegation without a proxy other CEs return an empty text.
            return calls.call("POST", path(id) + "?action=get", PEM, "").text().contains(CERTIFICATE);
        } catch (ServiceFault e) {
            if (e.mayHaveBeenDone()) {
                throw e;
            }
            return false;
        }
    }

    void renew(String id) {
        if (signer == null) {
            throw new CliException(
                    "there is no proxy to delegate, only a token: submit without a delegation, or make a proxy"
                            + " with voms-proxy-init");
        }
        repetition.of(Repetition.TRIES, attempt -> {
            put(id, signed(calls.call("POST", path(id) + "?action=renew", PEM, "")));
            return null;
        });
    }

    private String signed(ArcCalls.Reply request) {
        if (!END_OF_REQUEST.matcher(request.text()).find()) {
            throw TransportErrors.unreadable(calls.endpoint(), "the CE sent no whole certificate request", null);
        }
        return signer.apply(request.text());
    }

    private void put(String id, String chain) {
        calls.call("PUT", path(id), PEM, chain);
    }

    private static String path(String id) {
        return "/delegations/" + PathText.encode(id).replace("/", "%2F");
    }
}
