package org.gelato.ce.ws.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Permission;

/**
 * Which capability scope a bearer token must have for each operation of each protocol, in one table (docs/admin/tokens.md), and
 * the check of it. Certificates permit everything. Any thread.
 */
public final class RequiredScopes {
    /** All other operations of a protocol; it has no place in a table whose operations are all known. */
    static final String OTHERS = "*";

    private static final Map<Protocol, Map<String, List<Permission>>> TABLE = new EnumMap<>(Protocol.class);

    private static final List<Permission> NONE = List.of();
    private static final List<Permission> READ = List.of(Permission.READ);
    private static final List<Permission> CREATE = List.of(Permission.CREATE);
    private static final List<Permission> MODIFY = List.of(Permission.MODIFY);
    private static final List<Permission> CANCEL = List.of(Permission.CANCEL);
    /** Files, proxies and leases belong to a submission, and may be changed later. */
    private static final List<Permission> WRITE = List.of(Permission.CREATE, Permission.MODIFY);

    /** What callers come by. */
    public enum Protocol {
        /** The SOAP service of jobs; operations as in its WSDL. */
        CREAM2,
        /** The SOAP service of delegations; likewise. */
        DELEGATION,
        /** ARC REST; a method, {@code GET info}, or {@code POST}, the resource and the action. */
        ARC,
        /** Files of jobs over HTTPS; methods. */
        FILES,
        /** What administrators read and set; methods. */
        ADMIN,
        /** Messages and live output of jobs; methods. */
        MESSAGES,
        /** State changes as they happen; methods. */
        EVENTS,
        /** Metrics, readiness and the dashboard for readers elsewhere; methods. */
        MONITORING
    }

    static {
        row(Protocol.CREAM2, NONE, "getServiceInfo");
        row(Protocol.CREAM2, READ, "JobStatus", "JobInfo", "JobList", "QueryEvent", "getLease", "getLeaseList");
        row(Protocol.CREAM2, CREATE, "JobRegister", "JobStart");
        row(Protocol.CREAM2, MODIFY, "JobSuspend", "JobResume", "JobSetLeaseId", "acceptNewJobSubmissions");
        row(Protocol.CREAM2, CANCEL, "JobCancel", "JobPurge");
        row(Protocol.CREAM2, WRITE, "setLease");
        row(Protocol.CREAM2, List.of(Permission.MODIFY, Permission.CANCEL), "deleteLease");

        row(Protocol.DELEGATION, NONE, "getVersion", "getInterfaceVersion", "getServiceMetadata");
        row(Protocol.DELEGATION, READ, "getTerminationTime");
        row(Protocol.DELEGATION, WRITE, "getProxyReq", "getNewProxyReq", "renewProxyReq", "putProxy");
        // It cancels jobs.
        row(Protocol.DELEGATION, CANCEL, "destroy");

        row(Protocol.ARC, NONE, "GET info");
        row(Protocol.ARC, CREATE, "POST jobs new");
        row(Protocol.ARC, CANCEL, "POST jobs kill", "POST jobs clean");
        row(Protocol.ARC, MODIFY, "POST jobs restart");
        row(Protocol.ARC, WRITE, "POST delegations new", "POST delegations renew", "POST delegations delete");
        row(Protocol.ARC, WRITE, "PUT", "DELETE");
        row(Protocol.ARC, READ, OTHERS);

        row(Protocol.FILES, READ, "GET", "HEAD");
        row(Protocol.FILES, WRITE, OTHERS);

        row(Protocol.ADMIN, READ, "GET", "HEAD");
        row(Protocol.ADMIN, MODIFY, OTHERS);

        row(Protocol.MESSAGES, READ, OTHERS);
        row(Protocol.EVENTS, READ, OTHERS);
        row(Protocol.MONITORING, READ, OTHERS);
    }

    private RequiredScopes() {}

    private static void row(Protocol protocol, List<Permission> any, String... operations) {
        Map<String, List<Permission>> rows = TABLE.computeIfAbsent(protocol, p -> new HashMap<>());
        for (String operation : operations) {
            rows.put(operation, any);
        }
    }

    /**
     * The caller of a request whose operation is its method.
     *
     * @throws org.gelato.ce.core.fault.ServiceException.NotAuthorized as of {@link CallerResolver#resolve}, and with the scope that
     *     is missing
     */
    public static Caller caller(CallerResolver callers, HttpServletRequest request, Protocol protocol) {
        Caller caller = callers.resolve(request);
        check(caller, protocol, request.getMethod());
        return caller;
    }

    /**
     * Refuses an operation that the caller's credential does not permit.
     *
     * @throws org.gelato.ce.core.fault.ServiceException.NotAuthorized with the scope that is missing
     * @throws IllegalStateException for an operation that is not in the table: nobody may do what no row permits
     */
    public static void check(Caller caller, Protocol protocol, String operation) {
        List<Permission> any = any(protocol, operation);
        if (!any.isEmpty()) {
            caller.require(any.toArray(Permission[]::new));
        }
    }

    /** Whether the caller's credential permits an operation; as {@link #check}. */
    public static boolean permits(Caller caller, Protocol protocol, String operation) {
        List<Permission> any = any(protocol, operation);
        return any.isEmpty() || any.stream().anyMatch(caller.identity()::permits);
    }

    private static List<Permission> any(Protocol protocol, String operation) {
        Map<String, List<Permission>> rows = TABLE.getOrDefault(protocol, Map.of());
        List<Permission> any = rows.getOrDefault(operation, rows.get(OTHERS));
        if (any == null) {
            throw new IllegalStateException(
                    operation + " of " + protocol + " is not in the table of scopes; add a row");
        }
        return any;
    }

    /** The operations of a protocol that are named in the table. */
    public static Set<String> operations(Protocol protocol) {
        return Set.copyOf(TABLE.getOrDefault(protocol, Map.of()).keySet());
    }
}
