/** Follows jobs and events of a CE until their end. */
package org.gelato.ce.cli.watch;
