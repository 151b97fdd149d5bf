package org.gelato.ce.cli.soap;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import javax.xml.stream.XMLStreamException;
import org.gelato.ce.cli.http.RefusalText;
import org.gelato.ce.cli.http.ResponseBody;
import org.gelato.ce.cli.http.TransportErrors;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.json.FaultCode;

/**
 * Calls of the two services of one CE over a kept connection; responses are bounded. A call is never repeated by itself. Used by one
 * thread.
 */
final class CreamCalls {
    private static final String CREAM2_PATH = "/ce-cream/services/CREAM2";
    private static final String CREAM2_TYPES = "http://glite.org/2007/11/ce/cream/types";
    private static final String DELEGATION_PATH = "/ce-cream/services/gridsite-delegation";
    private static final String DELEGATION = "http://www.gridsite.org/namespaces/delegation-2";

    /** Far above the records of as many jobs as one call names, with their descriptions. */
    private static final int MAX_RESPONSE = 256 << 20;

    private final Endpoint endpoint;
    private final SSLSocketFactory sockets;
    private final Map<String, String> always;
    private final int timeoutMillis;

    /** @param always headers of every request */
    CreamCalls(Endpoint endpoint, SSLSocketFactory sockets, Map<String, String> always, Duration timeout) {
        this.endpoint = endpoint;
        this.sockets = sockets;
        this.always = always;
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** The wire's form of a selection, in an element that takes one. */
    Element filter(Element request, JobSelector jobs) {
        jobs.requireLookedUp();
        // The address of the job service, as the wire's creamURL wants it.
        String address = endpoint.resolve(CREAM2_PATH).toString();
        for (String id : jobs.localIds()) {
            request.add(new Element("jobId").add("id", id).add("creamURL", address));
        }
        jobs.states().forEach(state -> request.add("status", state));
        return request.add("fromDate", WireTimes.of(jobs.from()))
                .add("toDate", WireTimes.of(jobs.to()))
                .add("delegationId", jobs.delegationId())
                .add("leaseId", jobs.leaseId());
    }

    /**
     * Makes a call of the job service whose request is a selection of jobs.
     *
     * @throws CliException as {@link #cream2(JobServiceOperation, Element)}
     */
    Element cream2(JobServiceOperation operation, JobSelector jobs) {
        return cream2(operation, filter(operation.request(), jobs));
    }

    /**
     * Makes a call of the job service.
     *
     * @param body null for an empty Body
     * @return the element in the Body of the response; null for an operation without one
     * @throws ServiceFault when the CE refuses the call
     * @throws ConnectionFailure when it can't be reached, takes no calls just now, or its response was lost
     */
    Element cream2(JobServiceOperation operation, Element body) {
        return cream2(operation, body, Map.of());
    }

    /** The same with a key, which makes a repeated call do no more than the first one. */
    Element keyed(String key, JobServiceOperation operation, Element body) {
        return cream2(operation, body, Map.of("Idempotency-Key", key));
    }

    private Element cream2(JobServiceOperation operation, Element body, Map<String, String> headers) {
        Element response = call(CREAM2_PATH, operation.action(), headers, SoapEnvelope.of(body, CREAM2_TYPES, true));
        return operation.response() == null ? null : named(response, operation.response());
    }

    /**
     * Makes a call of the delegation service, whose style is RPC.
     *
     * @param body named as the operation
     * @return what the operation returned; null for nothing
     * @throws CliException as {@link #cream2(JobServiceOperation, Element)}
     */
    String delegation(Element body) {
        Element response = call(DELEGATION_PATH, "", Map.of(), SoapEnvelope.of(body, DELEGATION, false));
        return named(response, body.name() + "Response").text(body.name() + "Return");
    }

    private Element named(Element response, String name) {
        if (response == null || !response.name().equals(name)) {
            throw TransportErrors.unreadable(
                    endpoint,
                    "the response has " + (response == null ? "nothing" : response.name()) + " where " + name
                            + " belongs",
                    null);
        }
        return response;
    }

    private Element call(String path, String action, Map<String, String> headers, byte[] request) {
        Map<String, String> all = new HashMap<>(always);
        all.putAll(headers);
        all.put("Content-Type", "text/xml; charset=utf-8");
        all.put("Accept", "text/xml");
        all.put("SOAPAction", '"' + action + '"');
        HttpsURLConnection connection = null;
        try {
            connection = (HttpsURLConnection) endpoint.resolve(path).toURL().openConnection();
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection.setSSLSocketFactory(sockets);
            connection.setConnectTimeout(timeoutMillis);
            connection.setReadTimeout(timeoutMillis);
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            all.forEach(connection::setRequestProperty);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(request);
            }
            return response(connection);
        } catch (IOException e) {
            if (connection != null) {
                connection.disconnect();
            }
            throw TransportErrors.of(endpoint, e);
        }
    }

    private Element response(HttpsURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        boolean done = status / 100 == 2;
        String fault = connection.getHeaderField(FaultCode.HEADER);
        String type = String.valueOf(connection.getContentType());
        byte[] bytes = bytes(connection, status < 400 ? connection.getInputStream() : connection.getErrorStream());
        // Where the CE is to be called again there may be a fault, too, for clients that know no statuses.
        if (TransportErrors.isPassing(status) || (!done && !type.contains("xml"))) {
            String reason = RefusalText.of(type, bytes);
            throw TransportErrors.of(endpoint, status, reason.isEmpty() ? "" : "HTTP " + status + ": " + reason, fault);
        }
        Element body;
        try {
            body = SoapEnvelope.body(bytes);
        } catch (XMLStreamException e) {
            throw TransportErrors.unreadable(
                    endpoint, "HTTP " + status + " with a response that is not SOAP: " + e.getMessage(), e);
        }
        if (body != null && body.name().equals("Fault")) {
            throw Faults.of(endpoint, body, fault);
        }
        if (!done) {
            throw TransportErrors.of(endpoint, status, "HTTP " + status + " without a reason", fault);
        }
        if (body != null && fault != null) {
            Faults.name(body, List.of(fault.split(",")));
        }
        return body;
    }

    private byte[] bytes(HttpsURLConnection connection, InputStream in) throws IOException {
        if (in == null) {
            return new byte[0];
        }
        try (in) {
            return ResponseBody.whole(endpoint, in, connection.getContentLengthLong(), MAX_RESPONSE);
        }
    }
}
