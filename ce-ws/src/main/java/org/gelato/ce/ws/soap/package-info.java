/** Puts the SOAP services into a servlet container. */
package org.gelato.ce.ws.soap;
