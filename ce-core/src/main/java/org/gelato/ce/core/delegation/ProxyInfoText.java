package org.gelato.ce.core.delegation;

import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyChainType;
import java.security.cert.CertificateException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.Locale;

/** The delegationProxyInfo text of JobInfo (docs/developer/protocol/cream2-wire.md section 8). Pure. */
final class ProxyInfoText {
    // A pattern, not a localized style: newer JDKs put U+202F before AM and PM there, which ARC can't split.
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("M/d/yy h:mm a", Locale.US).withZone(ZoneOffset.UTC);

    private ProxyInfoText() {}

    /**
     * @param chain a checked chain: with a proxy first and an end-entity certificate
     */
    static String of(ProxyChain chain, AttributeReader.Attributes attributes) {
        StringBuilder text = new StringBuilder("[ isRFC=\"").append(rfc(chain)).append('"');
        field(text, "valid from", date(chain.leaf().getNotBefore()));
        field(text, "valid to", date(chain.leaf().getNotAfter()));
        chain.endEntity()
                .ifPresent(c ->
                        field(text, "holder DN", c.getSubjectX500Principal().getName()));
        field(text, "holder AC issuer", chain.leaf().getIssuerX500Principal().getName());
        if (attributes.vo() != null) {
            field(text, "VO", attributes.vo());
            field(text, "AC issuer", attributes.issuer());
            text.append("; VOMS attributes={ ")
                    .append(String.join(", ", attributes.fqans()))
                    .append(" }");
        }
        return text.append(" ]").toString();
    }

    /** The same for a bearer token, of which nobody verified more than the form. */
    static String ofToken(Instant end) {
        StringBuilder text = new StringBuilder("[ type=\"jwt\"");
        field(text, "valid to", date(end));
        return text.append(" ]").toString();
    }

    static String date(Instant time) {
        return DATE.format(time) + " (GMT)";
    }

    private static String date(Date time) {
        return date(time.toInstant());
    }

    private static boolean rfc(ProxyChain chain) {
        try {
            return new ProxyChainInfo(chain.certificates()).getProxyType() == ProxyChainType.RFC3820;
        } catch (CertificateException e) {
            throw new IllegalStateException("a checked chain begins with a proxy", e);
        }
    }

    private static void field(StringBuilder text, String name, String value) {
        text.append("; ").append(name).append("=\"").append(value).append('"');
    }
}
