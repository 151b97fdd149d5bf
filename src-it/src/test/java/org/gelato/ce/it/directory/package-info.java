/** The batch system of docs/developer/guides.md: a directory of job files. All that it adds to a CE is in this package and two resources. */
package org.gelato.ce.it.directory;
