/** What is missing or broken around a CE that goes on. */
package org.gelato.ce.it.fault;
