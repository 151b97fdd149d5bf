package org.gelato.ce.core.job;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * SQL that names states. A state such as <code>{IDLE}</code> or <code>{command.QUEUED}</code> becomes its code, a set such as
 * <code>{NOT_ENDED}</code> the list of its codes in parentheses.
 */
public final class StateSql {
    private static final Pattern NAME = Pattern.compile("\\{([\\w.]+)}");
    private static final Map<String, String> VALUES = values();

    private StateSql() {}

    /**
     * The statement with codes in place of the names.
     *
     * @throws IllegalArgumentException for a name that is none
     */
    public static String of(String text) {
        return NAME.matcher(text).replaceAll(name -> {
            String value = VALUES.get(name.group(1));
            if (value == null) {
                throw new IllegalArgumentException("no state or set of states has the name " + name.group(1));
            }
            return value;
        });
    }

    private static Map<String, String> values() {
        Map<String, String> values = new HashMap<>();
        for (JobState state : JobState.values()) {
            values.put(state.name(), Integer.toString(state.code()));
        }
        for (CommandState state : CommandState.values()) {
            values.put("command." + state.name(), Integer.toString(state.code()));
        }
        Set<JobState> notEnded = EnumSet.complementOf(EnumSet.copyOf(JobState.FINAL));
        Set<JobState> active = EnumSet.copyOf(notEnded);
        active.remove(JobState.REGISTERED);
        Set<JobState> purgeable = EnumSet.copyOf(JobState.FINAL);
        purgeable.add(JobState.REGISTERED);
        values.put("NOT_ENDED", jobs(notEnded));
        values.put("ACTIVE", jobs(active));
        values.put("ENDED", jobs(JobState.FINAL));
        values.put("PURGEABLE", jobs(purgeable));
        values.put("DONE", jobs(List.of(JobState.DONE_OK, JobState.DONE_FAILED)));
        values.put("IN_LRMS", jobs(JobState.IN_LRMS));
        values.put("WAITING", jobs(JobState.WAITING));
        values.put("NOT_HANDED_OVER", jobs(List.of(JobState.REGISTERED, JobState.PENDING)));
        values.put("command.WAITING", commands(CommandState.CREATED, CommandState.QUEUED));
        values.put("command.OPEN", commands(CommandState.CREATED, CommandState.QUEUED, CommandState.PROCESSING));
        return Map.copyOf(values);
    }

    private static String jobs(Collection<JobState> states) {
        return list(states.stream().map(JobState::code).toList());
    }

    private static String commands(CommandState... states) {
        return list(Arrays.stream(states).map(CommandState::code).toList());
    }

    private static String list(List<Integer> codes) {
        return codes.stream().sorted().map(String::valueOf).collect(Collectors.joining(", ", "(", ")"));
    }
}
