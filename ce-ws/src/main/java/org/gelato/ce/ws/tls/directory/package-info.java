/** The directories of trust files: a private copy of what is usable, the VOMS servers that are described in it, and doubts in the clock. */
package org.gelato.ce.ws.tls.directory;
