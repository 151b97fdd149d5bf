package org.gelato.ce.lrms.condor;

import static org.gelato.ce.lrms.condor.JobAd.Attribute.CPUS;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.RESIDENT;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.SYSTEM_CPU;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.USER_CPU;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.WALL;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import org.gelato.ce.core.job.Usage;

/** What HTCondor shows of a job's usage; what can't be read is unknown. A job of ours runs once, so sums over its runs are its own. Pure. */
final class CondorUsage {
    private static final BigDecimal MAX = BigDecimal.valueOf(1_000_000_000_000L);

    private CondorUsage() {}

    static Usage of(JobAd ad) {
        Duration user = time(ad.real(USER_CPU));
        Duration system = time(ad.real(SYSTEM_CPU));
        return new Usage(
                user == null || system == null ? null : user.plus(system),
                time(ad.real(WALL)),
                ad.number(CPUS),
                ad.large(RESIDENT),
                Usage.Source.BATCH_SYSTEM);
    }

    private static Duration time(BigDecimal seconds) {
        return seconds == null || seconds.signum() < 0 || seconds.compareTo(MAX) > 0
                ? null
                : Duration.ofMillis(seconds.movePointRight(3)
                        .setScale(0, RoundingMode.HALF_UP)
                        .longValueExact());
    }
}
