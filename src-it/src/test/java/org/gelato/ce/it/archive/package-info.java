/** The server's archive of classes, as the launcher makes and uses it. */
package org.gelato.ce.it.archive;
