/** Missing or broken resources around a CE that continues. */
package org.gelato.ce.it.fault;
