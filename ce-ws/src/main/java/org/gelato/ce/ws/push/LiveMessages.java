package org.gelato.ce.ws.push;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.net.URI;
import org.gelato.ce.core.message.MessageFeed;
import org.gelato.ce.ws.http.HttpEndpoints;
import org.gelato.ce.ws.http.PerUserLimit;
import org.gelato.ce.ws.web.CallerResolver;

/** Messages of running jobs at {@code /messages} and {@code /jobs} of the web application. */
public final class LiveMessages implements ServletContextListener, AutoCloseable {
    private final CallerResolver callers;
    private final MessageFeed feed;
    private final MessageAccess access;
    private final MessageJson json;
    private final Followers<MessageSelection> followers;

    /** @param places of followers, shared with those who follow events */
    public LiveMessages(
            URI baseUrl, PerUserLimit limit, MessageFeed feed, MessageAccess access, CallerResolver callers) {
        this(baseUrl, limit, feed, access, callers, Followers.Bounds.USUAL);
    }

    LiveMessages(
            URI baseUrl,
            PerUserLimit limit,
            MessageFeed feed,
            MessageAccess access,
            CallerResolver callers,
            Followers.Bounds bounds) {
        this.callers = callers;
        this.feed = feed;
        this.access = access;
        json = new MessageJson(baseUrl.toString(), feed.databaseMade());
        followers = new Followers<>("messages", new FollowedMessages(feed, json), limit, bounds, System::nanoTime);
    }

    /** Registers what is counted. */
    public void meter(MeterRegistry meters) {
        Gauge.builder("ce.messages.followers", followers, Followers::size)
                .description("Clients that follow messages of jobs")
                .register(meters);
        FunctionCounter.builder("ce.messages.followers.cut", followers, Followers::cut)
                .description("Clients that followed messages and were cut because they took nothing")
                .register(meters);
    }

    /** This node has stored messages. Returns at once. */
    public void stored() {
        followers.signal();
    }

    /** The connections that follow messages. */
    Followers<MessageSelection> followers() {
        return followers;
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        HttpEndpoints.add(event.getServletContext(), "messages", servlet(), "/messages");
        HttpEndpoints.add(event.getServletContext(), "job-messages", servlet(), "/jobs/*");
    }

    private MessagesServlet servlet() {
        return new MessagesServlet(callers, feed, access, json, followers);
    }

    @Override
    public void close() {
        followers.close();
    }
}
