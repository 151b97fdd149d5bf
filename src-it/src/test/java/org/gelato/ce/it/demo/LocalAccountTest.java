package org.gelato.ce.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LocalAccountTest {
    @Test
    void jobsNeverRunAsRoot() {
        assertThatThrownBy(() -> LocalAccount.choose("root")).isInstanceOf(DemoException.class);
        assertThat(LocalAccount.choose(null).uid()).isNotZero();
    }

    @Test
    void accountsThatAreNoneAreRefused() {
        for (String name : new String[] {"no-such-account", "-u", "a b", "", "x;id"}) {
            assertThatThrownBy(() -> LocalAccount.choose(name)).isInstanceOf(DemoException.class);
        }
    }
}
