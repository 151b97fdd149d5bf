package org.gelato.ce.ws.audit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.tomcat.util.threads.TaskThread;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.web.Authentication;
import org.gelato.ce.ws.web.RequestContext;

/**
 * Stands before the application log's appenders: what requests of clients that are not authorized write is one line each of bounded
 * length, without a stack trace, and so many lines of a logger a minute; what was left out is counted. All else passes as it is. Made
 * by {@code logback.xml}. Any thread.
 */
public final class StrangersLines extends UnsynchronizedAppenderBase<ILoggingEvent>
        implements AppenderAttachable<ILoggingEvent> {
    static final int LONGEST = 500;
    private static final int LONGEST_MESSAGE = 440;
    private static final int LONGEST_FAULT = 200;
    private static final int MAX_FRAMES = 3;
    private static final int MAX_CAUSES = 10;
    private static final String OURS = "org.gelato.";
    /** Works for callers that are known by then: their certificates or tokens are valid. */
    private static final String CORE = "org.gelato.ce.core.";
    /** Where connections are accepted and polled, by threads of its own. */
    private static final String CONNECTOR = "org.apache.tomcat.util.net.";

    private final AppenderAttachableImpl<ILoggingEvent> to = new AppenderAttachableImpl<>();
    private final RefusalLimit limit = new RefusalLimit();
    private final LongSupplier nanos;

    /** Called by logback. */
    public StrangersLines() {
        this(System::nanoTime);
    }

    /** @param nanos a clock that never goes back, in nanoseconds */
    StrangersLines(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    protected void append(ILoggingEvent event) {
        boolean ofStranger = isOfStranger(event.getLoggerName());
        boolean admitted;
        long leftOut;
        synchronized (limit) {
            leftOut = limit.ended(TimeUnit.NANOSECONDS.toMinutes(nanos.getAsLong()));
            admitted = !ofStranger || limit.admits(event.getLoggerName());
        }
        counted(leftOut);
        if (admitted) {
            to.appendLoopOnAppenders(ofStranger ? shortened(event) : event);
        }
    }

    private static boolean isOfStranger(String logger) {
        if (logger.startsWith(CORE)) {
            return false;
        }
        RequestContext request = RequestContext.current();
        return request == null
                ? Thread.currentThread() instanceof TaskThread || logger.startsWith(CONNECTOR)
                : !(request.authentication() instanceof Authentication.Accepted);
    }

    private void counted(long leftOut) {
        if (leftOut > 0) {
            to.appendLoopOnAppenders(line(
                    StrangersLines.class.getName(),
                    Level.WARN,
                    leftOut
                            + " lines about requests of clients that are not known to be authorized were left out in a minute: of one"
                            + " part " + RefusalLimit.OF_ADDRESS + " are written a minute"));
        }
    }

    private LoggingEvent shortened(ILoggingEvent event) {
        String text = Messages.line(event.getFormattedMessage(), LONGEST_MESSAGE);
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            text = Messages.line(text + ": " + fault(thrown), LONGEST);
        }
        LoggingEvent line = line(event.getLoggerName(), event.getLevel(), text);
        line.setMDCPropertyMap(event.getMDCPropertyMap());
        return line;
    }

    /** Its name, its message and where it was thrown, in the CE's own code if that is known. */
    private static String fault(IThrowableProxy thrown) {
        IThrowableProxy root = thrown;
        for (int i = 0; i < MAX_CAUSES && root.getCause() != null; i++) {
            root = root.getCause();
        }
        StackTraceElementProxy[] frames = root.getStackTraceElementProxyArray();
        StackTraceElementProxy[] own = Arrays.stream(frames)
                .filter(frame -> frame.getStackTraceElement().getClassName().startsWith(OURS))
                .toArray(StackTraceElementProxy[]::new);
        String where = Arrays.stream(own.length == 0 ? frames : own)
                .limit(MAX_FRAMES)
                .map(frame -> frame.getStackTraceElement().getFileName() + ":"
                        + frame.getStackTraceElement().getLineNumber())
                .collect(Collectors.joining(", "));
        String name = root.getClassName().substring(root.getClassName().lastIndexOf('.') + 1);
        return name + " " + Messages.line(root.getMessage(), LONGEST_FAULT) + (where.isEmpty() ? "" : " in " + where);
    }

    private LoggingEvent line(String logger, Level level, String text) {
        return new LoggingEvent(
                StrangersLines.class.getName(),
                ((LoggerContext) getContext()).getLogger(logger),
                level,
                text,
                null,
                null);
    }

    @Override
    public void stop() {
        synchronized (limit) {
            counted(limit.ended(Long.MAX_VALUE));
        }
        to.detachAndStopAllAppenders();
        super.stop();
    }

    @Override
    public void addAppender(Appender<ILoggingEvent> appender) {
        to.addAppender(appender);
    }

    @Override
    public Iterator<Appender<ILoggingEvent>> iteratorForAppenders() {
        return to.iteratorForAppenders();
    }

    @Override
    public Appender<ILoggingEvent> getAppender(String name) {
        return to.getAppender(name);
    }

    @Override
    public boolean isAttached(Appender<ILoggingEvent> appender) {
        return to.isAttached(appender);
    }

    @Override
    public void detachAndStopAllAppenders() {
        to.detachAndStopAllAppenders();
    }

    @Override
    public boolean detachAppender(Appender<ILoggingEvent> appender) {
        return to.detachAppender(appender);
    }

    @Override
    public boolean detachAppender(String name) {
        return to.detachAppender(name);
    }
}
