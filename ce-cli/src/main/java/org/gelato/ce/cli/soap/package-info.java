/** The CREAM2 and delegation services spoken as a client. */
package org.gelato.ce.cli.soap;
