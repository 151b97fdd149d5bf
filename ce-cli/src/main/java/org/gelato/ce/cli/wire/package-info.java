/** The client's view of a Computing Element: names, results, faults. */
package org.gelato.ce.cli.wire;
