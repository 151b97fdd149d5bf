package org.gelato.ce.ws.tls;

import org.apache.tomcat.util.net.SSLHostConfig;
import org.gelato.ce.ws.credential.HostCredential;

/**
 * Carries host credential and trust manager from the connector's creator to {@link GridSslImplementation}, which Tomcat makes by class
 * name and without arguments.
 */
final class GridSslHostConfig extends SSLHostConfig {
    private static final long serialVersionUID = 1L;
    private final transient HostCredential credential;
    private final transient ProxyTrustManager trustManager;

    GridSslHostConfig(HostCredential credential, ProxyTrustManager trustManager) {
        this.credential = credential;
        this.trustManager = trustManager;
    }

    HostCredential credential() {
        return credential;
    }

    ProxyTrustManager trustManager() {
        return trustManager;
    }
}
