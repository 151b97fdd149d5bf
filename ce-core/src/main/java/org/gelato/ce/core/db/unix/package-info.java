/** Connections of the database driver by Unix sockets. Knows nothing of the server. */
package org.gelato.ce.core.db.unix;
