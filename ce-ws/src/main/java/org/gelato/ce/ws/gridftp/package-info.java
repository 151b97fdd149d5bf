/** Sandboxes over GridFTP for legacy clients: the server, its configuration and its map of users to accounts. */
package org.gelato.ce.ws.gridftp;
