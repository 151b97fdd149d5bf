/** What {@code ./ce test --packages} needs of a grid. */
package org.gelato.ce.it.packages;
