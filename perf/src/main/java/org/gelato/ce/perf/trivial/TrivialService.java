package org.gelato.ce.perf.trivial;

import jakarta.jws.WebMethod;
import jakarta.jws.WebService;

/** One operation that does nothing. */
@WebService(serviceName = "Trivial", portName = "Trivial", targetNamespace = TrivialService.NAMESPACE)
public class TrivialService {
    static final String NAMESPACE = "urn:trivial";

    /** Returns a fixed text. */
    @WebMethod
    public String ping() {
        return "pong";
    }
}
