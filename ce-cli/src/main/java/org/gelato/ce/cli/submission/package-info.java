/** Registers jobs, uploads their files, starts and follows them, and fetches what they made; a command line as a job. */
package org.gelato.ce.cli.submission;
