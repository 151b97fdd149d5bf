package org.gelato.ce.ws.setup.migration;

import java.util.List;

/**
 * A route of HTCondor-CE.
 *
 * @param transform whether it is in the newer syntax, where {@code MY.} is the job
 */
record OldRoute(SourcePlace place, String name, boolean transform, List<Statement> statements) {}
