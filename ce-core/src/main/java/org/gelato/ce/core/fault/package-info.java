/** How an operation of core fails: its exception, the words of it, when work is tried again, and how work that many share goes on without one. */
package org.gelato.ce.core.fault;
