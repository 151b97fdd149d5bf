package org.gelato.ce.core.identity;

import java.util.List;

/**
 * The holder of a token whom the site declares to be the user of a DN: the same owner of the same jobs, with what the token
 * permits (docs/admin/tokens.md).
 *
 * @param user the DN with at most one FQAN
 */
public record LinkedIdentity(TokenIdentity token, GridIdentity person) implements Identity {
    @Override
    public Kind kind() {
        return person.kind();
    }

    @Override
    public String subject() {
        return person.subject();
    }

    @Override
    public String group() {
        return person.group();
    }

    @Override
    public String vo() {
        return person.vo();
    }

    @Override
    public boolean byToken() {
        return true;
    }

    @Override
    public boolean permits(Permission permission) {
        return token.permits(permission);
    }

    @Override
    public List<String> ignoredScopes() {
        return token.ignoredScopes();
    }
}
