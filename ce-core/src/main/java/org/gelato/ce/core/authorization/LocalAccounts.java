package org.gelato.ce.core.authorization;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.function.Function;

/**
 * Why a grid user may not become a local account: the host does not know it, or it has user id 0 under whatever name.
 * Queries the host's account database, which may block. The helper has limits of its own, such as a least user id.
 */
final class LocalAccounts implements Function<String, String> {
    private static final LocalSuperuser SUPERUSER = new LocalSuperuser();

    /** @return the objection; empty when there is none */
    @Override
    public String apply(String account) {
        UserPrincipalLookupService users = FileSystems.getDefault().getUserPrincipalLookupService();
        try {
            UserPrincipal known = users.lookupPrincipalByName(account);
            return SUPERUSER.test(known.getName()) ? "it is the superuser" : "";
        } catch (IOException unknown) {
            return "this host does not know it";
        }
    }
}
