/** Whether this host's clock agrees with the certificates of its users. */
package org.gelato.ce.ws.tls.clock;
