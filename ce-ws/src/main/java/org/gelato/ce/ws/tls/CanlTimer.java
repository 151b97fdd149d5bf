package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;

/**
 * The thread by which CAnL reads trust anchors and CRLs again: one for all validators of a class loader, started with the
 * first, ended by none of them.
 */
public final class CanlTimer extends OpensslCertChainValidator {
    @SuppressWarnings("UnusedMethod") // there is no instance, but the class above has no other constructor
    private CanlTimer(String directory) {
        super(directory);
    }

    /** Ends it; this class loader can make no validator any more. */
    public static void end() {
        timer.cancel();
    }
}
