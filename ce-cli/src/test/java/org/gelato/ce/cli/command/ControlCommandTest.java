package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ControlCommandTest {
    private final FakeCe ce = new FakeCe();

    @Test
    void drainNamesThePartAndPrintsTheEstimate() {
        ce.controlled =
                "{\"registered\":1,\"queued\":2,\"running\":3,\"lastEnd\":\"2026-01-31T12:00:00Z\",\"drains\":[]}";
        assertThat(ce.run("drain", "-e", "ce", "--queue", "long", "--reason", "new disks"))
                .isZero();
        assertThat(ce.calls).contains("PUT drains {queue=long, reason=new disks}");
        assertThat(ce.err()).contains("3 jobs run, 2 wait, 1 are registered", "ends by 2026-01-31T12:00:00Z");
    }

    @Test
    void whatIsDrainedIsListedAndNothingChanged() {
        ce.controlled = "{\"drains\":[{\"part\":\"queue\",\"name\":\"long\",\"since\":\"2026-01-31T12:00:00Z\","
                + "\"by\":\"CN=admin\",\"reason\":\"new disks\"}]}";
        assertThat(ce.run("drain", "--list", "-e", "ce")).isZero();
        assertThat(ce.calls).contains("GET drains {}").noneMatch(call -> call.startsWith("PUT"));
        assertThat(ce.out()).isEqualTo("queue long since 2026-01-31T12:00:00Z by CN=admin: new disks\n");
        assertThat(ce.run("drain", "--list", "-e", "ce", "--queue", "long")).isEqualTo(2);
    }

    @Test
    void enableOfAPartEndsItsDrainAndOfAllUsesTheWire() {
        ce.controlled = "{\"changed\":true,\"drains\":[]}";
        assertThat(ce.run("enable", "-e", "ce", "--vo", "cms")).isZero();
        assertThat(ce.calls).contains("DELETE drains {vo=cms}");
        assertThat(new FakeCe().run("enable", "-e", "ce", "--vo", "cms", "--queue", "q"))
                .isEqualTo(2);
    }

    @Test
    void banTellsAUserAnAttributeAndAVoApart() {
        ce.controlled = "{\"kind\":\"vo\",\"name\":\"cms\",\"jobs\":5,\"cancelled\":4,\"warning\":\"no tokens of it\"}";
        assertThat(ce.run("ban", "-e", "ce", "--jobs", "cancel", "cms")).isZero();
        assertThat(ce.err()).contains("warning: no tokens of it");
        assertThat(ce.calls).contains("PUT bans {vo=cms, jobs=cancel}");
        assertThat(ce.err()).contains("5 jobs had not ended; 4 are being cancelled");
        FakeCe others = new FakeCe();
        others.controlled = "{\"changed\":false}";
        assertThat(others.run("unban", "-e", "ce", "/cms/Role=pilot")).isEqualTo(1);
        assertThat(others.calls).contains("DELETE bans {fqan=/cms/Role=pilot}");
        FakeCe dns = new FakeCe();
        dns.controlled = "{\"changed\":true}";
        assertThat(dns.run("unban", "-e", "ce", "/DC=org/CN=A B")).isZero();
        assertThat(dns.calls).contains("DELETE bans {dn=/DC=org/CN=A B}");
    }

    @Test
    void purgeOfOldJobsNamesThoseThatHaveEnded() {
        ce.script.put("CREAM000000001", new java.util.ArrayList<>(java.util.List.of("DONE-OK")));
        ce.script.put("CREAM000000002", new java.util.ArrayList<>(java.util.List.of("RUNNING")));
        assertThat(ce.run("purge", "-e", "ce", "--older-than", "7d")).isZero();
        assertThat(ce.calls).contains("purge CREAM000000001").noneMatch(c -> c.contains("purge CREAM000000002"));
        assertThat(ce.err()).contains("removal requested for 1 job");
        FakeCe none = new FakeCe();
        assertThat(none.run("purge", "-e", "ce", "--older-than", "7d")).isZero();
        assertThat(none.calls).noneMatch(c -> c.startsWith("purge"));
        assertThat(new FakeCe().run("purge", "-e", "ce", "--older-than", "7d", "https://ce:8443/CREAM000000001"))
                .isEqualTo(2);
    }

    @Test
    void holdersOfTokensAndEntitlementsAreBannedAndUnbannedByTheirNames() {
        Map.of(
                        "https://iam.example/,user", "dn=https://iam.example/,user",
                        "urn:mace:egi.eu:group:dteam", "fqan=urn:mace:egi.eu:group:dteam",
                        "urn:mace:egi.eu:group:dteam:role=member#aai.egi.eu",
                                "fqan=urn:mace:egi.eu:group:dteam:role=member#aai.egi.eu",
                        "CN=A B,DC=org", "dn=CN=A B,DC=org",
                        "/dteam/Role=pilot", "fqan=/dteam/Role=pilot",
                        "cms", "vo=cms")
                .forEach((name, sent) -> {
                    FakeCe one = new FakeCe();
                    one.controlled = "{\"changed\":true}";
                    assertThat(one.run("unban", "-e", "ce", name)).isZero();
                    assertThat(one.calls).contains("DELETE bans {" + sent + "}");
                });
    }

    @Test
    void aBanWithoutWhomOrWithOtherJobsIsAWrongCommandLine() {
        assertThat(ce.run("ban", "-e", "ce")).isEqualTo(2);
        assertThat(new FakeCe().run("ban", "-e", "ce", "--list", "cms")).isEqualTo(2);
        assertThat(new FakeCe().run("ban", "-e", "ce", "--jobs", "kill", "cms")).isEqualTo(2);
        assertThat(ce.calls).noneMatch(c -> c.contains("bans"));
    }
}
