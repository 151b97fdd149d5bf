/** SOAP in a servlet container: Metro, the gate before it, and the reading and writing of envelopes. */
package org.gelato.ce.ws.soap;
