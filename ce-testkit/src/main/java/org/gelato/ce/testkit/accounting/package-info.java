/** The receiving side of accounting: what APEL takes and rejects. */
package org.gelato.ce.testkit.accounting;
