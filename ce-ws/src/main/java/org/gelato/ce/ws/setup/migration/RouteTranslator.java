package org.gelato.ce.ws.setup.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.setup.migration.MigratedRoute.Taken;
import org.gelato.ce.ws.setup.migration.Statement.Command;

/** Translates one route of HTCondor-CE; what has no like here is named. Used once. */
final class RouteTranslator {
    private static final String CONDOR = "condor";
    private static final String MEMORY = "default_maxmemory";
    private static final String CORES = "default_xcount";
    private static final String TIME = "default_maxwalltime";
    private static final Set<String> DEFAULTS = Set.of(MEMORY, CORES, TIME);
    private static final Set<String> GROUPS = Set.of("acctgroup", "accounting_group", "accountinggroup");
    /** Attributes that the CE or HTCondor sets for each job, by which jobs would not be what they are. */
    private static final Set<String> ENVIRONMENT = Set.of("env", "environment", "default_pilot_job_env");

    private static final Set<String> OF_EACH_JOB = Set.of(
            "args",
            "arguments",
            "cmd",
            "err",
            "gridresource",
            "hookkeyword",
            "in",
            "iwd",
            "jobuniverse",
            "out",
            "owner",
            "targetuniverse",
            "user",
            "x509userproxy");

    /** Batch systems by the names that {@code GridResource} has for them. */
    private static final Map<String, String> SYSTEMS = Map.of("slurm", "slurm", "pbs", "torque", CONDOR, CONDOR);

    private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9._-]");
    private static final Pattern CHANGES_ONE =
            Pattern.compile("(?:(?:evalset|delete|set|default) |eval_set_|delete_)([a-z_][a-z0-9_]*)(?:, below if)?");
    private static final int LONGEST_NAME = 60;
    private static final String USELESS = "not needed: ";
    private static final String LATER = USELESS + "a later one counts";
    private static final String LEFT = "not taken over: ";

    private final OldRoute old;
    private final String kind;
    private final MigrationReport report;
    private final List<Statement> amounts = new ArrayList<>();

    private RouteTranslator(OldRoute old, String kind, MigrationReport report) {
        this.old = old;
        this.kind = kind;
        this.report = report;
    }

    /** Empty where it cannot be written without being for other jobs than it was. */
    static Optional<MigratedRoute> translate(OldRoute old, String kind, MigrationReport report) {
        return new RouteTranslator(old, kind, report).translate();
    }

    private Optional<MigratedRoute> translate() {
        String system = elsewhere();
        if (system != null) {
            add(old.place(), "", "not written: its jobs go to " + Messages.line(system, 60) + ", this CE has " + kind);
            return Optional.empty();
        }
        Map<String, Object> match = Map.of();
        for (Statement statement : old.statements()) {
            if (statement.command() == Command.REQUIREMENTS) {
                try {
                    match = RouteRequirements.match(statement.value(), old.transform());
                } catch (IllegalArgumentException e) {
                    add(statement, "the route is not written, as it would be for other jobs: " + e.getMessage());
                    return Optional.empty();
                }
                add(statement, shown(match));
            }
        }
        MigratedRoute route = new MigratedRoute(old.place(), name(old.name()), match);
        old.statements().forEach(statement -> take(route, statement));
        amounts(route);
        return Optional.of(route);
    }

    private static String shown(Map<String, Object> match) {
        return match.isEmpty()
                ? "it holds for all jobs"
                : match.entrySet().stream()
                        .map(condition -> "match." + condition.getKey() + " = " + condition.getValue())
                        .collect(Collectors.joining(", "));
    }

    /** The name that a route has here. */
    static String name(String old) {
        String name = NO_NAME.matcher(old).replaceAll("-");
        while (name.startsWith("-") || name.startsWith("_") || name.startsWith(".")) {
            name = name.substring(1);
        }
        return name.isEmpty() ? "route" : name.substring(0, Math.min(name.length(), LONGEST_NAME));
    }

    /** The other batch system that it is for; null for this one's. */
    private String elsewhere() {
        String universe = "";
        String resource = "";
        for (Statement statement : old.statements()) {
            if (statement.command() == Command.UNIVERSE) {
                universe = CondorLiteral.text(statement.value()).toLowerCase(Locale.ROOT);
            } else if ((statement.command() == Command.VALUE || statement.command() == Command.SET)
                    && statement.name().equalsIgnoreCase("GridResource")) {
                resource = CondorLiteral.text(statement.value()).toLowerCase(Locale.ROOT);
            }
        }
        if (universe.equals("5") || universe.equals("vanilla")) {
            return kind.equals(CONDOR) ? null : "HTCondor";
        }
        if (!universe.isEmpty() && !universe.equals("9") && !universe.equals("grid")) {
            return "the universe " + universe;
        }
        String[] words = resource.split("\\s+");
        if (resource.isEmpty() || (words.length == 2 && words[0].equals("batch") && isHere(words[1]))) {
            return null;
        }
        return resource;
    }

    private boolean isHere(String system) {
        return kind.equals("blahp") || kind.equals(SYSTEMS.get(system));
    }

    private void take(MigratedRoute route, Statement statement) {
        String plain = statement.name().toLowerCase(Locale.ROOT);
        switch (statement.command()) {
            case REQUIREMENTS -> {}
            case NAME, UNIVERSE -> {
                if (statement.command() == Command.UNIVERSE) {
                    add(statement, USELESS + "one CE has one batch system");
                }
            }
            case SET -> set(route, statement, plain);
            case DEFAULT -> {
                if (DEFAULTS.contains("default_" + plain)) {
                    amounts.add(statement);
                } else {
                    add(statement, LEFT + "defaults are of cores, memory and wall-time alone");
                }
            }
            case VALUE -> value(route, statement, plain);
            case OTHER -> {
                changed(route, plain);
                add(statement, LEFT + "it depends on the job; the site's script can do it (submit-attributes)");
            }
        }
    }

    /** What is computed, deleted, renamed or copied over is not what was set before; where it is not known which, all may be. */
    private void changed(MigratedRoute route, String plain) {
        Matcher one = CHANGES_ONE.matcher(plain);
        if (one.matches()) {
            drop(route, target(one.group(1)));
        } else if (!plain.startsWith("if") && !plain.startsWith("el") && !plain.startsWith("endif")) {
            List.copyOf(route.values().keySet()).stream()
                    .filter(key -> key.get(0).equals("set"))
                    .forEach(key -> drop(route, key));
        }
    }

    private void drop(MigratedRoute route, List<String> key) {
        route.remove(key)
                .forEach(taken -> report.add(taken.place(), taken.from(), LEFT + "a later statement may change it"));
    }

    /** The key here of an attribute that is set there. */
    private static List<String> target(String plain) {
        return plain.equals("requirements")
                ? List.of("set", "constraint")
                : GROUPS.contains(plain) ? List.of("set", "accounting-group") : attribute(plain);
    }

    private static List<String> attribute(String name) {
        return List.of("set", "attributes", name);
    }

    private void set(MigratedRoute route, Statement statement, String plain) {
        Object literal = CondorLiteral.of(statement.value());
        if (DEFAULTS.contains(plain)) {
            amounts.add(statement);
            return;
        }
        if (plain.equals("requirements") ? !isConstraint(statement) : literal == null) {
            drop(route, target(plain));
        }
        if (ENVIRONMENT.contains(plain)) {
            add(statement, LEFT + "write environment { NAME = VALUE } in the route");
        } else if (plain.startsWith("default_")) {
            add(statement, LEFT + "there is no such default");
        } else if (plain.equals("requirements")) {
            constraint(route, statement);
        } else if (plain.equals("accountinggroup")) {
            add(statement, LEFT + "it has group and user: write accounting-group in set, of the group alone");
        } else if (GROUPS.contains(plain)) {
            if (literal instanceof String) {
                put(route, statement, List.of("set", "accounting-group"), literal);
            } else {
                add(statement, LEFT + "it is no text, but an expression");
            }
        } else if (OF_EACH_JOB.contains(plain)) {
            add(statement, LEFT + "the CE sets it for each job");
        } else if (literal == null) {
            add(statement, LEFT + "it is no text, number, true or false, but an expression");
        } else if (kind.equals(CONDOR)) {
            put(route, statement, attribute(statement.name()), literal);
        } else {
            add(statement, LEFT + "an attribute of HTCondor's, this CE has " + kind);
        }
    }

    private static boolean isConstraint(Statement statement) {
        return !statement.value().contains("$") && !statement.value().isEmpty();
    }

    private void constraint(MigratedRoute route, Statement statement) {
        if (!kind.equals(CONDOR)) {
            add(statement, LEFT + "an expression of HTCondor's, this CE has " + kind);
        } else if (!isConstraint(statement)) {
            add(statement, LEFT + "it has a macro: write set.constraint with its value");
        } else {
            put(route, statement, List.of("set", "constraint"), statement.value());
        }
    }

    private void value(MigratedRoute route, Statement statement, String plain) {
        if (DEFAULTS.contains(plain)) {
            amounts.add(statement);
            return;
        }
        switch (plain) {
            case "maxidlejobs" -> whole(route, statement, List.of("limits", "queued"));
            case "maxjobs" -> add(statement, LEFT + "gelato.admission.active-jobs is the limit of all jobs together");
            case "gridresource" -> add(statement, USELESS + "one CE has one batch system");
            default -> add(statement, LEFT + "there is nothing like it");
        }
    }

    private void whole(MigratedRoute route, Statement statement, List<String> key) {
        if (CondorLiteral.of(statement.value()) instanceof Integer number) {
            put(route, statement, key, number);
        } else {
            add(statement, LEFT + "it is no whole number");
        }
    }

    /** Cores before memory, which HTCondor-CE has of the whole job. */
    private void amounts(MigratedRoute route) {
        Statement cores = last(CORES);
        Statement memory = last(MEMORY);
        Statement time = last(TIME);
        Integer count = number(cores);
        Integer mebibytes = number(memory);
        Integer minutes = number(time);
        if (count != null) {
            put(route, cores, List.of("defaults", "cores"), count);
        }
        if (mebibytes != null && count != null) {
            put(route, memory, List.of("defaults", "memory"), (mebibytes + count - 1) / count + " MiB");
        } else if (mebibytes != null) {
            add(
                    memory,
                    LEFT
                            + "it is of the whole job, defaults.memory of a core, and there is no default_xcount to divide by");
        }
        if (minutes != null) {
            put(route, time, List.of("defaults", "wall-time"), minutes + " minutes");
        }
    }

    private Statement last(String name) {
        Statement last = null;
        for (Statement statement : amounts) {
            String plain = statement.name().toLowerCase(Locale.ROOT);
            if (plain.equals(name) || name.equals("default_" + plain)) {
                if (last != null) {
                    add(last, LATER);
                }
                last = statement;
            }
        }
        return last;
    }

    private Integer number(Statement statement) {
        if (statement == null) {
            return null;
        }
        if (CondorLiteral.of(statement.value()) instanceof Integer number && number > 0) {
            return number;
        }
        add(statement, LEFT + "it is no whole number above 0");
        return null;
    }

    private void put(MigratedRoute route, Statement statement, List<String> key, Object value) {
        List<Taken> before = route.put(key, new Taken(value, statement.place(), what(statement.shown())));
        before.forEach(taken -> report.add(taken.place(), taken.from(), LATER));
    }

    private void add(Statement statement, String fate) {
        add(statement.place(), statement.shown(), fate);
    }

    private void add(SourcePlace place, String what, String fate) {
        report.add(place, what(what), fate);
    }

    private String what(String what) {
        return "route " + Messages.line(old.name(), LONGEST_NAME) + (what.isEmpty() ? "" : ", " + what);
    }
}
