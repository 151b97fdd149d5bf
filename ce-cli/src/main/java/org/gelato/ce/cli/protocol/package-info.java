/** Which protocol a CE is spoken to by. */
package org.gelato.ce.cli.protocol;
