/** Small edits of a job description that keep its text. */
package org.gelato.ce.cli.jdl;
