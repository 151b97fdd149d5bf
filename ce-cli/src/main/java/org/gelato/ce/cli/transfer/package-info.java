/** Files of jobs on their way: inputs to the CE before the start, outputs from it. */
package org.gelato.ce.cli.transfer;
