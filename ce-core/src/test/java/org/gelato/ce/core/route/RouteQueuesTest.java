package org.gelato.ce.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.gelato.ce.core.route.RouteQueues.Waiting;
import org.gelato.ce.json.RouteSettings;
import org.junit.jupiter.api.Test;

class RouteQueuesTest {
    private static final RouteMatch ANY = new RouteMatch(
            List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), 0, null, null, Map.of());
    private static final String ATLAS = content("multicore", "atlas", "everybody");
    private static final String ALL = content("everybody");

    private final RouteQueues queues =
            new RouteQueues(new Routes(List.of(route("atlas", 2), route("everybody", 5), route("plain", 0))));

    private static Route route(String name, int most) {
        return new Route(name, ANY, most == 0 ? Map.of("set.qos", "a") : Map.of(Routes.QUEUED, most));
    }

    private static String content(String... routes) {
        return new RouteSettings(List.of(routes), Map.of()).text();
    }

    private boolean mayEnter(String job, int row, String content) {
        return enter(job, row, content) == null;
    }

    private RouteQueues.Beyond enter(String job, int row, String content) {
        return queues.enter(job, row, content, "slurm", "slurm");
    }

    private void count(Waiting... jobs) {
        queues.counted(queues.count(), List.of(jobs));
    }

    @Test
    void aJobCountsForTheFirstOfItsRoutesThatHasALimitNow() {
        count();
        assertThat(mayEnter("a1", 1, ATLAS)).isTrue();
        assertThat(mayEnter("a2", 1, ATLAS)).isTrue();
        assertThat(enter("a3", 1, ATLAS).reason())
                .isEqualTo("route atlas: at most 2 of its jobs wait in the batch system");
        assertThat(mayEnter("a4", 3, content("atlas")))
                .as("the same route in another row")
                .isFalse();
        assertThat(mayEnter("e1", 2, ALL)).isTrue();
        assertThat(mayEnter("p1", 4, content("plain", "gone"))).isTrue();
        assertThat(mayEnter("n1", 0, null)).isTrue();
        assertThat(mayEnter("d1", 5, "[]")).as("a damaged row").isTrue();
    }

    @Test
    void beforeTheFirstCountNothingIsHandedOver() {
        assertThat(mayEnter("a1", 1, ATLAS)).isFalse();
        count(new Waiting(1, ATLAS, 1), new Waiting(2, ALL, 40), new Waiting(9, content("gone"), 7));
        assertThat(mayEnter("a1", 1, ATLAS)).isTrue();
        assertThat(mayEnter("a2", 1, ATLAS)).isFalse();
        assertThat(mayEnter("e1", 2, ALL)).as("more than the limit wait").isFalse();
    }

    @Test
    void whatIsTakenCountsUntilACountHasIt() {
        count();
        assertThat(mayEnter("a1", 1, ATLAS) && mayEnter("a2", 1, ATLAS)).isTrue();
        RouteQueues.Count count = queues.count();
        queues.completed("a1", true);
        queues.counted(count, List.of());
        assertThat(mayEnter("a3", 1, ATLAS))
                .as("stored after the count began, a2 under way")
                .isFalse();
        queues.completed("a2", false);
        queues.completed("a2", false);
        assertThat(mayEnter("a3", 1, ATLAS)).as("a2 was not taken").isTrue();
        queues.completed("a3", true);
        count(new Waiting(1, ATLAS, 2));
        assertThat(mayEnter("a4", 1, ATLAS)).isFalse();
        count(new Waiting(1, ATLAS, 1));
        assertThat(mayEnter("a4", 1, ATLAS)).as("one runs").isTrue();
    }

    @Test
    void aCountThatEndsAfterALaterOneIsNoNews() {
        RouteQueues.Count early = queues.count();
        count(new Waiting(1, ATLAS, 2));
        queues.counted(early, List.of());
        assertThat(mayEnter("a1", 1, ATLAS)).isFalse();
    }

    @Test
    void lanesHaveTheRoomOfTheirLimitAndTheirTurns() {
        int atlas = enter("a1", 1, ATLAS).number();
        int all = enter("e1", 2, ALL).number();
        assertThat(atlas).isPositive().isNotEqualTo(all);
        queues.waits("lane of atlas", "slurm", atlas);
        queues.waits("lane of all", "slurm", all);
        queues.waits("lane of no limit", "slurm", 17);
        queues.waits("lane elsewhere", "pbs", all);
        assertThat(queues.room("slurm")).isEqualTo(Map.of("lane of no limit", RouteQueues.UNLIMITED));
        queues.empty("lane of no limit");
        assertThat(queues.counted(queues.count(), List.of(new Waiting(1, ATLAS, 2), new Waiting(2, ALL, 5))))
                .as("room")
                .isFalse();
        assertThat(queues.counted(queues.count(), List.of())).as("room").isTrue();
        assertThat(queues.room("slurm")).isEqualTo(Map.of("lane of atlas", 2, "lane of all", 5));
        queues.served(List.of("lane of atlas"));
        assertThat(queues.room("slurm").keySet()).containsExactly("lane of all", "lane of atlas");
        List.of("lane of atlas", "lane of all", "lane elsewhere").forEach(queues::empty);
        assertThat(queues.any()).isFalse();
    }

    @Test
    void whileOthersWaitOnlyTheirLaneIsServed() {
        int atlas = enter("a1", 1, ATLAS).number();
        queues.waits("lane of atlas", "slurm", atlas);
        queues.counted(queues.count(), List.of());
        assertThat(mayEnter("a2", 1, ATLAS)).as("others were first").isFalse();
        assertThat(mayEnter("e1", 2, ALL)).as("of another route").isTrue();
        assertThat(queues.enter("a3", 1, ATLAS, "slurm at night", "slurm at night"))
                .as("in another batch system")
                .isNull();
        assertThat(queues.enter("a4", 1, ATLAS, "pause of an account", "slurm"))
                .as("waited elsewhere")
                .isNull();
        queues.completed("a4", false);
        assertThat(queues.enter("a1", 1, ATLAS, "lane of atlas", "slurm")).isNull();
        queues.completed("a1", false);
        queues.empty("lane of atlas");
        assertThat(mayEnter("a2", 1, ATLAS)).isTrue();
    }

    @Test
    void otherLimitsKeepWhatWasCounted() {
        count();
        assertThat(mayEnter("a1", 1, ATLAS) && mayEnter("a2", 1, ATLAS)).isTrue();
        queues.completed("a1", true);
        queues.replace(Routes.NONE);
        queues.replace(new Routes(List.of(route("atlas", 3), route("everybody", 0), route("plain", 1))));
        assertThat(mayEnter("e9", 2, ALL)).as("no limit any more").isTrue();
        assertThat(mayEnter("p1", 4, content("plain"))).as("not counted yet").isFalse();
        assertThat(mayEnter("a3", 1, ATLAS)).isTrue();
        assertThat(mayEnter("a4", 1, ATLAS)).as("one stored, two under way").isFalse();
        queues.completed("a2", false);
        assertThat(mayEnter("a4", 1, ATLAS)).isTrue();
        queues.waits("lane of atlas", "slurm", enter("a5", 1, ATLAS).number());
        assertThat(queues.hasRoom()).isFalse();
        queues.replace(Routes.NONE);
        assertThat(queues.isLimited()).isFalse();
        assertThat(queues.hasRoom()).as("of what waited for the limit").isTrue();
    }

    @Test
    void routesWhoseNumbersCollideHaveTwo() {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        RouteQueues colliding = new RouteQueues(new Routes(List.of(route("Aa", 1), route("BB", 1))));
        assertThat(colliding.enter("a", 1, content("Aa"), "", "").number())
                .isNotEqualTo(colliding.enter("b", 2, content("BB"), "", "").number());
    }
}
