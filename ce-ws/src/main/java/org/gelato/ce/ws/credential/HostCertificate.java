package org.gelato.ce.ws.credential;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.gelato.ce.core.identity.DnForms;

/** What a host certificate means to clients. Immutable. */
public record HostCertificate(X509Certificate certificate) {
    private static final int DNS_NAME = 2;
    private static final int ADDRESS = 7;

    public Instant begin() {
        return certificate.getNotBefore().toInstant();
    }

    public Instant end() {
        return certificate.getNotAfter().toInstant();
    }

    /** Who issued it, in slash form. */
    public String issuer() {
        return DnForms.slash(DnForms.rfc2253(certificate.getIssuerX500Principal()));
    }

    /** DNS names and addresses of the subject's alternative names; where there are none, the common name, without the {@code host/} of Globus. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            for (List<?> name : alternatives == null ? List.<List<?>>of() : alternatives) {
                if (Integer.valueOf(DNS_NAME).equals(name.get(0))
                        || Integer.valueOf(ADDRESS).equals(name.get(0))) {
                    names.add(name.get(1).toString());
                }
            }
            if (names.isEmpty()) {
                new LdapName(certificate.getSubjectX500Principal().getName())
                        .getRdns().stream()
                                .filter(r -> r.getType().equalsIgnoreCase("CN"))
                                .forEach(r -> names.add(r.getValue().toString().replaceFirst("^host/", "")));
            }
        } catch (CertificateParsingException | InvalidNameException e) {
            return List.of("a name that cannot be read");
        }
        return names;
    }

    /** Whether one of its names is the host's, or stands for it by a {@code *} in the place of the first label. */
    public boolean isFor(String host) {
        String wanted = host.toLowerCase(Locale.ROOT);
        return names().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .anyMatch(name -> name.equals(wanted)
                        || (name.startsWith("*.")
                                && wanted.replaceFirst("^[^.]+", "*").equals(name)));
    }

    /**
     * Why every client refuses a CE with this certificate; empty when none has to.
     *
     * @param host the CE's name; null when it is not known
     */
    public Optional<String> refusal(String host, Instant now) {
        if (now.isBefore(begin())) {
            return Optional.of("the host certificate is not valid before " + begin());
        }
        if (!now.isBefore(end())) {
            return Optional.of("the host certificate ended at " + end());
        }
        if (host != null && !isFor(host)) {
            return Optional.of("the host certificate is for " + String.join(", ", names()) + " and not for " + host);
        }
        return Optional.empty();
    }
}
