/** HTCondor as a batch system, by its commands (docs/developer/decisions/0100). */
package org.gelato.ce.lrms.condor;
