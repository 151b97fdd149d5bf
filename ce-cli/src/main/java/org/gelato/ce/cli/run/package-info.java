/** A command line as a job: described, followed, printed, cancelled. */
package org.gelato.ce.cli.run;
