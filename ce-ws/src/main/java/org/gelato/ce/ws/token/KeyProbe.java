package org.gelato.ce.ws.token;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** Reads the keys of an issuer once, as a CE would, for an administrator who wants to know whether they can be had. */
public final class KeyProbe {
    private KeyProbe() {}

    /**
     * Fetches the keys or reads their file; keeps nothing.
     *
     * @param trust which servers of issuers are believed
     * @return the number of keys that may verify a signature; at least one
     * @throws IOException why there is none
     */
    public static int count(TokenIssuer issuer, TokenSettings settings, SSLContext trust) throws IOException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            return issuer.keyFile() == null
                    ? KeySet.parse(
                                    new KeyFetcher(trust, threads, settings.fetchTimeout()).fetch(issuer.issuer()),
                                    issuer.issuer())
                            .keys()
                            .size()
                    : ofFile(issuer);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * The same for an issuer whose keys are in a file.
     *
     * @throws IOException why there is none
     */
    public static int ofFile(TokenIssuer issuer) throws IOException {
        try {
            return KeySet.parse(FileKeys.read(issuer.keyFile()), issuer.issuer())
                    .keys()
                    .size();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
