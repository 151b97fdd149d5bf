package org.gelato.ce.ws.soap.gate;

/**
 * An operation of a service.
 *
 * @param name the WSDL's name
 * @param action the WSDL's SOAPAction; empty when dispatch needs none
 * @param emptyBody whether the Body holds nothing; what a client put there nevertheless is dropped
 */
public record SoapOperation(String name, String action, boolean emptyBody) {}
