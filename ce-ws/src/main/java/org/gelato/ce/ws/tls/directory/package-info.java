/** The directories of trust files: a private copy of what is usable, and the VOMS servers that are described in it. */
package org.gelato.ce.ws.tls.directory;
