/** What every command is given: the shared options, the user's configuration file, the jobs and states that are chosen, and the world around it. */
package org.gelato.ce.cli.context;
