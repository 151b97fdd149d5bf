/** Which jobs a command is for: ids, files of ids, states and times as users type them. */
package org.gelato.ce.cli.choice;
