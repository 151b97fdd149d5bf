/** The kinds of error in which an operation of core can end; protocols give them their texts. Work that is repeated, and that many share, whatever fails. */
package org.gelato.ce.core.fault;
