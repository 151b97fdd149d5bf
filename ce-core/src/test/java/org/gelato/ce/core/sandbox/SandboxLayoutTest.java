package org.gelato.ce.core.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.junit.jupiter.api.Test;

class SandboxLayoutTest {
    private final SandboxLayout layout = new SandboxLayout(Path.of("/sandboxes"));

    @Test
    void aSandboxLiesFourLevelsBelowItsOwner() {
        Path home = layout.home(new Owner("CN=a", "/dteam", "dteam"), "dteam001");
        assertThat(home.getParent()).isEqualTo(Path.of("/sandboxes/dteam"));
        assertThat(layout.sandbox(home, new JobId(123_456_789))).isEqualTo(home.resolve("12/34/CREAM123456789"));
    }

    /** What earlier versions stored must be found after an upgrade. */
    @Test
    void aHomeHasTheNameThatEarlierVersionsGaveIt() {
        assertThat(layout.home(new Owner("CN=a", "/dteam", "dteam"), "dteam001"))
                .isEqualTo(Path.of("/sandboxes/dteam/5b699159fc2739e1c57f"));
    }

    @Test
    void ownersAndAccountsDoNotShareAHome() {
        assertThat(layout.home(new Owner("CN=a", "/v", "v"), "x"))
                .isNotEqualTo(layout.home(new Owner("CN=a", "/v/Role=r", "v"), "x"));
        assertThat(layout.home(new Owner("CN=a", "/v", "v"), "x"))
                .isNotEqualTo(layout.home(new Owner("CN=a", "/v", "v"), "y"));
    }

    @Property
    void noNameLeavesTheRoot(@ForAll String vo, @ForAll String dn) {
        Path home = layout.home(new Owner(dn, "", vo), "a");
        assertThat(home.normalize()).isEqualTo(home);
        assertThat(home.getNameCount()).isEqualTo(3);
        assertThat(home.startsWith("/sandboxes")).isTrue();
    }
}
