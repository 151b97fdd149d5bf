package org.gelato.ce.core.authorization;

import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.LinkedIdentity;
import org.gelato.ce.core.identity.NoUser;
import org.gelato.ce.core.identity.TokenIdentity;

/**
 * Who an identity is on this host, and by what: calls are authorized by it, and administrators read it.
 *
 * @param who the identity as the lines name it; a token with the group that maps it
 * @param banLine of the ban file; 0 for none
 * @param ban of an administrator; null for none
 * @param entry what the grid-mapfile has for it; null for nothing
 * @param person the decision about the user whom the line declares a token's holder to be; null for none
 * @param account the account and its lease; null without one
 * @param adminLine of the list of administrators; 0 for none
 * @param refusal what a call gets; null for one that is accepted
 */
record AccountDecision(
        Identity who,
        int banLine,
        Ban ban,
        Entry entry,
        AccountDecision person,
        PoolAccounts.Found account,
        int adminLine,
        NoUser refusal) {
    /**
     * The line of the grid-mapfile that counts.
     *
     * @param attribute by which it does; null where it names the user
     * @param person whom it declares a token's holder to be; null where it names an account
     */
    record Entry(MappingLine line, String attribute, GridIdentity person) {}

    /** The caller with its account. */
    Caller caller() {
        if (refusal != null) {
            throw refusal;
        }
        if (person != null) {
            Caller user = person.caller();
            return new Caller(
                    new LinkedIdentity((TokenIdentity) who, (GridIdentity) person.who()), user.account(), user.admin());
        }
        return new Caller(who, account.account(), adminLine > 0);
    }
}
