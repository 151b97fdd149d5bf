package org.gelato.ce.core.lrms;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.description.JobLabels;

/**
 * What a site's script gets to know of a job by its environment (docs/admin/torque.md, "The site's script"). Names have no small
 * letter, so CERequirements make none of them. Values are the user's own words, and the script may print them into a directive
 * without quotes: they have no character that ends a word, a list or a line, or that a shell expands. Functions without state.
 */
final class SiteScriptVariables {
    private static final String PREFIX = "GELATO_JOB_";
    /** Characters of a value. */
    private static final int MAX = 1024;

    /** As many whole names as fit. */
    private static final int MAX_ROUTES = 4096;

    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9_.:/+@=%-]");
    private static final Pattern NO_NAME = Pattern.compile("[^A-Z0-9_]");
    private static final String ROLE = "/Role=";

    private SiteScriptVariables() {}

    /** The variables of a job, each fixed one always, empty for none. */
    static Map<String, String> of(Submission job) {
        Owner owner =
                job.origin() == null ? new Owner("", "", null) : job.origin().owner();
        boolean token = TokenIdentity.isSubject(owner.subject());
        String[] parts = token ? owner.subject().split(",", 2) : new String[] {"", ""};
        Map<String, String> variables = new LinkedHashMap<>();
        put(variables, "QUEUE", job.queue());
        put(variables, "VO", owner.namedVo());
        put(variables, "FQAN", owner.fqan());
        put(variables, "GROUP", token ? owner.group() : "");
        put(variables, "ROLE", role(owner, token));
        put(variables, "DN", token ? "" : slash(owner.subject()));
        put(variables, "ISSUER", parts[0]);
        put(variables, "SUBJECT", parts[1]);
        variables.put(PREFIX + "ROUTES", routes(job.settings().routes()));
        JobLabels labels =
                job.request() == null ? JobLabels.NONE : job.request().labels();
        labels.labels()
                .forEach((name, value) -> variables.putIfAbsent(
                        PREFIX
                                + "LABEL_"
                                + NO_NAME.matcher(name.toUpperCase(Locale.ROOT)).replaceAll("_"),
                        safe(value)));
        return variables;
    }

    private static void put(Map<String, String> variables, String name, String value) {
        variables.put(PREFIX + name, value == null ? "" : safe(value));
    }

    private static String safe(String value) {
        String text = UNSAFE.matcher(value).replaceAll("_");
        return text.length() > MAX ? text.substring(0, MAX) : text;
    }

    private static String role(Owner owner, boolean token) {
        if (token) {
            return TokenGroup.read(owner.group()).map(TokenGroup::role).orElse(null);
        }
        int at = owner.fqan().indexOf(ROLE);
        return at < 0 ? null : owner.fqan().substring(at + ROLE.length()).split("/", 2)[0];
    }

    /** A row that somebody wrote by hand keeps no job from the batch system. */
    private static String slash(String subject) {
        try {
            return DnForms.slash(subject);
        } catch (IllegalArgumentException e) {
            return subject;
        }
    }

    private static String routes(List<String> names) {
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            if (text.length() + name.length() >= MAX_ROUTES) {
                break;
            }
            text.append(text.length() == 0 ? "" : " ").append(safe(name));
        }
        return text.toString();
    }
}
