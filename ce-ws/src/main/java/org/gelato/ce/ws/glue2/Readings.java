package org.gelato.ce.ws.glue2;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.gelato.ce.core.accounting.Benchmarks;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.lrms.ClusterStatus;

/**
 * What is known now; each returns at once and costs no statement.
 *
 * @param cluster of the batch system; empty before its first report
 * @param jobs that have not ended, by state, queue and VO; empty while the database does not respond
 * @param vos whose members are mapped here
 * @param software names of the runtime environments that jobs may request
 * @param accepting whether new jobs are accepted
 * @param drains queues and VOs that accept no new jobs
 * @param health of the CE
 * @param benchmarks what a core of nodes that these queues use is worth by the site's accounting; empty when unknown
 */
public record Readings(
        Supplier<Optional<ClusterStatus>> cluster,
        Supplier<Optional<List<JobStore.Present>>> jobs,
        Supplier<Collection<String>> vos,
        Supplier<List<String>> software,
        Supplier<Boolean> accepting,
        Supplier<List<Drain>> drains,
        Supplier<Health> health,
        Function<Collection<String>, Map<Benchmarks.Kind, BigDecimal>> benchmarks) {

    /** How well the CE works. The names in lower case are GLUE's. */
    public enum Health {
        OK,
        WARNING,
        CRITICAL,
        UNKNOWN
    }
}
