/** Users of a CE who get accounts of a pool. */
package org.gelato.ce.it.pool;
