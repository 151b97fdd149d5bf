/** A site's own {@code blahpd} as batch system: LSF, Grid Engine, HTCondor, or an old installation that is to stay. */
package org.gelato.ce.blahbridge.blahp;
