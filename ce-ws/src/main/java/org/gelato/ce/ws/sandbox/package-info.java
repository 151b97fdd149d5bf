/** The files of jobs over HTTPS: input up, output down and up, the proxy of a running job; where job wrappers report. */
package org.gelato.ce.ws.sandbox;
