package org.gelato.ce.ws.config;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.accounting.AccountingSettings.Form;
import org.gelato.ce.core.accounting.AccountingSettings.Publishing;
import org.gelato.ce.core.accounting.Benchmarks;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.identity.AccountingGroups;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.ws.token.TokenIssuer;
import org.gelato.ce.ws.token.TokenSettings;

/** Reads how usage is accounted and published (docs/admin/accounting.md). */
final class AccountingKeys {
    private static final String SECTION = "gelato.accounting";
    private static final String INFORMATION_SITE = "gelato.information.site";
    private static final String PUBLISH = SECTION + ".publish";
    private static final String BENCHMARKS = SECTION + ".benchmarks";
    private static final String VOS = SECTION + ".vos";
    // Not private: a linter does not see that annotations use it.
    static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,254}";
    private static final Duration PATIENCE = Duration.ofHours(24);
    private static final int RECORDS_PER_MESSAGE = 1000;
    private static final Duration TOTALS_INTERVAL = Duration.ofHours(24);
    private static final int MAX = 1000;
    private static final int USUAL_PORT = 8443;

    private AccountingKeys() {}

    /** What is read besides {@link AccountingSettings}, of which it becomes other values. */
    private record Rest(
            @Key Publishing publish,
            @Key boolean severalBenchmarks,

            @Key(form = NAME, accepted = "empty or a site's name in the GOCDB", optional = true)
            String site,

            @Key(form = NAME, accepted = "empty or a name of letters, digits, dots and dashes", optional = true)
            String machineName,

            @Key(form = "[0-9]{4}-[0-9]{2}-[0-9]{2}", accepted = "empty or a day, YYYY-MM-DD", optional = true)
            String since,

            @Key Path ssmQueue,
            @Key Path blahLogDirectory,
            @Key(min = "1 s", max = "1 day") Duration interval,
            @Key boolean tokenGroups) {}

    private record Benchmark(
            @Key String queue,
            @Key String kind,

            @Key(form = "(?=.*[1-9])[0-9]{1,6}(\\.[0-9]{1,3})?", accepted = "a positive number such as 12.5")
            String value,

            @Key(optional = true) Optional<String> from) {
        Benchmarks.Value in(LrmsConfig lrms) {
            if (!lrms.queues().contains(queue)) {
                throw new IllegalArgumentException(
                        "there is no queue " + queue + "; there are " + String.join(", ", lrms.queues()));
            }
            for (Benchmarks.Kind known : Benchmarks.Kind.values()) {
                if (known.wireName().equalsIgnoreCase(kind)) {
                    return new Benchmarks.Value(
                            queue,
                            known,
                            new BigDecimal(value),
                            from.map(AccountingKeys::begin).orElse(null));
                }
            }
            throw new IllegalArgumentException("kind is one of hepscore23, hepspec, si2k");
        }
    }

    private record Vo(
            @Key String issuer,
            @Key(optional = true) Optional<String> subject,
            @Key(optional = true) Optional<String> group,
            @Key String fqan) {
        AccountingGroups.Rule of(Set<String> issuers) {
            if (!issuers.contains(issuer)) {
                throw new IllegalArgumentException(issuer + " is no issuer of gelato.tokens.issuers");
            }
            return new AccountingGroups.Rule(
                    issuer, subject.orElse(null), group.map(TokenGroup::parse).orElse(null), fqan);
        }
    }

    /**
     * @param host canonical name
     * @param port 0 for any
     * @param informationSite the site's name where this section has none; may be empty
     */
    static AccountingConfig read(
            Binder r, String host, int port, LrmsConfig lrms, TokenSettings tokens, String informationSite) {
        Rest rest = r.read(SECTION, Rest.class);
        AccountingSettings settings = r.read(
                SECTION,
                AccountingSettings.class,
                rest.severalBenchmarks() ? Form.SEVERAL_BENCHMARKS : Form.ONE_BENCHMARK,
                rest.site().isEmpty() ? informationSite : rest.site(),
                rest.machineName().isEmpty() ? host : rest.machineName(),
                host + ":" + (port == 0 ? USUAL_PORT : port),
                new Benchmarks(r.sections(BENCHMARKS, MAX, Benchmark.class, Map.of(), one -> one.in(lrms))),
                since(r, rest.since()),
                PATIENCE,
                RECORDS_PER_MESSAGE,
                rest.publish() == Publishing.BLAH ? rest.blahLogDirectory() : rest.ssmQueue(),
                TOTALS_INTERVAL);
        if (settings.publishes()) {
            check(r, settings, lrms);
        }
        return new AccountingConfig(settings, groups(r, tokens, rest.tokenGroups()), rest.interval());
    }

    /** What would be found out a month later otherwise, by the site's missing hours. */
    private static void check(Binder r, AccountingSettings settings, LrmsConfig lrms) {
        if (settings.site().isEmpty()) {
            r.problem(
                    SECTION + ".site",
                    SECTION + ".site and " + INFORMATION_SITE + " are empty: " + PUBLISH
                            + " needs the site's name in the GOCDB");
        }
        for (String queue : lrms.queues()) {
            if (!settings.benchmarks().queues().contains(queue)) {
                r.problem(
                        BENCHMARKS,
                        BENCHMARKS + " has none for queue " + queue
                                + ": its jobs could not be accounted; add { queue = " + queue
                                + ", kind = hepscore23, value = ... }");
            }
        }
        if (lrms.site().writesBlahLog() && settings.publish() == Publishing.BLAH) {
            r.refuse(PUBLISH, "possible with lrms.kind = " + lrms.kind() + ", which writes the log itself: ssm or off");
        }
    }

    private static Instant since(Binder r, String day) {
        try {
            return day.isEmpty() ? null : begin(day);
        } catch (DateTimeException e) {
            r.refuse(SECTION + ".since", "a day of the calendar");
            return null;
        }
    }

    private static Instant begin(String day) {
        return LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static AccountingGroups groups(Binder r, TokenSettings tokens, boolean tokenGroups) {
        Map<String, String> vos = new HashMap<>();
        Set<String> issuers = new HashSet<>();
        for (TokenIssuer issuer : tokens.issuers()) {
            issuers.add(issuer.issuer());
            if (issuer.vo() != null) {
                vos.put(issuer.issuer(), issuer.vo());
            }
        }
        List<AccountingGroups.Rule> rules = r.sections(VOS, MAX, Vo.class, Map.of(), vo -> vo.of(issuers));
        return new AccountingGroups(rules, tokenGroups, vos);
    }
}
