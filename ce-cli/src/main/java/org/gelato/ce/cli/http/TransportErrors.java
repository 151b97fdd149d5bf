package org.gelato.ce.cli.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.WireFault;
import org.gelato.ce.json.FaultCode;

/**
 * What a call that failed says to the user, and whether the CE may have done what it asks; the same in every protocol. A response that is
 * shorter than announced, or can't be read, is lost as one that never came.
 */
public final class TransportErrors {
    private static final int UNAVAILABLE = 503;

    /** The call may work later, and nothing of it was done: a slow request, too many of them, a CE that takes none. */
    private static final Set<Integer> REFUSED_FOR_NOW = Set.of(408, 429, UNAVAILABLE);

    /** A gateway that has lost the CE, which may have got the call. */
    private static final Set<Integer> LOST_BY_GATEWAY = Set.of(502, 504);

    private TransportErrors() {}

    /**
     * The failure that an HTTP status stands for which has no fault of the protocol beside it.
     *
     * @param status 300 or above
     * @param reason empty for none
     * @param faultCode of header {@link FaultCode#HEADER}; null for none
     * @return a {@link ConnectionFailure} where the call may work later, else a {@link ServiceFault}
     */
    public static CliException of(Endpoint endpoint, int status, String reason, String faultCode) {
        String words = reason.isEmpty() ? words(status) : reason;
        if (isPassing(status)) {
            return new ConnectionFailure(
                    endpoint + ": " + Printable.line(words),
                    null,
                    LOST_BY_GATEWAY.contains(status),
                    FaultCode.of(faultCode).flatMap(FaultCode::advice).orElse(null));
        }
        String kind = FaultCode.JOB_UNKNOWN.name().equals(faultCode)
                ? MessageCalls.UNKNOWN
                : switch (status) {
                    case 401, 403 -> "AuthorizationFault";
                    case 501 -> "OperationNotSupportedFault";
                    default -> status < 500 ? "InvalidArgumentFault" : "GenericFault";
                };
        return new ServiceFault(endpoint, new WireFault(kind, Integer.toString(status), words, null, faultCode));
    }

    /** The same of a response. */
    public static CliException of(Endpoint endpoint, HttpResponse<?> response, String reason) {
        return of(endpoint, response.statusCode(), reason, fault(response));
    }

    /** Null for none. */
    public static String fault(HttpResponse<?> response) {
        return response.headers().firstValue(FaultCode.HEADER).orElse(null);
    }

    private static String words(int status) {
        String what = status == UNAVAILABLE
                ? "the CE takes no calls at the moment ("
                : LOST_BY_GATEWAY.contains(status) ? "a gateway got no response of the CE (" : "";
        return what + "HTTP " + status + (what.isEmpty() ? "" : ")");
    }

    /** Whether the same call may work later. */
    public static boolean isPassing(int status) {
        return REFUSED_FOR_NOW.contains(status) || LOST_BY_GATEWAY.contains(status);
    }

    /**
     * The failure of a call whose response says nothing.
     *
     * @param why it does not
     * @param cause null for none
     */
    public static ConnectionFailure unreadable(Endpoint endpoint, String why, Throwable cause) {
        return new ConnectionFailure(endpoint + ": " + Printable.line(why), cause);
    }

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
            return "no such host: check the spelling of the CE's name";
        }
        if (e instanceof SocketTimeoutException) {
            return "no response in time (--timeout)";
        }
        if (e instanceof ConnectException || e instanceof NoRouteToHostException) {
            return "can't connect" + (e.getMessage() == null ? "" : ": " + e.getMessage())
                    + " (is the CE's name right, and its port? Without a port it is 8443)";
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
