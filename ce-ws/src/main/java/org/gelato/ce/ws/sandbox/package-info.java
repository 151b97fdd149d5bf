/** The files of jobs over HTTPS: input up, output down and up, the proxy of a running job; for clients and job wrappers. */
package org.gelato.ce.ws.sandbox;
