package org.gelato.ce.ws.tls;

import org.apache.tomcat.util.net.SSLHostConfig;

/**
 * Carries the trust manager from the connector's creator to {@link GridSslImplementation}, which Tomcat makes by class
 * name and without arguments.
 */
final class GridSslHostConfig extends SSLHostConfig {
    private static final long serialVersionUID = 1L;
    private final transient ProxyTrustManager trustManager;

    GridSslHostConfig(ProxyTrustManager trustManager) {
        this.trustManager = trustManager;
    }

    ProxyTrustManager trustManager() {
        return trustManager;
    }
}
