/** TLS with grid proxies: trust anchors, VOMS attributes, the Tomcat connector, who a caller is. */
package org.gelato.ce.ws.tls;
