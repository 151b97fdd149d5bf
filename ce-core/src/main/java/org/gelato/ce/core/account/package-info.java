/** The port through which work is done as a local account. */
package org.gelato.ce.core.account;
