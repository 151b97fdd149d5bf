package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.sandbox.JobSandbox;
import org.gelato.ce.core.sandbox.Sandboxes;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.RequiredScopes;

/** Who requests a job's files: a wrapper by its job's token, or a user by the token or certificate of the request. */
final class SandboxClients {
    private static final String SCHEME = "Bearer ";

    private final Sandboxes sandboxes;
    private final CallerResolver callers;

    SandboxClients(Sandboxes sandboxes, CallerResolver callers) {
        this.sandboxes = sandboxes;
        this.callers = callers;
    }

    /**
     * A wrapper if it shows a token, else a user.
     *
     * @throws ServiceException.NotAuthorized also for the token of a job that has ended: a stolen one is worthless
     */
    JobSandbox either(HttpServletRequest request, JobId job) {
        Optional<String> token = token(request);
        if (token.isEmpty()) {
            return user(request, job);
        }
        JobSandbox sandbox = sandboxes.ofWrapper(job, token.get());
        if (sandbox.state().isFinal()) {
            throw new ServiceException.NotAuthorized("the job has ended, and its token with it");
        }
        return sandbox;
    }

    /**
     * A wrapper alone.
     *
     * @throws ServiceException.NotAuthorized without the job's token
     */
    JobSandbox wrapper(HttpServletRequest request, JobId job) {
        String token = token(request)
                .orElseThrow(() -> new ServiceException.NotAuthorized("only the job's wrapper may do this"));
        return sandboxes.ofWrapper(job, token);
    }

    /**
     * The job's owner alone.
     *
     * @throws ServiceException.NotAuthorized for an administrator
     */
    JobSandbox owner(HttpServletRequest request, JobId job) {
        JobSandbox sandbox = user(request, job);
        if (!sandbox.owned()) {
            throw new ServiceException.NotAuthorized("only the job's owner may do this");
        }
        return sandbox;
    }

    /**
     * A job of a caller who is known already.
     *
     * @throws ServiceException INVALID_ARGUMENT when there is none; foreign jobs read as unknown
     */
    JobSandbox of(Caller caller, JobId job) {
        return sandboxes.of(caller, job);
    }

    private JobSandbox user(HttpServletRequest request, JobId job) {
        return sandboxes.of(RequiredScopes.caller(callers, request, RequiredScopes.Protocol.FILES), job);
    }

    private static Optional<String> token(HttpServletRequest request) {
        return Optional.ofNullable(request.getHeader("Authorization"))
                .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .map(header -> header.substring(SCHEME.length()).strip())
                // What a wrapper shows has no dot, and a JWT has two.
                .filter(token -> token.indexOf('.') < 0);
    }
}
