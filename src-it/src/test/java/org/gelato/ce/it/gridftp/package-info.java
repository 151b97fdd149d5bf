/** Sandboxes over a real GridFTP server, by the programs clients of old use. */
package org.gelato.ce.it.gridftp;
