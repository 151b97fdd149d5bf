package org.gelato.ce.ws.soap;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.gelato.ce.ws.web.ClientConnection;

/**
 * A fault's status of 500, which SOAP 1.1 prescribes, under another number on its way to the connector. Tomcat ends a
 * connection after every 500, though nothing is wrong with it when it carried a fault, and the client's next call then costs a TLS
 * handshake, just when the CE has too much to do and refuses calls. The CE's own
 * connector knows the number, sends 500 in its place and keeps the connection; under any other the status stays 500.
 */
public final class CapturedFault extends HttpServletResponseWrapper {
    /** What is never sent: no status of HTTP, and none that Tomcat ends connections after. */
    public static final int STATUS = 299;

    private CapturedFault(HttpServletResponse response) {
        super(response);
    }

    /** The response, wrapped where the connector keeps connections. */
    static HttpServletResponse of(HttpServletRequest request, HttpServletResponse response) {
        return ClientConnection.isOwn(request) ? new CapturedFault(response) : response;
    }

    @Override
    public void setStatus(int status) {
        super.setStatus(status == SC_INTERNAL_SERVER_ERROR ? STATUS : status);
    }

    @Override
    public int getStatus() {
        int status = super.getStatus();
        return status == STATUS ? SC_INTERNAL_SERVER_ERROR : status;
    }
}
