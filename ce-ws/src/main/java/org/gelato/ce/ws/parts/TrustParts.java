package org.gelato.ce.ws.parts;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.apache.catalina.connector.Connector;
import org.gelato.ce.core.identity.Authorizer;
import org.gelato.ce.ws.audit.AuditLog;
import org.gelato.ce.ws.authentication.Authenticator;
import org.gelato.ce.ws.check.OwnCertificate;
import org.gelato.ce.ws.config.TlsSettings;
import org.gelato.ce.ws.credential.HostCredential;
import org.gelato.ce.ws.parts.monitoring.HostCertificateState;
import org.gelato.ce.ws.parts.monitoring.PartChecks;
import org.gelato.ce.ws.parts.monitoring.RevocationState;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridConnector;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.IssuerTrust;
import org.gelato.ce.ws.token.TokenVerifier;
import org.gelato.ce.ws.web.CallerResolver;

/**
 * Who is who: authorities, CRLs, the host certificate, tokens.
 *
 * @param tokens null when none are accepted
 */
record TrustParts(GridTrust trust, HostCredential host, ChainIdentities identities, TokenVerifier tokens) {
    private static final Duration LIST_CHECK = Duration.ofSeconds(2);

    static TrustParts open(Opening o) throws IOException {
        TlsSettings tls = o.config().tls();
        GridTrust trust = o.opened(new GridTrust(tls.trust(), o.config().home().resolve("trust")));
        HostCredential host = new HostCredential(
                tls.hostCertificate(), tls.hostKey(), o.config().host(), o.clock());
        host.follow(now -> OwnCertificate.write(o.config().home(), now.certificatePem()));
        o.every(tls.trust().refresh(), tls.trust().refresh(), host::refresh);
        TokenVerifier tokens = o.config().tokens().enabled()
                ? o.opened(new TokenVerifier(
                        o.config().tokens(), IssuerTrust.context(trust.validator()), o.clock(), o.meters()))
                : null;
        TrustParts parts = new TrustParts(trust, host, new ChainIdentities(trust, o.clock()), tokens);
        parts.register(o);
        return parts;
    }

    private void register(Opening o) {
        o.counter(
                "ce.chains.validated",
                "Certificate chains validated; those known already are not counted",
                identities,
                ChainIdentities::validations);
        RevocationState revocation = new RevocationState(trust, o.clock(), o.meters());
        o.check(revocation.check());
        o.every(Duration.ZERO, LIST_CHECK, revocation::meter);
        HostCertificateState certificate =
                new HostCertificateState(host, o.config().host(), o.clock());
        certificate.register(o.meters());
        o.check(certificate);
        o.every(Duration.ZERO, LIST_CHECK, certificate::report);
        o.check(PartChecks.clock(trust.clock()));
        if (tokens != null) {
            o.check(PartChecks.tokens(tokens));
        }
    }

    /** Callers as an authorizer maps them. */
    CallerResolver callers(Authorizer authorizer) {
        return new Authenticator(identities, tokens, authorizer);
    }

    Instant hostCertificateEnd() {
        return host.certificate().end();
    }

    /** Which servers of issuers and of webhooks are believed. */
    SSLContext servers() {
        return IssuerTrust.context(trust.validator());
    }

    /** Makes a connector use TLS. */
    Consumer<Connector> tls(AuditLog audit) {
        return connector ->
                GridConnector.secure(connector, host, identities, e -> audit.refusedChain(e.subject(), e.getMessage()));
    }
}
