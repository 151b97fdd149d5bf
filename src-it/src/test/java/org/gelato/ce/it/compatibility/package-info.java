/** What CREAM's clients rely on, requested from one real CE as they write it and parsed as strictly as they parse. */
package org.gelato.ce.it.compatibility;
