package org.gelato.ce.ws.parts;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.gelato.ce.core.authorization.GridmapAuthorizer;
import org.gelato.ce.core.fault.Repeated;
import org.gelato.ce.core.identity.Mappings;
import org.gelato.ce.ws.audit.AuditLog;
import org.gelato.ce.ws.audit.AuditedCallers;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.parts.monitoring.ConfigurationFiles;
import org.gelato.ce.ws.token.TokenIssuer;
import org.gelato.ce.ws.web.CallerResolver;

/**
 * Who may do what.
 *
 * @param callers users and administrators
 * @param monitored these and the readers of monitoring
 */
record AuthorizationParts(GridmapAuthorizer authorizer, CallerResolver callers, CallerResolver monitored) {
    private static final Duration FILE_CHECK = Duration.ofSeconds(2);

    static AuthorizationParts open(Opening o, TrustParts trust, AdmissionParts admission, AuditLog audit) {
        CeConfig config = o.config();
        GridmapAuthorizer authorizer = new GridmapAuthorizer(
                config.authorization().files(),
                o.scheduler(),
                admission.controller().restrictions()::bans);
        ConfigurationFiles files = new ConfigurationFiles(
                o.meters(),
                List.of(authorizer::fileState, trust.trust()::broken, trust.host()::fileState, o.routes()::state));
        o.check(files.check());
        o.every(Duration.ZERO, FILE_CHECK, files::meter);
        o.every(FILE_CHECK, FILE_CHECK, Repeated.of("check of the configuration file", o.routes()::refresh));
        return new AuthorizationParts(
                authorizer,
                new AuditedCallers(trust.callers(authorizer), authorizer::isBanned, audit, o.clock()),
                trust.callers(config.monitoring().readers().beside(authorizer)));
    }

    /** The mappings of the files as they are now. */
    Mappings present() {
        authorizer.refresh();
        return authorizer.mappings();
    }

    /** Whose members come here, by certificate or by token: clients look for a share of their own. */
    static Set<String> vos(CeConfig config) {
        Set<String> vos =
                new TreeSet<>(GridmapAuthorizer.allVos(config.authorization().files()));
        config.tokens().issuers().stream()
                .map(TokenIssuer::vo)
                .filter(Objects::nonNull)
                .forEach(vos::add);
        return vos;
    }
}
