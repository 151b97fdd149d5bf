/** {@code ce follow} and {@code ce messages}: messages and output of running jobs as they come. */
package org.gelato.ce.cli.live;
