/** The generated job wrapper script and the one function that quotes its values. */
package org.gelato.ce.core.wrapper;
