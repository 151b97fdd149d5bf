/** The command line client: entry point, options that all commands share, and how errors are reported. */
package org.gelato.ce.cli;
