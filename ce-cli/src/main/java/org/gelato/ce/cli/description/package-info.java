/** Job descriptions as the user wrote them, or for other software than a CE; small edits that keep their text, and files that they leave to the client. */
package org.gelato.ce.cli.description;
