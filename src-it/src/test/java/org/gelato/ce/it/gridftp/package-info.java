/** Sandboxes over a real GridFTP server, by the programs of legacy clients. */
package org.gelato.ce.it.gridftp;
