/** The rules of the house, held by tests. */
package org.gelato.ce.it.architecture;
