/** What CREAM's clients rely on, asked of one real CE in their own words and read as strictly as they read. */
package org.gelato.ce.it.compatibility;
