/** The audit log of a whole CE. */
package org.gelato.ce.it.audit;
