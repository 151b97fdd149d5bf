/** The CE in an information system: a directory with GLUE's schemas, a BDII's own program, and those who ask them. */
package org.gelato.ce.it.glue2;
