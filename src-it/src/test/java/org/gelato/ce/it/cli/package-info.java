/** The commands of {@code ce} against a CE, as a user and an administrator type them. */
package org.gelato.ce.it.cli;
