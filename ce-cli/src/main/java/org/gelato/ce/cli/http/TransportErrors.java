package org.gelato.ce.cli.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;

/** Describes for the user why a connection failed. */
public final class TransportErrors {
    private TransportErrors() {}

    /** The failure to throw: one that may pass, or one that will stay until the user does something. */
    public static CliException of(Endpoint endpoint, Throwable error) {
        CertificateException distrust = find(error, CertificateException.class);
        SSLException tls = find(error, SSLException.class);
        if (tls != null && distrust != null) {
            return new CliException(
                    endpoint + ": the CE's certificate is not accepted: " + distrust.getMessage()
                            + " (trusted authorities: --ca or X509_CERT_DIR)",
                    error);
        }
        if (tls != null && tls.getMessage() != null && tls.getMessage().contains("fatal alert")) {
            return new CliException(
                    endpoint + ": the CE refused the TLS connection, most likely for your proxy, or as it wants one: "
                            + tls.getMessage(),
                    error);
        }
        IOException cause = find(error, IOException.class);
        return cause == null
                ? new CliException(endpoint + ": " + error.getMessage(), error)
                : new ConnectionFailure(endpoint + ": " + words(cause), error, !isBeforeTheRequest(cause));
    }

    /** Whether there was no connection yet on which a request could have been sent. */
    private static boolean isBeforeTheRequest(IOException e) {
        return e instanceof UnknownHostException
                || e instanceof ConnectException
                || e instanceof NoRouteToHostException
                || e instanceof HttpConnectTimeoutException
                || hasCause(e, UnresolvedAddressException.class);
    }

    private static String words(IOException e) {
        if (e instanceof UnknownHostException || hasCause(e, UnresolvedAddressException.class)) {
            return "no such host";
        }
        if (e instanceof SocketTimeoutException) {
            return "no response in time (--timeout)";
        }
        if (e instanceof ConnectException || e instanceof NoRouteToHostException) {
            return e.getMessage() == null ? "can't connect" : "can't connect: " + e.getMessage();
        }
        String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return "the connection broke: " + reason;
    }

    private static boolean hasCause(Throwable error, Class<? extends Throwable> type) {
        return find(error, type) != null;
    }

    private static <T extends Throwable> T find(Throwable error, Class<T> type) {
        Throwable at = error;
        // Bounded, as a chain of causes may be circular.
        for (int depth = 0; at != null && depth < 20; depth++) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
            at = at.getCause();
        }
        return null;
    }
}
