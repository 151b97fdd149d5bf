package org.gelato.ce.core.authorization;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Authorizer;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.json.FaultCode;

/** Who may watch this CE, by name; they need no mapping to a local account. Immutable; any thread. */
public final class MonitoringReaders {
    /** No readers beside the administrators. */
    public static final MonitoringReaders NONE = new MonitoringReaders(List.of());

    private static final String ACCOUNT = "nobody";

    private final Set<String> keys;

    /**
     * @param names DNs in either form, or {@code ISSUER,SUBJECT} of tokens
     * @throws IllegalArgumentException for a text that is neither
     */
    public MonitoringReaders(List<String> names) {
        keys = names.stream().map(MonitoringReaders::key).collect(Collectors.toUnmodifiableSet());
    }

    private static String key(String name) {
        if (TokenIdentity.isSubject(name)) {
            return name;
        }
        String key = DnForms.comparable(name);
        if (key.isEmpty()) {
            throw new IllegalArgumentException("an empty text is no name");
        }
        return key;
    }

    /** Whether an identity is one of them, and its credential permits to read. */
    public boolean contains(Identity identity) {
        return !keys.isEmpty() && identity.permits(Permission.READ) && keys.contains(key(identity.subject()));
    }

    /**
     * Authorizes them too, for monitoring alone: the account of one without a mapping is {@code nobody}. Who is banned is refused.
     *
     * @param users decides about everybody first
     */
    public Authorizer beside(Authorizer users) {
        return identity -> {
            try {
                return users.authorize(identity);
            } catch (ServiceException.NotAuthorized e) {
                if (e.code() != FaultCode.BANNED && contains(identity)) {
                    return new Caller(identity, ACCOUNT, false);
                }
                throw e;
            }
        };
    }
}
