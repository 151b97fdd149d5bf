/** A real HTCondor as a client of a whole CE. */
package org.gelato.ce.it.htcondor;
