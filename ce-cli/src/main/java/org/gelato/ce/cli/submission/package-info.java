/** Registers jobs, uploads their files and starts them. */
package org.gelato.ce.cli.submission;
