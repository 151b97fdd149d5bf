package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** The jobs of one owner, as its clients remember them together. Thread-safe. */
final class Portfolio {
    private static final int RECENT = 5;

    private final List<String> all = new ArrayList<>();
    private final Set<String> registered = new HashSet<>();
    private final Set<String> started = new HashSet<>();
    private final Set<String> purged = new HashSet<>();
    private final Set<String> cancelled = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final Set<String> leashed = new HashSet<>();

    /** What was answered of one job. */
    synchronized void note(Operation operation, String job, Answer answer) {
        switch (answer.kind()) {
            case DONE -> confirmed(operation, job);
            case UNKNOWN_JOB -> ended.add(job);
            case STATE -> {
                if (answer.isFinal()) {
                    ended.add(job);
                }
            }
            default -> {
                // it leaves what is known
            }
        }
    }

    private void confirmed(Operation operation, String job) {
        switch (operation) {
            case REGISTER -> {
                all.add(job);
                registered.add(job);
            }
            case SUBMIT -> {
                all.add(job);
                started.add(job);
            }
            case START -> {
                registered.remove(job);
                started.add(job);
            }
            case CANCEL, KILL -> {
                registered.remove(job);
                cancelled.add(job);
            }
            case PURGE, CLEAN -> purged.add(job);
            default -> {
                // no command that decides about the job
            }
        }
    }

    synchronized int size() {
        return all.size();
    }

    synchronized List<String> all() {
        return List.copyOf(all);
    }

    synchronized boolean wasStarted(String job) {
        return started.contains(job);
    }

    synchronized boolean wasPurged(String job) {
        return purged.contains(job);
    }

    /** The end of its lease is what ends the job, and nobody renews it. */
    synchronized void leash(String job) {
        leashed.add(job);
    }

    /** It may get another lease, or none. */
    synchronized void unleash(String job) {
        leashed.remove(job);
    }

    synchronized boolean isLeashed(String job) {
        return leashed.contains(job);
    }

    /** One of the last jobs that send messages; else as {@link #choose}. */
    synchronized String talking(Predicate<String> talks, SplittableRandom random) {
        List<String> fitting = all.stream()
                .filter(job -> talks.test(job) && !purged.contains(job))
                .toList();
        int from = Math.max(0, fitting.size() - RECENT);
        return fitting.isEmpty()
                ? choose(Operation.MESSAGES, random)
                : fitting.get(from + random.nextInt(fitting.size() - from));
    }

    /** A job that fits the operation, mostly; null where there is none at all. */
    synchronized String choose(Operation operation, SplittableRandom random) {
        List<String> fitting = all.stream().filter(job -> fits(operation, job)).toList();
        boolean any = fitting.isEmpty() || random.nextInt(6) == 0;
        List<String> among = any ? all : fitting;
        return among.isEmpty() ? null : among.get(random.nextInt(among.size()));
    }

    private boolean fits(Operation operation, String job) {
        return switch (operation) {
            case START -> registered.contains(job);
            case PURGE -> ended.contains(job) && !purged.contains(job);
            case CLEAN -> (ended.contains(job) || cancelled.contains(job)) && !purged.contains(job);
            case CANCEL, KILL, SUSPEND, ATTACH, DETACH -> !ended.contains(job) && !cancelled.contains(job);
            default -> !purged.contains(job);
        };
    }
}
