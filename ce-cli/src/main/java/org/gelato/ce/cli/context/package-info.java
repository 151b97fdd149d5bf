/** What every command is given: the shared options, and the world around it. */
package org.gelato.ce.cli.context;
