/** What the user's configuration file says, and how it is changed. */
package org.gelato.ce.cli.settings;
