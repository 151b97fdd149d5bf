package org.gelato.ce.core.authorization;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.TokenGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The grid-mapfile, the ban file and the lists of administrators as they are in force. Readers never wait; {@link #refresh} is for the
 * scheduler.
 */
final class AuthorizationFiles {
    private static final Logger log = LoggerFactory.getLogger(GridmapAuthorizer.class);

    private final WatchedFile<Gridmap> gridmap;
    private final WatchedFile<DnList> banned;
    private final WatchedFile<DnList> admins;
    private final WatchedFile<VoAdministrators> voAdmins;

    /** @throws IllegalArgumentException when the grid-mapfile is absent or one of the files can't be used */
    AuthorizationFiles(GridmapConfig config, Predicate<String> superuser) {
        gridmap = new WatchedFile<>(config.gridmap(), null, text -> {
            Gridmap map = Gridmap.parse(text, superuser, config.gridmapdir() != null);
            map.complaints().forEach(c -> log.error("{}: {}; this entry is left out", config.gridmap(), c));
            log.info(
                    "{}: {} DNs, {} FQAN patterns and {} lines for tokens",
                    config.gridmap(),
                    map.byDn().size(),
                    map.rules().size(),
                    map.tokens().size());
            return map;
        });
        banned = new WatchedFile<>(config.banList(), DnList.EMPTY, text -> DnList.parse(text, true));
        admins = new WatchedFile<>(config.adminList(), DnList.EMPTY, text -> DnList.parse(text, false));
        voAdmins = new WatchedFile<>(config.voAdminList(), VoAdministrators.NONE, VoAdministrators::parse);
    }

    /** What is wrong with the files as they are now, one text each with the file's path; nothing is logged. */
    static List<String> problems(GridmapConfig config, Predicate<String> superuser) {
        List<String> problems = new ArrayList<>();
        read(config.gridmap(), null, problems, text -> {
            Gridmap map = Gridmap.parse(text, superuser, config.gridmapdir() != null);
            map.complaints().forEach(c -> problems.add(config.gridmap() + ": " + c));
            return DnList.EMPTY;
        });
        read(config.banList(), DnList.EMPTY, problems, text -> DnList.parse(text, true));
        read(config.adminList(), DnList.EMPTY, problems, text -> DnList.parse(text, false));
        read(config.voAdminList(), VoAdministrators.NONE, problems, VoAdministrators::parse);
        return problems;
    }

    /** The accounts the files name, each with where; see {@link GridmapAuthorizer#accounts}. */
    static Map<String, String> accounts(GridmapConfig config, Predicate<String> superuser) {
        Map<String, String> accounts = new TreeMap<>();
        Set<String> pools = new TreeSet<>();
        for (MappingLine line : lines(gridmap(config, superuser))) {
            if (line.pool()) {
                pools.add(line.target());
            } else {
                accounts.putIfAbsent(line.target(), config.gridmap() + " line " + line.number());
            }
        }
        if (!pools.isEmpty()) {
            try {
                PoolMappings.read(config.gridmapdir(), Instant.now()).accounts().values().stream()
                        .filter(a -> pools.contains(a.replaceAll("[0-9]+$", "")))
                        .forEach(
                                a -> accounts.putIfAbsent(a, config.gridmapdir().toString()));
            } catch (IOException e) {
                log.debug("{} cannot be read: {}", config.gridmapdir(), e.getMessage());
            }
        }
        return accounts;
    }

    /** See {@link GridmapAuthorizer#vos}. */
    static Set<String> vos(GridmapConfig config, Predicate<String> superuser) {
        return vosOf(gridmap(config, superuser)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** See {@link GridmapAuthorizer#allVos}. */
    static Set<String> allVos(GridmapConfig config, Predicate<String> superuser) {
        Gridmap map = gridmap(config, superuser);
        Stream<String> ofTokens = map.tokens().stream()
                .map(line -> line.rule().group())
                .filter(Objects::nonNull)
                .map(TokenGroup::vo);
        return Stream.concat(vosOf(map), ofTokens).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> vosOf(Gridmap map) {
        return map.rules().stream()
                .map(rule -> rule.pattern().text().split("/", 3)[1])
                .filter(vo -> vo.matches("[A-Za-z0-9_.-]+"));
    }

    private static List<MappingLine> lines(Gridmap map) {
        return Stream.of(
                        map.byDn().values().stream(),
                        map.rules().stream().map(FqanRule::line),
                        map.tokens().stream().filter(t -> t.person() == null).map(Gridmap.TokenLine::line))
                .flatMap(lines -> lines)
                .sorted(Comparator.comparingInt(MappingLine::number))
                .toList();
    }

    private static Gridmap gridmap(GridmapConfig config, Predicate<String> superuser) {
        try {
            boolean pools = config.gridmapdir() != null;
            return new WatchedFile<>(config.gridmap(), null, text -> Gridmap.parse(text, superuser, pools)).current();
        } catch (IllegalArgumentException e) {
            return new Gridmap(Map.of(), List.of(), List.of(), List.of());
        }
    }

    private static <T> void read(Path file, T absent, List<String> problems, Function<String, T> parser) {
        try {
            new WatchedFile<>(file, absent, parser).current();
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
        }
    }

    void refresh() {
        Stream.of(banned, admins, voAdmins, gridmap).forEach(WatchedFile::refresh);
    }

    Gridmap gridmap() {
        return gridmap.current();
    }

    Path gridmapFile() {
        return gridmap.file();
    }

    DnList bans() {
        return banned.current();
    }

    /** Null when there is none. */
    Path banFile() {
        return banned.file();
    }

    DnList admins() {
        return admins.current();
    }

    /** The VOs that an identity administers. */
    Set<String> administered(Identity identity) {
        return voAdmins.current().of(identity);
    }

    /** Null when there is none. */
    Path adminFile() {
        return admins.file();
    }

    /** Each file with what is wrong with it; the empty text when nothing is. */
    Map<Path, String> state() {
        Map<Path, String> state = new LinkedHashMap<>();
        int leftOut = gridmap.current().complaints().size();
        state.put(
                gridmap.file(), gridmap.broken() != null || leftOut == 0 ? text(gridmap) : leftOut + " lines left out");
        Stream.of(banned, admins, voAdmins)
                .filter(file -> file.file() != null)
                .forEach(file -> state.put(file.file(), text(file)));
        return state;
    }

    private static String text(WatchedFile<?> file) {
        String broken = file.broken();
        return broken == null ? "" : broken;
    }
}
