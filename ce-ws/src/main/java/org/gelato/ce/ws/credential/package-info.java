/** The certificate and key of the host: read again when their files change, for all that show them to clients. */
package org.gelato.ce.ws.credential;
