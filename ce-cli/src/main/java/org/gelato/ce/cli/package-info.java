/** The command line client. */
package org.gelato.ce.cli;
