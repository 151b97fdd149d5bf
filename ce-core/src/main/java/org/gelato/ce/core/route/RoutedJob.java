package org.gelato.ce.core.route;

import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.LinkedIdentity;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.description.JobRequest.Resources;

/**
 * What routes are matched with.
 *
 * @param identity whose job it is
 * @param account the local account
 * @param queue where it goes
 * @param resources as the description requests them
 */
public record RoutedJob(Identity identity, String account, String queue, Resources resources, JobLabels labels) {
    /** Null without one. */
    String vo() {
        return identity.owner().namedVo();
    }

    /** The primary FQAN, under which the owner has the job; empty for none. */
    String fqan() {
        return identity.owner().fqan();
    }

    /** Null for a certificate. */
    TokenIdentity token() {
        if (identity instanceof LinkedIdentity linked) {
            return linked.token();
        }
        return identity instanceof TokenIdentity token ? token : null;
    }

    /** RFC 2253; null for a token that is no user's of a DN. */
    String dn() {
        if (identity instanceof LinkedIdentity linked) {
            return linked.person().dn();
        }
        return identity instanceof GridIdentity user ? user.dn() : null;
    }
}
