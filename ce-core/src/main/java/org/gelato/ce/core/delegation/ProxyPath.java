package org.gelato.ce.core.delegation;

import eu.emi.security.authn.x509.helpers.proxy.ProxyHelper;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** How many proxies may follow below those of a chain (RFC 3820, 3.8.1). */
final class ProxyPath {
    private ProxyPath() {}

    /** Whether a further proxy fits below the first certificate of a chain. */
    static boolean hasRoom(X509Certificate[] chain) throws IOException {
        return exceeded(chain, 1).isEmpty();
    }

    /** The proxy below which the chain has more proxies than it allows; empty when there is none. */
    static Optional<X509Certificate> exceeded(X509Certificate[] chain) throws IOException {
        return exceeded(chain, 0);
    }

    private static Optional<X509Certificate> exceeded(X509Certificate[] chain, int more) throws IOException {
        for (int below = 0; below < chain.length && ProxyUtils.isProxy(chain[below]); below++) {
            int limit = ProxyHelper.getProxyPathLimit(chain[below]);
            // The library's number for a proxy without a limit is negative or very large.
            if (limit >= 0 && below + more > limit) {
                return Optional.of(chain[below]);
            }
        }
        return Optional.empty();
    }
}
