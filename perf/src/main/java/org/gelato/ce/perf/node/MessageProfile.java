package org.gelato.ce.perf.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * When a job sends its messages: the profile of a report of 2004 about messages of running jobs. 20 in the first second; one after 890 s
 * (standard deviation 170 s), then one every 8800 s (480 s); 40 in the last 100 s, ten of these in the last second. The first and the last
 * second are as they are; what is between is compressed. Pure.
 *
 * @param compression of the time between the first and the last 100 s
 * @param ending compression of the last 100 s but the last of them
 * @param days life of a job
 */
public record MessageProfile(double compression, double ending, double days) {
    /** Messages of the first second. */
    public static final int FIRST = 20;

    private static final int LAST_100 = 30;
    private static final int LAST_SECOND = 10;
    private static final double SECOND = 1000;
    private static final double DAY = 86_400 * SECOND;
    private static final double LAST = 100 * SECOND;
    private static final double BEGIN = 890 * SECOND;
    private static final double BEGIN_SPREAD = 170 * SECOND;
    private static final double EACH = 8800 * SECOND;
    private static final double EACH_SPREAD = 480 * SECOND;
    private static final int MEAN_LENGTH = 35;
    private static final int SPREAD_LENGTH = 15;

    /**
     * Times of one job's messages in milliseconds after its start, ascending.
     *
     * @param random of this job
     */
    public List<Long> times(Random random) {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < FIRST; i++) {
            times.add(random.nextDouble() * SECOND);
        }
        double tail = days * DAY - LAST;
        double at = BEGIN + random.nextGaussian() * BEGIN_SPREAD;
        while (at < tail) {
            times.add(SECOND + Math.max(0, at) / compression);
            at += EACH + random.nextGaussian() * EACH_SPREAD;
        }
        double end = SECOND + tail / compression;
        for (int i = 0; i < LAST_100; i++) {
            times.add(end + random.nextDouble() * (LAST - SECOND) / ending);
        }
        end += (LAST - SECOND) / ending;
        for (int i = 0; i < LAST_SECOND; i++) {
            times.add(end + random.nextDouble() * SECOND);
        }
        Collections.sort(times);
        return times.stream().map(Double::longValue).toList();
    }

    /** Characters of a message: 35 in the mean. */
    public static int length(Random random) {
        return MEAN_LENGTH - SPREAD_LENGTH + random.nextInt(2 * SPREAD_LENGTH + 1);
    }
}
