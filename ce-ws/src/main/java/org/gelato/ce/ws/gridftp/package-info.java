/** Sandboxes over GridFTP for clients of old: the server, its configuration and its map of users to accounts. */
package org.gelato.ce.ws.gridftp;
