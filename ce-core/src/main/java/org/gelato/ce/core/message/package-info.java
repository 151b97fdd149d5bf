/** Messages of running jobs and their live output: what a job sends, how it is stored, and how it is read on (docs/user/live.md). */
package org.gelato.ce.core.message;
