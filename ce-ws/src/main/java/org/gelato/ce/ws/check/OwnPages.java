package org.gelato.ce.ws.check;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.net.ssl.HttpsURLConnection;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.web.ControlKey;

/** Requests to the CE that runs on this host, if it has a certificate of this CE's. */
public final class OwnPages {
    private static final int CONNECT_MS = 10_000;
    /** A check whose database hangs has its result after 10 s. */
    private static final int PATIENCE_MS = 30_000;
    /** A ban may cancel many jobs. */
    private static final int CHANGE_PATIENCE_MS = 600_000;

    private OwnPages() {}

    /** There was a connection and no response: whether the request was carried out is not known. */
    public static final class Unanswered extends IOException {
        private static final long serialVersionUID = 1L;

        Unanswered(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /**
     * The text of a page.
     *
     * @param path starts with a slash
     * @param most bytes that are read
     * @throws IOException when the CE does not run, or has another certificate, or refuses
     */
    public static String get(CeConfig config, String path, int most) throws IOException {
        return request(config, "GET", path, null, PATIENCE_MS, most);
    }

    /**
     * As {@link #get}, by a method of HTTP that changes something, as root or the CE's account ({@link ControlKey}).
     *
     * @throws Unanswered when it may have been done
     */
    public static String change(CeConfig config, String method, String path, int most) throws IOException {
        return request(config, method, path, ControlKey.read(config.home()), CHANGE_PATIENCE_MS, most);
    }

    private static String request(CeConfig config, String method, String path, String key, int patience, int most)
            throws IOException {
        String host =
                config.address().isEmpty() ? InetAddress.getLoopbackAddress().getHostAddress() : config.address();
        String authority = (host.contains(":") ? "[" + host + "]" : host) + ":" + config.port();
        try {
            HttpsURLConnection connection = (HttpsURLConnection)
                    URI.create("https://" + authority + path).toURL().openConnection(Proxy.NO_PROXY);
            connection.setSSLSocketFactory(OwnListener.trusting(config).getSocketFactory());
            // The certificate itself was compared, and it names the host, not the address.
            connection.setHostnameVerifier((name, session) -> true);
            connection.setRequestMethod(method);
            connection.setConnectTimeout(CONNECT_MS);
            connection.setReadTimeout(patience);
            connection.setInstanceFollowRedirects(false);
            if (key != null) {
                connection.setRequestProperty(ControlKey.HEADER, key);
            }
            connection.connect();
            return response(connection, most);
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS with " + config.tls().hostCertificate() + ": " + e.getMessage(), e);
        }
    }

    private static String response(HttpsURLConnection connection, int most) throws Unanswered {
        try {
            int status = connection.getResponseCode();
            try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                String text = in == null ? "" : new String(in.readNBytes(most), StandardCharsets.UTF_8);
                return status < 400 ? text : "status " + status + "\n" + text;
            }
        } catch (IOException e) {
            throw new Unanswered(e);
        }
    }
}
