/**
 * ARC REST 1.0 and 1.1 (docs/developer/protocol/arc-rest.md): paths, bodies, answers and states of that protocol, and no logic of jobs.
 * What it does is done by the services of core, as for the SOAP protocol beside it.
 */
package org.gelato.ce.ws.arcrest;
