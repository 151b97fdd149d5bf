/** Bounds that callers share, such that one caller's excess is that caller's loss alone. */
package org.gelato.ce.core.budget;
