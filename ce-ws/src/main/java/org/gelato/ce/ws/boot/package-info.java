/** The composition root: the server's commands, what is read from the configuration, and the parts it makes and connects. */
package org.gelato.ce.ws.boot;
