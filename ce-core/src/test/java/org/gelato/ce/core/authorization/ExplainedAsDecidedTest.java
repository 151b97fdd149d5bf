package org.gelato.ce.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.gelato.ce.core.fault.ServiceException.NotAuthorized;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.BanSet;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.json.Explanation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an administrator reads of a user is what the user's call gets, whatever the site's files and bans are. */
class ExplainedAsDecidedTest {
    private static final int SITES = 100;
    private static final int IDENTITIES = 20;
    private static final String ISSUER = "https://issuer.example";
    private static final List<String> NAMES = List.of("Ann", "Bob", "Cid", "Dora");
    private static final List<String> ATTRIBUTES = List.of("/cms", "/cms/pilots", "/cms/Role=prod", "/ops", "/ops/x");
    private static final List<String> GROUPS = List.of("/cms", "/cms/pilots", "/ops", "/ops/x");
    private static final List<String> SCOPES = List.of("compute.read", "compute.create");

    @TempDir
    private Path directory;

    private final Random random = new Random(20_261_130);

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private List<String> some(List<String> of) {
        return of.stream().filter(x -> random.nextInt(3) == 0).toList();
    }

    private String line() {
        String account = one(List.of("ann", "bob", ".pool", ".full", ".none"));
        return switch (random.nextInt(6)) {
            case 0 -> "\"/O=x/CN=" + one(NAMES) + "\" " + account;
            case 1 -> "\"" + one(ATTRIBUTES) + one(List.of("", "/*")) + "\" " + account;
            case 2 -> "\"" + ISSUER + "," + one(NAMES) + "\" " + account;
            case 3 ->
                "\"" + ISSUER + "," + one(NAMES) + "\" \"/O=x/CN=" + one(NAMES) + "\" "
                        + one(List.of("", one(ATTRIBUTES)));
            case 4 ->
                "\"" + ISSUER + " " + one(List.of("group=" + one(ATTRIBUTES), "scope=" + one(SCOPES))) + "\" "
                        + account;
            default -> one(List.of("# nothing", "\"broken", "\"/O=x/CN=Ann\" root"));
        };
    }

    private String lines(int most, Supplier<String> line) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(line.get()).append('\n');
        }
        return text.toString();
    }

    private String name() {
        return random.nextBoolean() ? "/O=x/CN=" + one(NAMES) : "\"" + ISSUER + "," + one(NAMES) + "\"";
    }

    private BanSet bans() {
        List<Ban> bans = new ArrayList<>();
        if (random.nextInt(3) == 0) {
            Ban.Kind kind = one(List.of(Ban.Kind.values()));
            String name = switch (kind) {
                case DN -> random.nextBoolean() ? "CN=" + one(NAMES) + ",O=x" : ISSUER + "," + one(NAMES);
                case FQAN -> one(ATTRIBUTES);
                case VO -> "cms";
            };
            bans.add(new Ban(kind, name, one(List.of("too many jobs", "")), "CN=admin", Instant.EPOCH));
        }
        return new BanSet(bans);
    }

    private GridmapAuthorizer site(int number) throws IOException {
        Path at = Files.createDirectory(directory.resolve("site" + number));
        Path pools = Files.createDirectory(at.resolve("gridmapdir"));
        for (String account : List.of("pool001", "pool002", "full001")) {
            Files.createFile(pools.resolve(account));
        }
        Files.createLink(pools.resolve("%2fo%3dx%2fcn%3delse"), pools.resolve("full001"));
        GridmapConfig config = new GridmapConfig(
                Files.writeString(at.resolve("grid-mapfile"), lines(8, this::line)),
                Files.writeString(at.resolve("ban"), lines(1, this::name)),
                Files.writeString(at.resolve("admins"), lines(3, this::name)),
                Duration.ofSeconds(1),
                pools);
        BanSet bans = bans();
        return new GridmapAuthorizer(config, "root"::equals, account -> "", () -> bans);
    }

    private static Identity identity(String name, List<String> attributes) {
        if (!name.startsWith(ISSUER)) {
            return new GridIdentity(name, attributes, null, false, Instant.MAX, List.of());
        }
        Set<Permission> scopes = EnumSet.noneOf(Permission.class);
        List<TokenGroup> groups = new ArrayList<>();
        attributes.forEach(text ->
                Permission.ofScope(text).ifPresentOrElse(scopes::add, () -> groups.add(TokenGroup.parse(text))));
        boolean capable = !scopes.isEmpty();
        return new TokenIdentity(
                ISSUER,
                name.substring(ISSUER.length() + 1),
                null,
                scopes,
                capable,
                capable ? List.of() : groups,
                "",
                null,
                Instant.MAX);
    }

    @Test
    void anExplanationIsTheDecision() throws IOException {
        Set<String> outcomes = new TreeSet<>();
        for (int number = 0; number < SITES; number++) {
            GridmapAuthorizer site = site(number);
            for (int i = 0; i < IDENTITIES; i++) {
                boolean token = random.nextBoolean();
                String name = token ? ISSUER + "," + one(NAMES) : "CN=" + one(NAMES) + ",O=x";
                List<String> attributes = new ArrayList<>(some(token ? GROUPS : ATTRIBUTES));
                if (token && random.nextInt(3) == 0) {
                    attributes.add(one(SCOPES));
                }
                Explanation before = site.explainer(() -> Routes.NONE, Map.of()).explain(name, attributes);
                try {
                    Caller caller = site.authorize(identity(name, attributes));
                    outcomes.add("an account" + (before.pool() == null ? "" : " of a pool"));
                    assertThat(before.refusal()).isNull();
                    assertThat(before.authorized()).isTrue();
                    assertThat(before.account()).isEqualTo(caller.account());
                    assertThat(before.admin() != null).isEqualTo(caller.admin());
                    assertThat(before.owner()).isEqualTo(caller.identity().subject());
                    assertThat(before.group()).isEqualTo(caller.identity().group());
                    Explanation after =
                            site.explainer(() -> Routes.NONE, Map.of()).explain(name, attributes);
                    assertThat(after.account())
                            .as("%s %s %s", name, after.refusal(), after.steps())
                            .isEqualTo(caller.account());
                    assertThat(after.leased()).isEqualTo(before.pool() != null);
                } catch (NotAuthorized e) {
                    outcomes.add(e.getMessage().contains("banned") ? "a ban" : "no account");
                    assertThat(before.authorized()).isFalse();
                    assertThat(before.refusal()).isEqualTo(e.getMessage());
                }
            }
        }
        assertThat(outcomes).containsExactly("a ban", "an account", "an account of a pool", "no account");
    }
}
