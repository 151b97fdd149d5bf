package org.gelato.ce.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.SliceWeight;
import org.junit.jupiter.api.Test;

/** Responses of any size are cut into slices that fit, without a gap and without anything twice. */
class JobSlicesTest {
    private static final int JOBS = 10_000;

    private final List<Integer> sizes = new ArrayList<>();
    private int tooHeavy;

    private static JobChoice named(int jobs) {
        Map<String, Integer> rows = new LinkedHashMap<>();
        IntStream.range(0, jobs).forEach(i -> rows.put("j" + i, i));
        return JobChoice.named(rows);
    }

    /** Jobs that weigh so much each. */
    private JobSlices<Integer> parts(JobChoice choice, int length) {
        String text = "x".repeat(length);
        return new JobSlices<>(choice, 1000, jobs -> {
            SliceWeight weight = new SliceWeight(jobs.size() > 1);
            try {
                jobs.forEach(job -> weight.row(text));
            } catch (SliceWeight.TooHeavy e) {
                tooHeavy++;
                throw e;
            }
            sizes.add(jobs.size());
            return new JobSlices.Part<>(jobs.stream().map(JobChoice.Choice::row).toList(), jobs.size());
        });
    }

    private static List<Integer> all(JobSlices<Integer> parts) {
        List<Integer> all = new ArrayList<>();
        parts.forEachRemaining(all::addAll);
        return all;
    }

    @Test
    void jobsWithShortTextsComeByTheThousand() {
        assertThat(all(parts(named(JOBS), 100)))
                .isEqualTo(IntStream.range(0, JOBS).boxed().toList());
        assertThat(sizes).hasSize(10).containsOnly(1000);
    }

    @Test
    void jobsWithLongTextsComeInSlicesThatFit() {
        int length = 20_000;
        assertThat(all(parts(named(JOBS), length))).hasSize(JOBS).doesNotHaveDuplicates();
        assertThat(sizes).allMatch(size -> (long) size * length <= SliceWeight.MAX);
        assertThat(tooHeavy).as("tried once too large, not again and again").isLessThan(10);
        assertThat(sizes.size()).isLessThan(4 * JOBS / (SliceWeight.MAX / length));
    }

    @Test
    void aJobThatIsTooLongAloneIsASliceNevertheless() {
        assertThat(all(parts(named(3), SliceWeight.MAX + 1))).containsExactly(0, 1, 2);
        assertThat(sizes).containsExactly(1, 1, 1);
    }

    @Test
    void noJobIsNoSlice() {
        assertThat(parts(named(0), 1).hasNext()).isFalse();
    }

    @Test
    void pagesOfIdsFollowOneAnother() {
        List<Integer> ids = new ArrayList<>(
                IntStream.rangeClosed(1, JOBS).map(i -> 3 * i).boxed().toList());
        Collections.shuffle(ids, new Random(1));
        List<Integer> asked = new ArrayList<>();
        JobChoice paged = JobChoice.paged(after -> {
            asked.add(after);
            JobChoice.Page page = new JobChoice.Page(700);
            ids.stream().filter(id -> id > after).forEach(page::add);
            return page.complete();
        });
        assertThat(all(parts(paged, 10))).isEqualTo(ids.stream().sorted().toList());
        assertThat(asked).hasSize(JOBS / 700 + 1).startsWith(0, 2100, 4200);
    }

    @Test
    void whatIsGoneWhenItsPageComesIsLeftOut() {
        JobChoice paged = JobChoice.paged(after -> {
            JobChoice.Page page = new JobChoice.Page(2);
            if (after == 0) {
                IntStream.rangeClosed(1, 3).forEach(page::add);
            }
            return page.complete();
        });
        assertThat(all(parts(paged, 10))).containsExactly(1, 2);
    }

    @Test
    void ofTooManyRecordsTheFirstAndTheNewestAreKept() {
        RecordCache<Integer> kept = new RecordCache<>();
        IntStream.rangeClosed(0, 1000).forEach(i -> kept.add(i, 1024));
        assertThat(kept.all())
                .hasSize(1 + RecordCache.MAX / 1024)
                .startsWith(0, 745)
                .endsWith(999, 1000);
    }
}
