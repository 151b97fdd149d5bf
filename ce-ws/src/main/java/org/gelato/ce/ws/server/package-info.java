/** The HTTP server: embedded Tomcat, or the same application inside a stock one. */
package org.gelato.ce.ws.server;
