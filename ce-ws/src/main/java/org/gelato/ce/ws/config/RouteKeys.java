package org.gelato.ce.ws.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.FqanPattern;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.core.route.RouteMatch;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.core.route.Setting;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.EnvironmentRule;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.json.RouteSettings;
import org.gelato.ce.ws.token.TokenIssuer;
import org.gelato.ce.ws.token.TokenSettings;

/** Reads a site's policies (docs/admin/routes.md). */
final class RouteKeys {
    private static final int MAX_ROUTES = 200;
    private static final int MAX_ATTRIBUTES = 50;
    private static final int MAX_ENVIRONMENTS = 16;
    /** Characters of all settings: a job may get those of each route. */
    private static final int MAX_CHARACTERS = 64 * 1024;

    private static final Pattern OF_THE_JOB = Pattern.compile(
            "PATH|HOME|X509_USER_PROXY|X509_CERT_DIR|BEARER_TOKEN(_FILE)?|CE_ID|(CREAM|GLITE_WMS|GRID_GLOBAL|GELATO)_.*");
    private static final Pattern ATTRIBUTE = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");
    private static final Pattern LINE = Pattern.compile("[^\\p{Cntrl}]{1,1000}");
    // Not private: a linter does not see that annotations use them.
    static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";
    static final String WORD = "[A-Za-z0-9_][A-Za-z0-9_.,:@+/-]{0,254}";
    static final String A_WORD = "a name of letters, digits and _.,:@+/-";
    static final String TEXT = "[^\\p{Cntrl}]{1,1000}";
    static final String ENVIRONMENT = "[A-Za-z0-9][A-Za-z0-9_./+-]{0,254}";
    static final String AN_ENVIRONMENT = "a list of names of files below gelato.wrapper.runtime-environments";
    static final String TEXTS = "a text or a list of different texts";

    private RouteKeys() {}

    private record Match(
            @Key(form = TEXT, accepted = TEXTS, optional = true)
            List<String> vo,

            @Key(form = TEXT, accepted = TEXTS, optional = true)
            List<String> fqan,

            @Key(form = TEXT, accepted = TEXTS, optional = true)
            List<String> issuer,

            @Key(form = TEXT, accepted = TEXTS, optional = true)
            List<String> group,

            @Key(form = TEXT, accepted = TEXTS, optional = true)
            List<String> account,

            @Key(form = TEXT, accepted = TEXTS, optional = true)
            List<String> dn,

            @Key(form = TEXT, accepted = TEXTS, optional = true)
            List<String> queue,

            @Key(min = "1", max = "1000000", optional = true)
            int minCores,

            @Key(optional = true) Boolean wholeNode,
            @Key(optional = true) Boolean gpu,
            @Key(optional = true) Map<String, String> label) {
        RouteMatch of(List<String> queues, Set<String> issuers) {
            known("queue", queue, queues, "gelato.lrms.queues");
            known("issuer", issuer, issuers, "gelato.tokens.issuers");
            label.keySet().forEach(name -> {
                if (!JobLabels.isName(name)) {
                    throw new IllegalArgumentException("match.label: " + name + " is no name of a label");
                }
            });
            return new RouteMatch(
                    vo,
                    each("fqan", fqan, FqanPattern::of),
                    issuer,
                    each("group", group, TokenGroup::parse),
                    account,
                    each("dn", dn, DnForms::comparable),
                    queue,
                    minCores,
                    wholeNode,
                    gpu,
                    label);
        }

        private static <T> List<T> each(String key, List<String> texts, Function<String, T> form) {
            try {
                return texts.stream().map(form).toList();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("match." + key + ": " + e.getMessage(), e);
            }
        }

        private static void known(String key, List<String> named, Collection<String> there, String list) {
            for (String name : named) {
                if (!there.contains(name)) {
                    throw new IllegalArgumentException("match." + key + ": " + name + " is not in " + list);
                }
            }
        }
    }

    private record Given(
            @Key(form = WORD, accepted = A_WORD, optional = true)
            String account,

            @Key(form = WORD, accepted = A_WORD, optional = true)
            String qos,

            @Key(form = WORD, accepted = A_WORD, optional = true)
            String partition,

            @Key(form = WORD, accepted = A_WORD, optional = true)
            String reservation,

            @Key(form = TEXT, accepted = "one line of text", optional = true)
            String constraint,

            @Key(form = WORD, accepted = A_WORD, optional = true)
            String licenses,

            @Key(min = "1", max = "10000", optional = true) int nice,

            @Key(form = WORD, accepted = A_WORD, optional = true)
            String accountingGroup,

            @Key(optional = true) Map<String, Object> attributes) {
        void add(Map<String, Object> values) {
            put(values, Setting.ACCOUNT.key(), account);
            put(values, Setting.QOS.key(), qos);
            put(values, Setting.PARTITION.key(), partition);
            put(values, Setting.RESERVATION.key(), reservation);
            put(values, Setting.CONSTRAINT.key(), constraint);
            put(values, Setting.LICENSES.key(), licenses);
            put(values, Setting.NICE.key(), nice);
            put(values, Setting.ACCOUNTING_GROUP.key(), accountingGroup);
            if (attributes.size() > MAX_ATTRIBUTES) {
                throw new IllegalArgumentException("set.attributes has more than " + MAX_ATTRIBUTES);
            }
            attributes.forEach((name, value) -> {
                String key = Setting.ATTRIBUTES.key() + "." + name;
                boolean single = value instanceof Number
                        || value instanceof Boolean
                        || (value instanceof String text && LINE.matcher(text).matches());
                if (!ATTRIBUTE.matcher(name).matches() || !single) {
                    throw new IllegalArgumentException(key + " is not a name of letters, digits, dots, dashes and"
                            + " underscores with a line of text, a number, true or false");
                }
                values.put(key, value);
            });
        }
    }

    private record Defaults(
            @Key(min = "1", max = "1000000", optional = true)
            int cores,

            @Key(min = "1 MiB", max = "1 PiB", optional = true)
            long memory,

            @Key(min = "1 s", max = "1000 days", optional = true)
            Duration wallTime) {
        void add(Map<String, Object> values) {
            amounts("defaults", values, cores, memory, wallTime);
        }

        private void within(Limits limits) {
            if ((limits.cores > 0 && cores > limits.cores)
                    || (limits.memory > 0 && memory > limits.memory)
                    || (limits.wallTime != null && wallTime != null && wallTime.compareTo(limits.wallTime) > 0)) {
                throw new IllegalArgumentException("a value of defaults is more than that of limits");
            }
        }
    }

    private record Limits(
            @Key(min = "1", max = "1000000", optional = true)
            int cores,

            @Key(min = "1 MiB", max = "1 PiB", optional = true)
            long memory,

            @Key(min = "1 s", max = "1000 days", optional = true)
            Duration wallTime,

            @Key(min = "1", max = "1000000000", optional = true)
            int queued) {
        void add(Map<String, Object> values) {
            amounts("limits", values, cores, memory, wallTime);
            put(values, Routes.QUEUED, queued);
        }
    }

    private static void amounts(String section, Map<String, Object> values, int cores, long memory, Duration wallTime) {
        put(values, section + ".cores", cores);
        put(values, section + ".memory", memory);
        put(values, section + ".wall-time", wallTime == null ? 0L : wallTime.toSeconds());
    }

    private record Section(
            @Key(form = NAME, accepted = "a name of letters, digits, dots, dashes and underscores")
            String name,

            @Key(optional = true) Match match,
            @Key(optional = true) Given set,
            @Key(optional = true) Defaults defaults,
            @Key(optional = true) Limits limits,

            @Key(form = ENVIRONMENT, accepted = AN_ENVIRONMENT, optional = true)
            List<String> runtimeEnvironments,

            @Key(optional = true) Map<String, String> environment) {
        Route of(LrmsConfig lrms, Set<String> issuers) {
            Map<String, Object> values = new LinkedHashMap<>();
            set.add(values);
            defaults.within(limits);
            defaults.add(values);
            limits.add(values);
            if (runtimeEnvironments.size() > MAX_ENVIRONMENTS) {
                throw new IllegalArgumentException("runtime-environments has more than " + MAX_ENVIRONMENTS);
            }
            put(values, Routes.RUNTIME_ENVIRONMENTS, String.join(" ", runtimeEnvironments));
            addVariables(values);
            lrms.site().renderers().check(lrms.kind(), new RouteSettings(List.of(name), values));
            return new Route(name, match.of(lrms.queues(), issuers), values);
        }

        private void addVariables(Map<String, Object> values) {
            if (environment.size() > MAX_ATTRIBUTES) {
                throw new IllegalArgumentException("environment has more than " + MAX_ATTRIBUTES);
            }
            environment.forEach((variable, value) -> {
                if (OF_THE_JOB.matcher(variable).matches()) {
                    throw new IllegalArgumentException("environment." + variable + " is set for each job by the CE");
                }
                if (!value.isEmpty() && (!LINE.matcher(value).matches() || value.indexOf('$') >= 0)) {
                    throw new IllegalArgumentException(
                            "environment." + variable + " is not one line of text without $, which is not expanded");
                }
                try {
                    EnvironmentRule.put(new HashMap<>(), "environment", variable, value, new ArrayList<>());
                } catch (DescriptionException e) {
                    throw new IllegalArgumentException(e.getMessage(), e);
                }
                values.put(Routes.VARIABLE + variable, value);
            });
        }
    }

    static Routes read(Binder r, LrmsConfig lrms, TokenSettings tokens) {
        Set<String> names = new HashSet<>();
        Set<String> issuers = tokens.issuers().stream().map(TokenIssuer::issuer).collect(Collectors.toSet());
        int[] characters = {0};
        return new Routes(r.sections("gelato.routes", MAX_ROUTES, Section.class, Map.of(), section -> {
            if (!names.add(section.name())) {
                throw new IllegalArgumentException("name: " + section.name() + " is there twice");
            }
            Route route = section.of(lrms, issuers);
            route.values()
                    .forEach((key, value) -> characters[0] +=
                            key.length() + String.valueOf(value).length());
            if (characters[0] > MAX_CHARACTERS) {
                throw new IllegalArgumentException("the settings of this route and those before it have more than "
                        + MAX_CHARACTERS + " characters");
            }
            return route;
        }));
    }

    private static void put(Map<String, Object> values, String key, Object value) {
        if (value != null && !value.equals("") && !value.equals(0) && !value.equals(0L)) {
            values.put(key, value);
        }
    }
}
