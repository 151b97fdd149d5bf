/** How a command ends: its error in one line, its exit code, and text that cannot spoil a terminal. */
package org.gelato.ce.cli.terminal;
