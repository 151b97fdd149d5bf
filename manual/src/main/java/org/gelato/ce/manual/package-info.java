/** Makes the pages of {@code docs} into HTML with a search, while the program is built. Not part of what is shipped. */
package org.gelato.ce.manual;
