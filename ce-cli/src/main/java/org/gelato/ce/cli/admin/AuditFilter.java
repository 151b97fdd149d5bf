package org.gelato.ce.cli.admin;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Which records are meant; all criteria hold. */
final class AuditFilter implements Predicate<AuditRecord> {
    private static final Pattern JOB = Pattern.compile("CREAM[0-9]{9}");
    private static final Pattern SLASH = Pattern.compile("/(?=[A-Za-z0-9.]+=)");

    private final List<Predicate<AuditRecord>> criteria = new ArrayList<>();

    /** @throws IllegalArgumentException when it is neither a job's id nor its URL */
    AuditFilter job(String id) {
        Matcher m = JOB.matcher(id);
        if (!m.find()) {
            throw new IllegalArgumentException("--job wants an id such as CREAM123456789, not " + id);
        }
        String wanted = m.group();
        criteria.add(r -> r.value("job").endsWith(wanted) || r.value("target").equals("job=" + wanted));
        return this;
    }

    /** The batch system's id, or its part before the first dot. */
    AuditFilter batch(String id) {
        criteria.add(r -> r.value("batch-id").equals(id) || r.value("batch-id").startsWith(id + "."));
        return this;
    }

    /** A DN in either form, or a part of one where there is no {@code =}. */
    AuditFilter user(String text) {
        if (text.indexOf('=') < 0) {
            String part = text.toLowerCase(Locale.ROOT);
            criteria.add(r -> r.value("dn").toLowerCase(Locale.ROOT).contains(part));
        } else {
            List<String> wanted = names(text);
            criteria.add(r -> !r.value("dn").isEmpty() && names(r.value("dn")).equals(wanted));
        }
        return this;
    }

    AuditFilter account(String name) {
        criteria.add(r -> r.value("account").equals(name));
        return this;
    }

    AuditFilter events(List<String> names) {
        criteria.add(r -> names.contains(r.value("event")));
        return this;
    }

    AuditFilter from(Instant time) {
        criteria.add(r -> !r.time().isBefore(time));
        return this;
    }

    AuditFilter to(Instant time) {
        criteria.add(r -> !r.time().isAfter(time));
        return this;
    }

    @Override
    public boolean test(AuditRecord r) {
        return criteria.stream().allMatch(c -> c.test(r));
    }

    /** The parts of a DN from the country or domain to the user; the whole text when it is none. */
    private static List<String> names(String dn) {
        List<String> names = new ArrayList<>();
        if (dn.startsWith("/")) {
            for (String part : SLASH.split(dn)) {
                if (!part.isEmpty()) {
                    names.add(part);
                }
            }
        } else {
            try {
                for (Rdn rdn : new LdapName(dn).getRdns()) {
                    names.add(rdn.getType() + "=" + rdn.getValue());
                }
            } catch (InvalidNameException e) {
                names.add(dn);
            }
        }
        return names.stream().map(AuditFilter::comparable).toList();
    }

    private static String comparable(String name) {
        return name.strip()
                .toLowerCase(Locale.ROOT)
                .replaceFirst("^(emailaddress|email|1\\.2\\.840\\.113549\\.1\\.9\\.1)=", "e=")
                .replaceFirst("^userid=", "uid=");
    }
}
