/** Makes Debian packages and an RPM spec from the list of what is installed where, with man pages and bash completion. */
package org.gelato.ce.packaging;
