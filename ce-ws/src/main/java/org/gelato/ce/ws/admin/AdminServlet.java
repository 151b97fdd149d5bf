package org.gelato.ce.ws.admin;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.RequiredScopes;

/** A JSON value for administrators of this CE, and a JSON error for everybody else. */
abstract class AdminServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final String CERTIFICATE = "jakarta.servlet.request.X509Certificate";

    /** Root on this host or the CE's account, which need no mapping: nothing is done as the account. */
    private static final Caller ROOT = new Caller(
            new GridIdentity("CN=root on the CE's host", List.of(), null, false, Instant.MAX, List.of()),
            System.getProperty("user.name"),
            true);

    private final transient CallerResolver callers;
    private final String subject;

    /** @param subject what is requested, for messages: {@code only administrators of this CE may request SUBJECT} */
    AdminServlet(CallerResolver callers, String subject) {
        this.callers = callers;
        this.subject = subject;
    }

    /**
     * What an administrator's request returns: a collection, map, record or text.
     *
     * @throws IllegalArgumentException for invalid parameters, with a text for the administrator
     */
    abstract Object answer(HttpServletRequest request);

    /** As {@link #answer(HttpServletRequest)}, for what depends on the caller. */
    Object answer(Caller caller, HttpServletRequest request) {
        return answer(request);
    }

    /** Whether those who are no administrators may request it too, and get what is theirs. */
    boolean forEverybody() {
        return false;
    }

    /**
     * Whether it is shown to this request without credentials, as whoever is on this host may see it elsewhere as well. Who says
     * who he is gets what is his.
     */
    boolean isOpenTo(HttpServletRequest request) {
        return false;
    }

    /** Whether it is done whatever the credentials, as root on this host requests it. */
    boolean isOfRoot(HttpServletRequest request) {
        return false;
    }

    /** The methods that have a meaning here: GET, and those whose method below is overridden. */
    List<String> methods() {
        return List.of("GET");
    }

    /** What setting something returns, by PUT; as {@link #answer(HttpServletRequest)}. */
    Object set(Caller caller, HttpServletRequest request) {
        throw new IllegalStateException(getClass() + " sets nothing");
    }

    /** What ending something returns, by DELETE; as {@link #set}. */
    Object end(Caller caller, HttpServletRequest request) {
        throw new IllegalStateException(getClass() + " ends nothing");
    }

    @Override
    protected final void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String method = request.getMethod();
        if (methods().contains(method) || method.equals("HEAD")) {
            super.service(request, response);
        } else {
            JsonResponse.notAllowed(response, method, methods());
        }
    }

    private interface Act {
        Object of(Caller caller, HttpServletRequest request);
    }

    @Override
    protected final void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        serve(request, response, this::answer);
    }

    // PUT and DELETE: a page in an administrator's browser cannot send them without the CE's consent.
    @Override
    protected final void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        serve(request, response, this::set);
    }

    @Override
    protected final void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        serve(request, response, this::end);
    }

    private void serve(HttpServletRequest request, HttpServletResponse response, Act act) throws IOException {
        try {
            if (request.getMethod().equals("GET") && isAnonymous(request) && isOpenTo(request)) {
                JsonResponse.send(response, HttpServletResponse.SC_OK, answer(request));
                return;
            }
            if (isOfRoot(request)) {
                JsonResponse.send(response, HttpServletResponse.SC_OK, act.of(ROOT, request));
                return;
            }
            Caller caller = RequiredScopes.caller(callers, request, RequiredScopes.Protocol.ADMIN);
            if (!forEverybody()) {
                caller.requireAdministrator("request " + subject);
            }
            JsonResponse.send(response, HttpServletResponse.SC_OK, act.of(caller, request));
        } catch (UncheckedIOException e) {
            // Of this host's files, such as a full disk: the administrator is who can help.
            String words = Messages.of(e) + "; correct that on the CE's host and repeat the command";
            JsonResponse.refused(request, response, ServiceException.internal(words, e));
        } catch (RuntimeException e) {
            JsonResponse.refused(request, response, e);
        }
    }

    /** Whether a request shows no credentials. */
    static boolean isAnonymous(HttpServletRequest request) {
        return request.getAttribute(CERTIFICATE) == null && request.getHeader("Authorization") == null;
    }
}
