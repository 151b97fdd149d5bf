package org.gelato.ce.ws.push;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.Parameters;
import org.gelato.ce.ws.web.Refusal;
import org.gelato.ce.ws.web.RequiredScopes;

/**
 * {@code GET /events}: state changes as Server-Sent Events, without end. {@code from} is a cursor, exclusive: the id of the last
 * event that was received, 0 for all events; absent: what happens from now on. {@code Last-Event-ID} wins over it. {@code
 * scope=all} is for administrators: the events of all owners, with their names.
 */
final class EventsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final List<String> PARAMETERS = List.of("from", "scope");

    private final transient CallerResolver callers;
    private final transient EventFeed feed;
    private final transient Followers<Integer> followers;
    private final transient Consumer<String> requested;

    /** @param requested gets a text for the audit log when the jobs of all users are followed */
    EventsServlet(CallerResolver callers, EventFeed feed, Followers<Integer> followers, Consumer<String> requested) {
        this.callers = callers;
        this.feed = feed;
        this.followers = followers;
        this.requested = requested;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            if (!request.getMethod().equals("GET")) {
                response.setHeader("Allow", "GET");
                throw new Refusal(405, "only GET is possible here");
            }
            follow(request, response);
        } catch (RuntimeException e) {
            JsonResponse.refused(request, response, e);
        }
    }

    private void follow(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Caller caller = RequiredScopes.caller(callers, request, RequiredScopes.Protocol.EVENTS);
        boolean all = all(request);
        if (all && !caller.admin()) {
            throw new ServiceException.NotAuthorized(
                    "only administrators of this CE may follow the events of all users; leave scope=all out");
        }
        EventCursor cursor = EventCursor.of(request, "from");
        if (cursor != null && !cursor.isOf(feed.databaseMade())) {
            throw new Refusal(
                    410, "the CE has another database since this cursor: its events begin anew; begin with from=0");
        }
        followers.follow(request, response, caller.identity().subject(), () -> {
            int owner = all ? EventFeed.ALL_OWNERS : feed.owner(caller);
            long after = cursor == null ? feed.horizon() : cursor.id();
            if (all) {
                requested.accept("events of all users");
            }
            return new Followers.Start<>(owner, after);
        });
    }

    private static boolean all(HttpServletRequest request) {
        Parameters.only(request, PARAMETERS);
        String scope = Parameters.single(request, "scope");
        if (scope != null && !scope.equals("all") && !scope.equals("own")) {
            throw new IllegalArgumentException("scope is own or all");
        }
        return "all".equals(scope);
    }
}
