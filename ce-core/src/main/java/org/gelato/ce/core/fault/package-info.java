/** The kinds of error in which an operation of core can end. Protocols give them their texts. */
package org.gelato.ce.core.fault;
