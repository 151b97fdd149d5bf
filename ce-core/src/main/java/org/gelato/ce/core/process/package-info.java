/** Whether other processes of this host live. */
package org.gelato.ce.core.process;
