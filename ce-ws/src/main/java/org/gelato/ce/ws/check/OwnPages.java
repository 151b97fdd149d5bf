package org.gelato.ce.ws.check;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.net.ssl.HttpsURLConnection;
import org.gelato.ce.ws.config.CeConfig;

/** Requests to the CE that runs on this host, if it has a certificate of this CE's. */
public final class OwnPages {
    private static final int PATIENCE_MS = 10_000;

    private OwnPages() {}

    /**
     * The text of a page.
     *
     * @param path starts with a slash
     * @param most bytes that are read
     * @throws IOException when the CE does not run, or has another certificate, or refuses
     */
    public static String get(CeConfig config, String path, int most) throws IOException {
        return request(config, "GET", path, most);
    }

    /** As {@link #get}, by another method of HTTP. */
    public static String request(CeConfig config, String method, String path, int most) throws IOException {
        String host =
                config.address().isEmpty() ? InetAddress.getLoopbackAddress().getHostAddress() : config.address();
        String authority = (host.contains(":") ? "[" + host + "]" : host) + ":" + config.port();
        try {
            HttpsURLConnection connection = (HttpsURLConnection)
                    URI.create("https://" + authority + path).toURL().openConnection();
            connection.setSSLSocketFactory(OwnListener.trusting(config).getSocketFactory());
            // The certificate itself was compared, and it names the host, not the address.
            connection.setHostnameVerifier((name, session) -> true);
            connection.setRequestMethod(method);
            connection.setConnectTimeout(PATIENCE_MS);
            connection.setReadTimeout(PATIENCE_MS);
            int status = connection.getResponseCode();
            try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                String text = in == null ? "" : new String(in.readNBytes(most), StandardCharsets.UTF_8);
                return status < 400 ? text : "status " + status + "\n" + text;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS with " + config.tls().hostCertificate() + ": " + e.getMessage(), e);
        }
    }
}
