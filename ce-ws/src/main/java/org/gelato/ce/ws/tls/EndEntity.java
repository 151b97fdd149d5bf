package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.helpers.proxy.ExtendedProxyType;
import eu.emi.security.authn.x509.helpers.proxy.ProxyHelper;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.security.cert.X509Certificate;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;

/** Which certificate of a chain is the user's. */
final class EndEntity {
    private EndEntity() {}

    /** The position of the first certificate that is no proxy; the length of the chain when all are. */
    static int position(X509Certificate[] chain) {
        int i = 0;
        while (i < chain.length && isProxy(chain[i])) {
            i++;
        }
        return i;
    }

    /** A legacy proxy is one by its name alone, which is its issuer's with one part more. Somebody may be called so. */
    static boolean isProxy(X509Certificate certificate) {
        return ProxyUtils.isProxy(certificate)
                && (ProxyHelper.getProxyType(certificate) != ExtendedProxyType.LEGACY || belowIssuer(certificate));
    }

    private static boolean belowIssuer(X509Certificate certificate) {
        try {
            LdapName subject =
                    new LdapName(certificate.getSubjectX500Principal().getName());
            LdapName issuer = new LdapName(certificate.getIssuerX500Principal().getName());
            return subject.getPrefix(subject.size() - 1).equals(issuer);
        } catch (InvalidNameException e) {
            // What can't be read is left to the validation.
            return true;
        }
    }
}
