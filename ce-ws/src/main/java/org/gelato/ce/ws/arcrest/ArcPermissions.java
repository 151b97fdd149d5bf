package org.gelato.ce.ws.arcrest;

import java.util.Map;
import org.gelato.ce.core.identity.Permission;

/** What a credential must permit for each request; one of those named is enough (docs/admin/tokens.md). */
final class ArcPermissions {
    /** Files and proxies belong to a submission, and may be changed later. */
    private static final Permission[] WRITE = {Permission.CREATE, Permission.MODIFY};

    private static final Permission[] READ = {Permission.READ};
    private static final Permission[] CANCEL = {Permission.CANCEL};
    private static final Permission[] MODIFY = {Permission.MODIFY};

    private static final Map<String, Permission[]> JOBS =
            Map.of("new", new Permission[] {Permission.CREATE}, "kill", CANCEL, "clean", CANCEL, "restart", MODIFY);
    private static final Map<String, Permission[]> DELEGATIONS = Map.of("new", WRITE, "renew", WRITE, "delete", WRITE);

    private ArcPermissions() {}

    /** For a request below {@code jobs} or {@code delegations}; what only reads needs {@link Permission#READ}. */
    static Permission[] of(String method, ArcCall call) {
        boolean jobs = call.path().get(0).equals("jobs");
        if (method.equals("POST")) {
            return (jobs ? JOBS : DELEGATIONS).getOrDefault(call.action(), READ);
        }
        return method.equals("PUT") || method.equals("DELETE") ? WRITE : READ;
    }
}
