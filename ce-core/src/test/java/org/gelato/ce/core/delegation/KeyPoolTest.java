package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.delegation.DelegationGrid.SPARE_KEY;

import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeyPoolTest {
    @Test
    void keysAreRsa2048() {
        try (KeyPool pool = new KeyPool(1)) {
            RSAPublicKey key = (RSAPublicKey) pool.take().pair().getPublic();
            assertThat(key.getModulus().bitLength()).isEqualTo(2048);
        }
    }

    @Test
    void thePoolFillsToItsSizeAndStops() {
        AtomicInteger made = new AtomicInteger();
        try (KeyPool pool = new KeyPool(3, () -> fresh(made))) {
            assertThat(pool.size()).as("before it starts").isZero();
            pool.start();
            await().until(() -> pool.size() == 3);
            // one more is in the filler's hand, waiting for room
            await().until(() -> made.get() == 4);
            Set<KeyPair> taken = new HashSet<>(
                    List.of(pool.take().pair(), pool.take().pair(), pool.take().pair()));
            assertThat(taken).hasSize(3);
            await().until(() -> pool.size() == 3);
        }
    }

    @Test
    void anEmptyPoolNeverMakesACallerWait() {
        CountDownLatch never = new CountDownLatch(1);
        List<String> makers = new CopyOnWriteArrayList<>();
        try (KeyPool pool = new KeyPool(2, () -> {
            makers.add(Thread.currentThread().getName());
            if (Thread.currentThread().getName().equals("key-pool")) {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return pair();
        })) {
            pool.start();
            assertThat(pool.take()).isNotNull();
            assertThat(makers).contains(Thread.currentThread().getName());
        }
    }

    @Test
    void aBrokenFillerLeavesRequestsToMakeTheirKeys() {
        try (KeyPool pool = new KeyPool(1, () -> {
            if (Thread.currentThread().getName().equals("key-pool")) {
                throw new IllegalStateException("no entropy");
            }
            return pair();
        })) {
            pool.start();
            assertThat(pool.take()).isNotNull();
        }
    }

    @Test
    void aPoolOfNothingIsRefused() {
        assertThatThrownBy(() -> new KeyPool(0)).hasMessage("key pool size must be at least 1 but is 0");
    }

    /** Never equal to another, with the same keys. */
    private static KeyPair pair() {
        return new KeyPair(SPARE_KEY.getPublic(), SPARE_KEY.getPrivate());
    }

    private static KeyPair fresh(AtomicInteger made) {
        made.incrementAndGet();
        return pair();
    }
}
