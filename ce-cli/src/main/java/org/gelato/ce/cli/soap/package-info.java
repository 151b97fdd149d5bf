/** The CREAM2 and delegation services, called as a client. */
package org.gelato.ce.cli.soap;
