package org.gelato.ce.ws.push;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageFeed;
import org.gelato.ce.ws.http.JsonResponse;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.Parameters;
import org.gelato.ce.ws.web.Refusal;
import org.gelato.ce.ws.web.RequiredScopes;

/**
 * {@code GET /jobs/ID/messages} and {@code GET /messages}: a page as JSON, or Server-Sent Events where the client accepts {@code
 * text/event-stream}; {@code POST /jobs/ID/live-output} asks for the live output of a job. docs/user/live.md has parameters and
 * responses.
 */
final class MessagesServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final List<String> OF_ALL = List.of("after", "limit", "key", "level", "output");
    private static final List<String> OF_JOB = with(OF_ALL, "latest");
    private static final List<String> OF_OWNER = with(OF_ALL, "job", "scope");
    private static final Pattern PATH = Pattern.compile("/(CREAM[0-9]{9})/(messages|live-output)");
    private static final int USUAL_LIMIT = 100;
    private static final int MAX = 1000;
    private static final int MAX_JOBS = 100;
    private static final int MAX_BYTES = 512 << 10;
    /** Rows per statement, and statements per request: a filter that takes little looks over so many. */
    private static final int ROWS = 250;

    private static final int MAX_READS = 20;

    private final transient CallerResolver callers;
    private final transient MessageFeed feed;
    private final transient MessageAccess access;
    private final transient MessageJson json;
    private final transient Followers<MessageSelection> followers;

    MessagesServlet(
            CallerResolver callers,
            MessageFeed feed,
            MessageAccess access,
            MessageJson json,
            Followers<MessageSelection> followers) {
        this.callers = callers;
        this.feed = feed;
        this.access = access;
        this.json = json;
        this.followers = followers;
    }

    private static List<String> with(List<String> names, String... more) {
        List<String> all = new ArrayList<>(names);
        all.addAll(List.of(more));
        return List.copyOf(all);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            serve(request, response);
        } catch (RuntimeException e) {
            JsonResponse.refused(request, response, e);
        }
    }

    private void serve(HttpServletRequest request, HttpServletResponse response) throws IOException {
        JobId job = null;
        boolean liveOutput = false;
        if (request.getPathInfo() != null) {
            Matcher path = PATH.matcher(request.getPathInfo());
            if (!path.matches()) {
                throw new Refusal(
                        404,
                        "there is nothing here: /jobs/ID/messages and /jobs/ID/live-output are there, and ID is CREAM and"
                                + " nine digits");
            }
            job = JobId.parse(path.group(1)).orElseThrow();
            liveOutput = path.group(2).equals("live-output");
        }
        String method = liveOutput ? "POST" : "GET";
        if (!request.getMethod().equals(method)) {
            response.setHeader("Allow", method);
            throw new Refusal(405, "only " + method + " is possible here");
        }
        Caller caller = RequiredScopes.caller(callers, request, RequiredScopes.Protocol.MESSAGES);
        if (liveOutput) {
            wantOutput(caller, job, response);
        } else {
            read(request, response, caller, job);
        }
    }

    private void wantOutput(Caller caller, JobId job, HttpServletResponse response) throws IOException {
        access.standings(caller, List.of(job));
        if (!feed.wantOutput(job)) {
            throw new Refusal(409, "the job has ended: its output is in its files, and messages are read without this");
        }
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    /** @param job of the path; null where it has none */
    private void read(HttpServletRequest request, HttpServletResponse response, Caller caller, JobId job)
            throws IOException {
        Parameters.only(request, job == null ? OF_OWNER : OF_JOB);
        Set<JobId> jobs = job == null ? named(request) : Set.of(job);
        String scope = Parameters.single(request, "scope");
        if (!jobs.isEmpty() && scope != null) {
            throw new IllegalArgumentException("scope and job exclude each other");
        }
        MessageFilter filter = MessageFilter.of(
                all(request, "key"), Parameters.single(request, "level"), flag(request, "output", job != null));
        boolean latest = flag(request, "latest", false);
        int limit = limit(request);
        EventCursor cursor = EventCursor.of(request, "after");
        if (cursor != null && !cursor.isOf(feed.databaseMade())) {
            throw new Refusal(
                    410, "the CE has another database since this cursor: its messages begin anew; begin with after=0");
        }
        // Before the messages are read: what is complete here has no later ones.
        Map<JobId, MessageFeed.Standing> standings = jobs.isEmpty() ? Map.of() : access.standings(caller, jobs);
        MessageSelection selection = jobs.isEmpty()
                ? access.selection(caller, scope, filter)
                : new MessageSelection(
                        new MessageFeed.Scope.Jobs(Set.copyOf(jobs)),
                        filter,
                        standings.values().stream()
                                .map(MessageFeed.Standing::owner)
                                .collect(Collectors.toUnmodifiableSet()));
        String accept = request.getHeader("Accept");
        if (accept != null && accept.toLowerCase(Locale.ROOT).contains("text/event-stream")) {
            if (latest) {
                throw new IllegalArgumentException("latest=true is for JSON");
            }
            followers.follow(
                    request,
                    response,
                    caller.identity().subject(),
                    () -> new Followers.Start<>(
                            selection, cursor != null ? cursor.id() : jobs.isEmpty() ? feed.last() : 0));
            return;
        }
        ObjectNode answer = MessageJson.object();
        if (latest) {
            latest(answer, job, filter);
        } else {
            page(answer, selection, cursor == null ? 0 : cursor.id(), limit);
        }
        if (job != null) {
            json.standing(answer, job, standings.get(job));
        } else if (!jobs.isEmpty()) {
            ArrayNode array = answer.putArray("jobs");
            standings.forEach((id, standing) -> json.standing(array.addObject(), id, standing));
        }
        JsonResponse.send(response, HttpServletResponse.SC_OK, answer);
    }

    private void page(ObjectNode response, MessageSelection selection, long after, int limit) {
        ArrayNode array = response.putArray("messages");
        long to = feed.last();
        long next = Math.min(after, to);
        int bytes = 0;
        for (int read = 0; next < to && read < MAX_READS && array.size() < limit && bytes < MAX_BYTES; read++) {
            int rows = selection.filter().takesAll() ? Math.min(ROWS, limit) : ROWS;
            List<Message> messages = feed.after(selection.scope(), next, to, rows);
            boolean all = messages.size() < rows;
            for (Message message : messages) {
                if (array.size() >= limit || bytes >= MAX_BYTES) {
                    all = false;
                    break;
                }
                if (selection.filter().takes(message)) {
                    array.add(json.object(message));
                    bytes += message.content().length;
                }
                next = message.id();
            }
            next = all ? to : next;
        }
        response.put("next", json.cursor(next)).put("more", next < to);
    }

    private void latest(ObjectNode response, JobId job, MessageFilter filter) {
        long to = feed.last();
        ArrayNode array = response.putArray("messages");
        feed.latest(job).stream().filter(filter::takes).forEach(m -> array.add(json.object(m)));
        response.put("next", json.cursor(to)).put("more", false);
    }

    private static Set<JobId> named(HttpServletRequest request) {
        Set<JobId> jobs = new LinkedHashSet<>();
        for (String text : all(request, "job")) {
            jobs.add(JobId.parse(text)
                    .orElseThrow(() -> new IllegalArgumentException("job is CREAM and nine digits, or a full job id")));
        }
        if (jobs.size() > MAX_JOBS) {
            throw new IllegalArgumentException(
                    "more than " + MAX_JOBS + " jobs: follow scope=own, or make two requests");
        }
        return jobs;
    }

    private static List<String> all(HttpServletRequest request, String name) {
        String[] values = request.getParameterValues(name);
        return values == null ? List.of() : List.of(values);
    }

    private static boolean flag(HttpServletRequest request, String name, boolean otherwise) {
        String value = Parameters.single(request, name);
        if (value == null) {
            return otherwise;
        }
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(name + " is true or false");
        }
        return value.equals("true");
    }

    private static int limit(HttpServletRequest request) {
        String value = Parameters.single(request, "limit");
        if (value == null) {
            return USUAL_LIMIT;
        }
        if (!value.matches("[0-9]{1,4}") || Integer.parseInt(value) < 1 || Integer.parseInt(value) > MAX) {
            throw new IllegalArgumentException("limit is 1 to " + MAX);
        }
        return Integer.parseInt(value);
    }
}
