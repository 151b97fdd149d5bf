/** Envelopes of both SOAP versions, read once and written, and what a service of the wire has to say of itself. */
package org.gelato.ce.ws.soap.wire;
