/** The command line client: entry point, options that all commands share, and how errors are told. */
package org.gelato.ce.cli;
