package org.gelato.ce.core.delegation;

import java.security.KeyPair;

/**
 * An unused key pair, and a certificate request for it that names nobody.
 *
 * @param request PEM, with an empty subject
 */
record RequestKey(KeyPair pair, String request) {
    static RequestKey of(KeyPair pair) {
        return new RequestKey(pair, CertificateRequest.pem(pair));
    }
}
