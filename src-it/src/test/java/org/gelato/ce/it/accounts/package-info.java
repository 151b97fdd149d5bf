/** A CE without privilege beside a helper that is root: whose the files and processes of jobs are, and what is refused. */
package org.gelato.ce.it.accounts;
