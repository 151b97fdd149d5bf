/** Jobs: their states, the transition rules, their store, and the operations users ask for. */
package org.gelato.ce.core.job;
