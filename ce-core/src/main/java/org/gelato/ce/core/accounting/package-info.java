/** Usage records on their way to the site's accounting: messages for APEL, the BLAH log, sums and what is unsent. */
package org.gelato.ce.core.accounting;
