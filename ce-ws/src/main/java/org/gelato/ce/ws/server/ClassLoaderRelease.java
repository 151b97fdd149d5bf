package org.gelato.ce.ws.server;

import com.mysql.cj.jdbc.AbandonedConnectionCleanupThread;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.ws.tls.CanlTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back what libraries handed to a JVM that outlives the application, so that an application deployed anew does not
 * keep the old one in memory. Called by the container's thread, before the first part is opened and after the last is
 * closed; only where the class loader is the application's own.
 */
public final class ClassLoaderRelease {
    private static final Logger log = LoggerFactory.getLogger(ClassLoaderRelease.class);
    private static final Duration THREADS_END = Duration.ofSeconds(5);

    private final ClassLoader ours;

    /** @param ours ends with the application */
    public ClassLoaderRelease(ClassLoader ours) {
        this.ours = ours;
    }

    /** The JDK keeps one thread for the timeouts of futures for ever, with the class loader of its first caller. */
    public void prepare() {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        current.setContextClassLoader(ClassLoader.getSystemClassLoader());
        try {
            new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.MILLISECONDS);
        } finally {
            current.setContextClassLoader(before);
        }
    }

    public void release() {
        for (Driver driver : Collections.list(DriverManager.getDrivers())) {
            if (driver.getClass().getClassLoader() == ours) {
                try {
                    DriverManager.deregisterDriver(driver);
                } catch (SQLException e) {
                    log.warn("Cannot release the database driver: {}", e.getMessage());
                }
            }
        }
        AbandonedConnectionCleanupThread.checkedShutdown();
        CanlTimer.end();
        awaitThreads();
    }

    /** Threads that were interrupted may still be ending. */
    private void awaitThreads() {
        long deadline = System.nanoTime() + THREADS_END.toNanos();
        try {
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left > 0 && thread != Thread.currentThread() && isOurs(thread)) {
                    thread.join(left);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Not the JDK's own, which starts the helper, carries our class loader too, and ends after an idle minute. */
    private boolean isOurs(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group != null && group.getParent() != null && thread.getContextClassLoader() == ours;
    }
}
