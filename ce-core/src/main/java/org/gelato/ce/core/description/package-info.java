/** What the descriptions of calls may take together, in words and in memory. */
package org.gelato.ce.core.description;
