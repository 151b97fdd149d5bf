/** Registers jobs, uploads their files and starts them; a command line as a job, followed until its end. */
package org.gelato.ce.cli.submission;
