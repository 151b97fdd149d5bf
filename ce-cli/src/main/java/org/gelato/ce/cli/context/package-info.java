/** What every command is given: the shared options, the user's configuration file, and the world around it. */
package org.gelato.ce.cli.context;
