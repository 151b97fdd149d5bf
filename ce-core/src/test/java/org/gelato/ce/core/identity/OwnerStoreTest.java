package org.gelato.ce.core.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException.NotAuthorized;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An owner is a DN under its primary FQAN (docs/developer/protocol/behaviour.md section 3). */
class OwnerStoreTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @Test
    void thePrimaryFqanMakesAnotherOwnerAndTheOthersDoNot() {
        OwnerStore owners = new OwnerStore(DB.database());
        int plain = owners.owner(who("CN=a"));
        int member = owners.owner(who("CN=a", "/dteam"));
        int production = owners.owner(who("CN=a", "/dteam/Role=production", "/dteam"));
        assertThat(List.of(plain, member, production)).doesNotHaveDuplicates();
        assertThat(owners.owner(who("CN=a", "/dteam", "/dteam/x"))).isEqualTo(member);
        assertThat(owners.owner(who("CN=b", "/dteam"))).isNotEqualTo(member);
        assertThat(new OwnerStore(DB.database()).owner(who("CN=a", "/dteam"))).isEqualTo(member);
    }

    @Test
    void upperAndLowerCaseMakeOtherOwners() {
        OwnerStore owners = new OwnerStore(DB.database());
        assertThat(owners.owner(who("CN=Case", "/dteam"))).isNotEqualTo(owners.owner(who("CN=case", "/dteam")));
        assertThat(owners.owner(who("CN=case", "/dteam/Role=A")))
                .isNotEqualTo(owners.owner(who("CN=case", "/dteam/Role=a")));
    }

    @Test
    void anFqanThatWouldBeCutIsRefused() {
        OwnerStore owners = new OwnerStore(DB.database());
        assertThatThrownBy(() -> owners.owner(who("CN=a", "/dteam/" + "x".repeat(300))))
                .isInstanceOf(NotAuthorized.class)
                .hasMessageContaining("longer than 255");
    }

    /** What is registered under one VO stays there; the VO of messages, drains and accounting is that of now. */
    @Test
    void anotherVoOfATokenMakesAnotherOwner() {
        OwnerStore owners = new OwnerStore(DB.database());
        int early = owners.owner(token(null, "/dteam", "/dteam"));
        int mappedByTheSecond = owners.owner(token(null, "/cms", "/dteam", "/cms"));
        int configured = owners.owner(token("wlcg", "/cms", "/dteam", "/cms"));
        assertThat(owners.vo(early)).contains("dteam");
        assertThat(owners.vo(mappedByTheSecond)).contains("cms");
        assertThat(owners.vo(configured)).contains("wlcg");
        assertThat(new OwnerStore(DB.database()).owner(token(null, "/cms", "/cms")))
                .isEqualTo(mappedByTheSecond);
        int byName = owners.owner(token(null, ""));
        assertThat(owners.vo(byName)).isEmpty();
        assertThat(new OwnerStore(DB.database()).owner(token(null, ""))).isEqualTo(byName);
        assertThat(owners.vo(owners.owner(token(null, "", "/atlas", "/cms")))).contains("atlas");
    }

    private static TokenIdentity token(String vo, String by, String... groups) {
        List<TokenGroup> all = Stream.of(groups).map(TokenGroup::parse).toList();
        return new TokenIdentity("https://iss", "zoe", vo, Set.of(), false, all, by, null, Instant.MAX);
    }

    private static GridIdentity who(String dn, String... fqans) {
        return new GridIdentity(dn, List.of(fqans), fqans.length == 0 ? null : "dteam", false, Instant.MAX, List.of());
    }
}
