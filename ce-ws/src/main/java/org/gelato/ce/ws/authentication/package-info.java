/** Who sent a request: by its bearer token, else by its certificate. */
package org.gelato.ce.ws.authentication;
