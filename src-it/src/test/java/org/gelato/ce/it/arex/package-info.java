/** ARC REST of this CE beside that of A-REX. */
package org.gelato.ce.it.arex;
