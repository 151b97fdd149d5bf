package org.gelato.ce.cli.credential;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Gives TLS the user's proxy, whatever authorities the CE names: of a proxy it may know the user's authority, the user, or neither, and its
 * refusal says more than the absence of a certificate.
 */
final class ProxyKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "proxy";

    private final PrivateKey key;
    private final X509Certificate[] chain;

    ProxyKeyManager(PrivateKey key, X509Certificate[] chain) {
        this.key = key;
        this.chain = chain.clone();
    }

    private boolean isOf(String keyType) {
        return key.getAlgorithm().equals(keyType);
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return Arrays.stream(keyTypes).anyMatch(this::isOf) ? ALIAS : null;
    }

    @Override
    public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return chooseClientAlias(keyTypes, issuers, null);
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return isOf(keyType) ? new String[] {ALIAS} : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return chain.clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return null;
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return null;
    }
}
