/** Job descriptions as the user wrote them, and the files that they leave to the client. */
package org.gelato.ce.cli.description;
