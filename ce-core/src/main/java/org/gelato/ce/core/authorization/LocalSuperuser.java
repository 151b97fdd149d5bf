package org.gelato.ce.core.authorization;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.function.Predicate;

/**
 * Whether a local account has user id 0 under whatever name. Queries the host's account database, which may block, so it
 * is used only while a grid-mapfile is read. An account the host does not know is no superuser; the helper refuses it
 * later.
 */
final class LocalSuperuser implements Predicate<String> {
    @Override
    public boolean test(String account) {
        if ("root".equals(account)) {
            return true;
        }
        UserPrincipalLookupService users = FileSystems.getDefault().getUserPrincipalLookupService();
        try {
            // Principals are equal when their user ids are.
            return users.lookupPrincipalByName(account).equals(users.lookupPrincipalByName("0"));
        } catch (IOException unknown) {
            return false;
        }
    }
}
