package org.gelato.ce.ws.soap.gate;

import java.util.Set;
import org.gelato.ce.core.identity.Permission;

/**
 * An operation of a service.
 *
 * @param name the WSDL's name
 * @param action the WSDL's SOAPAction; empty when dispatch needs none
 * @param permissions what the caller's credential must permit; one of them is enough, and none is needed when it is empty
 * @param emptyBody whether the Body holds nothing; what a client put there nevertheless is dropped
 */
public record SoapOperation(String name, String action, boolean emptyBody, Set<Permission> permissions) {
    public SoapOperation {
        permissions = Set.copyOf(permissions);
    }

    /** An operation that only reads. */
    public SoapOperation(String name, String action, boolean emptyBody) {
        this(name, action, emptyBody, Set.of(Permission.READ));
    }
}
