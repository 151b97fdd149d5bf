package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.accounting.AccountingSettings.Form;
import org.gelato.ce.core.accounting.AccountingSettings.Way;
import org.gelato.ce.core.accounting.Benchmarks;
import org.gelato.ce.core.identity.AccountingGroups;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.ws.token.TokenIssuer;
import org.gelato.ce.ws.token.TokenSettings;

/** Reads how usage is accounted and published (docs/admin/accounting.md). */
final class AccountingKeys {
    private static final String BLOCK = "gelato.accounting.";
    private static final String INFORMATION_SITE = "gelato.information.site";
    private static final String PUBLISH = BLOCK + "publish";
    private static final String BENCHMARKS = BLOCK + "benchmarks";
    private static final String VOS = BLOCK + "vos";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{1,32}");
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern VALUE = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,3})?");
    private static final int MOST = 1000;
    private static final int USUAL_PORT = 8443;
    private static final Duration DAYS_62 = Duration.ofDays(62);

    private AccountingKeys() {}

    /**
     * @param host canonical name
     * @param port 0 for any
     * @param informationSite the site's name where this section has none; may be empty
     */
    static AccountingConfig read(
            ConfigReader r, String host, int port, LrmsConfig lrms, TokenSettings tokens, String informationSite) {
        Way way = r.choice(PUBLISH, Way.class);
        String named = r.text(BLOCK + "site", NAME, "empty or a site's name in the GOCDB");
        String site = named.isEmpty() ? informationSite : named;
        String machine = r.text(BLOCK + "machine-name", NAME, "empty or a name of letters, digits, dots and dashes");
        Benchmarks benchmarks = new Benchmarks(
                sections(r, BENCHMARKS, Set.of("queue", "kind", "value", "from"), c -> benchmark(c, lrms)));
        String since = r.text(BLOCK + "since", DAY, "empty or a day, YYYY-MM-DD");
        Path queue = r.path(BLOCK + "ssm-queue");
        Path log = r.path(BLOCK + "blah-log-directory");
        AccountingSettings settings = new AccountingSettings(
                way,
                r.choice(BLOCK + "records", AccountingSettings.Records.class),
                r.flag(BLOCK + "several-benchmarks") ? Form.SEVERAL_BENCHMARKS : Form.ONE_BENCHMARK,
                site,
                machine.isEmpty() ? host : machine,
                host + ":" + (port == 0 ? USUAL_PORT : port),
                r.text(BLOCK + "id-prefix", PREFIX, "empty or up to 32 letters, digits, dots and dashes"),
                r.flag(BLOCK + "withhold-users"),
                benchmarks,
                since.isEmpty() ? null : day(r, since),
                r.duration(BLOCK + "patience", Duration.ofMinutes(1), Duration.ofDays(30)),
                r.number(BLOCK + "records-per-message", 1, 1000),
                way == Way.BLAH ? log : queue,
                r.duration(BLOCK + "totals-interval", Duration.ofMinutes(10), Duration.ofDays(7)),
                r.duration(BLOCK + "keep", DAYS_62, Duration.ofDays(36_500)));
        if (settings.publishes()) {
            check(r, settings, lrms);
        }
        return new AccountingConfig(
                settings, groups(r, tokens), r.duration(BLOCK + "interval", Duration.ofSeconds(1), Duration.ofDays(1)));
    }

    /** What would be found out a month later otherwise, by the site's missing hours. */
    private static void check(ConfigReader r, AccountingSettings settings, LrmsConfig lrms) {
        if (settings.site().isEmpty()) {
            r.problem(BLOCK + "site and " + INFORMATION_SITE + " are empty: " + PUBLISH
                    + " needs the site's name in the GOCDB");
        }
        for (String queue : lrms.queues()) {
            if (!settings.benchmarks().queues().contains(queue)) {
                r.problem(BENCHMARKS + " has none for queue " + queue
                        + ": its jobs could not be accounted; add { queue = " + queue
                        + ", kind = hepscore23, value = ... }");
            }
        }
        if (lrms.site().writesBlahLog() && settings.publish() == Way.BLAH) {
            r.refuse(PUBLISH, "possible with lrms.kind = " + lrms.kind() + ", which writes the log itself: ssm or off");
        }
    }

    private static Instant day(ConfigReader r, String text) {
        try {
            return begin(text);
        } catch (DateTimeException e) {
            r.refuse(BLOCK + "since", "a day of the calendar");
            return null;
        }
    }

    private static Instant begin(String day) {
        return LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static <T> List<T> sections(ConfigReader r, String key, Set<String> keys, Function<Config, T> parser) {
        List<? extends ConfigObject> all = r.objects(key);
        if (all.size() > MOST) {
            r.refuse(key, "a list of at most " + MOST + " sections");
        }
        List<T> parsed = new ArrayList<>();
        for (ConfigObject object : all) {
            try {
                for (String name : object.keySet()) {
                    if (!keys.contains(name)) {
                        throw new IllegalArgumentException("there is no key " + name + " here; there are "
                                + String.join(", ", keys.stream().sorted().toList()));
                    }
                }
                parsed.add(parser.apply(object.toConfig()));
            } catch (ConfigException | IllegalArgumentException | DateTimeException e) {
                r.problem(key + KeyNames.line(object) + ": " + e.getMessage());
            }
        }
        return parsed;
    }

    private static Benchmarks.Value benchmark(Config c, LrmsConfig lrms) {
        String queue = c.getString("queue");
        if (!lrms.queues().contains(queue)) {
            throw new IllegalArgumentException(
                    "there is no queue " + queue + "; there are " + String.join(", ", lrms.queues()));
        }
        String value = c.getString("value");
        if (!VALUE.matcher(value).matches() || new BigDecimal(value).signum() == 0) {
            throw new IllegalArgumentException("value is not a positive number such as 12.5");
        }
        return new Benchmarks.Value(
                queue,
                kind(c.getString("kind")),
                new BigDecimal(value),
                c.hasPath("from") ? begin(c.getString("from")) : null);
    }

    private static Benchmarks.Kind kind(String name) {
        for (Benchmarks.Kind kind : Benchmarks.Kind.values()) {
            if (kind.wireName().equalsIgnoreCase(name)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("kind is one of hepscore23, hepspec, si2k");
    }

    private static AccountingGroups groups(ConfigReader r, TokenSettings tokens) {
        Map<String, String> vos = new HashMap<>();
        Set<String> issuers = new HashSet<>();
        for (TokenIssuer issuer : tokens.issuers()) {
            issuers.add(issuer.issuer());
            if (issuer.vo() != null) {
                vos.put(issuer.issuer(), issuer.vo());
            }
        }
        return new AccountingGroups(
                sections(r, VOS, Set.of("issuer", "subject", "group", "fqan"), c -> rule(c, issuers)),
                r.flag(BLOCK + "token-groups"),
                vos);
    }

    private static AccountingGroups.Rule rule(Config c, Set<String> issuers) {
        String issuer = c.getString("issuer");
        if (!issuers.contains(issuer)) {
            throw new IllegalArgumentException(issuer + " is no issuer of gelato.tokens.issuers");
        }
        return new AccountingGroups.Rule(
                issuer,
                c.hasPath("subject") ? c.getString("subject") : null,
                c.hasPath("group") ? TokenGroup.parse(c.getString("group")) : null,
                c.getString("fqan"));
    }
}
