package org.gelato.ce.core.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.job.JobId;
import org.junit.jupiter.api.Test;

class SandboxLayoutTest {
    private final SandboxLayout layout = new SandboxLayout(Path.of("/sandboxes"));

    @Test
    void aSandboxLiesFourLevelsBelowItsOwner() {
        Path home = layout.home("dteam", "CN=a", "/dteam", "dteam001");
        assertThat(home.getParent()).isEqualTo(Path.of("/sandboxes/dteam"));
        assertThat(layout.sandbox(home, new JobId(123_456_789))).isEqualTo(home.resolve("12/34/CREAM123456789"));
    }

    @Test
    void ownersAndAccountsDoNotShareAHome() {
        assertThat(layout.home("v", "CN=a", "/v", "x")).isNotEqualTo(layout.home("v", "CN=a", "/v/Role=r", "x"));
        assertThat(layout.home("v", "CN=a", "/v", "x")).isNotEqualTo(layout.home("v", "CN=a", "/v", "y"));
    }

    @Property
    void noNameLeavesTheRoot(@ForAll String vo, @ForAll String dn) {
        Path home = layout.home(vo, dn, "", "a");
        assertThat(home.normalize()).isEqualTo(home);
        assertThat(home.getNameCount()).isEqualTo(3);
        assertThat(home.startsWith("/sandboxes")).isTrue();
    }
}
