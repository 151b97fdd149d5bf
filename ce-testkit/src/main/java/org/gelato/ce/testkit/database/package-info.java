/** Clusters of MariaDB servers on the loopback address, of the machine's own packages. */
package org.gelato.ce.testkit.database;
