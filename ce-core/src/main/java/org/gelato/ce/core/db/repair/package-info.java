/** What a full disk and a crash leave in the directory of the embedded database, so that its server does not start. */
package org.gelato.ce.core.db.repair;
