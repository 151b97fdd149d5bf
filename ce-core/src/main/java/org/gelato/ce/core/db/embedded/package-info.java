/** The database server that the CE runs itself: its programs, its directory and what may be damaged there, its socket. */
package org.gelato.ce.core.db.embedded;
