/** What a user sees while a command waits: one line that lives on a terminal, and lines elsewhere. */
package org.gelato.ce.cli.progress;
