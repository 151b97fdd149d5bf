/** The files jobs bring with them: found beside the description, carried to the CE before the start. */
package org.gelato.ce.cli.input;
