package org.gelato.ce.ws.soap.gate;

/**
 * An operation of a service.
 *
 * @param name the WSDL's name
 * @param action the WSDL's SOAPAction; empty when dispatch needs none
 */
public record SoapOperation(String name, String action) {}
