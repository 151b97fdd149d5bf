/** The commands of the users, one class each. */
package org.gelato.ce.cli.command;
