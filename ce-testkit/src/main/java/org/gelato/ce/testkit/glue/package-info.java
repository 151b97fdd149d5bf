/** What reads GLUE 2: a strict reader of LDIF, the rules of glue-validator, and a directory server with GLUE's schemas. */
package org.gelato.ce.testkit.glue;
