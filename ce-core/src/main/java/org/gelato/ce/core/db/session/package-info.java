/** What a session of the database may cost others, and what is known when it fails. */
package org.gelato.ce.core.db.session;
