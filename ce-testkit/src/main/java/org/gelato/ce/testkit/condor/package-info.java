/** A real HTCondor on this host. */
package org.gelato.ce.testkit.condor;
