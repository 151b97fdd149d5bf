package org.gelato.ce.ws.parts;

import java.io.IOException;
import org.gelato.ce.core.identity.AccountUseStore;
import org.gelato.ce.ws.gridftp.GridFtp;
import org.gelato.ce.ws.gridftp.GridFtpAccess;
import org.gelato.ce.ws.web.SandboxAccess;

/** Files by GridFTP, where that is enabled. */
record GridFtpParts(SandboxAccess access) {
    static GridFtpParts open(
            Opening o, StoreParts stores, HelperParts helper, TrustParts trust, AuthorizationParts authorization)
            throws IOException {
        var config = o.config().gridFtp();
        if (!config.enabled()) {
            GridFtp.logThatThereIsNone();
            return new GridFtpParts(GridFtpAccess.without(config.host(), config.port()));
        }
        GridFtp gridFtp =
                o.opened(new GridFtp(config, helper.accounts(), authorization::present, o.scheduler(), o.clock()));
        trust.host().follow(now -> gridFtp.credential(now.secretPem()));
        gridFtp.start(new AccountUseStore(stores.database()), o.scheduler());
        o.check(gridFtp);
        o.counter("ce.gridftp.restarts", "Starts of the GridFTP server after it had ended", gridFtp, GridFtp::restarts);
        return new GridFtpParts(gridFtp.access());
    }
}
