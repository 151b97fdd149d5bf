/** The client's view of a Computing Element: names, answers, faults. */
package org.gelato.ce.cli.wire;
