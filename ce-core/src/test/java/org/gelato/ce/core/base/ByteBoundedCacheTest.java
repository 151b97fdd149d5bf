package org.gelato.ce.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ByteBoundedCacheTest {
    private static final int MAX = 64 * 1024;

    private final long before = ByteBoundedCache.held(CacheShare.CHAINS);
    private final ByteBoundedCache<String, String> cache =
            new ByteBoundedCache<>(CacheShare.CHAINS, MAX, (k, v) -> k.length() + v.length());

    @Test
    void theBytesAreBoundedHoweverManyOrLargeTheEntriesAre() {
        for (int i = 0; i < 5000; i++) {
            cache.put("key " + i, "x".repeat(i % 7000));
            assertThat(cache.bytes()).isLessThanOrEqualTo(MAX);
        }
        assertThat(cache.size()).isPositive();
        assertThat(ByteBoundedCache.held(CacheShare.CHAINS) - before).isEqualTo(cache.bytes());
    }

    @Test
    void whatWasUsedLeastRecentlyGoesFirst() {
        String value = "x".repeat(MAX / 10);
        for (int i = 0; i < 9; i++) {
            cache.put("key " + i, value);
        }
        assertThat(cache.get("key 0")).isPresent();
        cache.put("one more", value);
        assertThat(cache.get("key 0")).isPresent();
        assertThat(cache.get("key 1")).isEmpty();
        assertThat(cache.get("key 2")).isPresent();
    }

    @Test
    void anEntryThatWouldDisplaceManyIsNotKept() {
        cache.put("small", "value");
        cache.put("large", "before");
        cache.put("large", "x".repeat(MAX / 8));
        assertThat(cache.get("large")).isEmpty();
        assertThat(cache.get("small")).hasValue("value");
    }

    @Test
    void anEntryThatIsReplacedOrRemovedGivesItsBytesBack() {
        cache.put("key", "a long value");
        cache.put("key", "short");
        assertThat(cache.bytes()).isEqualTo(ByteBoundedCache.OVERHEAD + "key".length() + "short".length());
        cache.remove("key", "another");
        assertThat(cache.size()).isOne();
        String same = cache.get("key").orElseThrow();
        cache.remove("key", same);
        assertThat(cache.bytes()).isZero();
        cache.put("key", "short");
        cache.remove("key");
        cache.remove("unknown");
        assertThat(cache.bytes()).isZero();
        assertThat(ByteBoundedCache.held(CacheShare.CHAINS)).isEqualTo(before);
    }

    @Test
    void theSharesAreWithinTheBudget() {
        assertThat(Arrays.stream(CacheShare.values())
                        .mapToLong(CacheShare::bytes)
                        .sum())
                .isLessThanOrEqualTo(CacheShare.budget());
        assertThat(CacheShare.values()).extracting(CacheShare::label).doesNotHaveDuplicates();
    }
}
