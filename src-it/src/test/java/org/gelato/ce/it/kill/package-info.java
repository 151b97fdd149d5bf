/** Kills a CE, its helper, its database, its batch system and its connections, and counts what was lost and doubled. */
package org.gelato.ce.it.kill;
