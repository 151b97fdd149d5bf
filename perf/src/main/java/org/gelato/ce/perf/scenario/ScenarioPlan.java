package org.gelato.ce.perf.scenario;

import org.gelato.ce.perf.site.BatchKind;

/**
 * What is asked for.
 *
 * @param jobs the scenario's size, see {@link Scenario#what}
 */
public record ScenarioPlan(BatchKind batch, int jobs) {}
