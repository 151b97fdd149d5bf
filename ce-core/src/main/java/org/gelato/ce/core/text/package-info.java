/** Plain words of faults, foreign texts and durations. */
package org.gelato.ce.core.text;
