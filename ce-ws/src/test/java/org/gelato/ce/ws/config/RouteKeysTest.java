package org.gelato.ce.ws.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.FqanPattern;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.core.route.Routes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteKeysTest {
    @TempDir
    private Path directory;

    private Routes load(String text) throws IOException {
        return CeConfig.load(Files.writeString(directory.resolve("gelato.conf"), text))
                .routes();
    }

    @Test
    void aSiteWithoutPoliciesHasNoRoutes() throws IOException {
        assertThat(load("")).isEqualTo(Routes.NONE);
    }

    @Test
    void aRouteHasWhatTheSiteWrites() throws IOException {
        List<Route> routes = load("""
                gelato.lrms { kind = slurm, queues = [long, gpu] }
                gelato.tokens.issuers = [{ issuer = "https://iam.example.org/" }]
                gelato.routes = [
                  { name = all }
                  {
                    name = atlas-gpu
                    match {
                      vo = [atlas, cms], fqan = "/atlas/Role=*", issuer = "https://iam.example.org/", group = /atlas/production
                      account = atlas001, dn = "/DC=org/CN=Some Body", queue = gpu, min-cores = 2, whole-node = false, gpu = true
                      label { run = mc23 }
                    }
                    set {
                      account = atlas, qos = high, partition = gpu, reservation = mc, constraint = "a100&nvlink", licenses = "matlab:1"
                      nice = 100, attributes { mail-type = END, spread-job = true, gpus-per-node = 2 }
                    }
                    defaults { cores = 2, memory = 2 GiB, wall-time = 24 h }
                    limits { cores = 64, memory = 8 GiB, wall-time = 96 h, queued = 40 }
                    environment { TIER = 2, http_proxy = "http://squid:3128" }, runtime-environments = [ATLAS-SITE, ENV/PROXY]
                  }
                ]
                """).routes();

        assertThat(routes.get(0).values()).isEmpty();
        assertThat(routes.get(1).name()).isEqualTo("atlas-gpu");
        assertThat(routes.get(1).values())
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("environment.TIER", "2"),
                        Map.entry("environment.http_proxy", "http://squid:3128"),
                        Map.entry("runtime-environments", "ATLAS-SITE ENV/PROXY"),
                        Map.entry("set.account", "atlas"),
                        Map.entry("set.qos", "high"),
                        Map.entry("set.partition", "gpu"),
                        Map.entry("set.reservation", "mc"),
                        Map.entry("set.constraint", "a100&nvlink"),
                        Map.entry("set.licenses", "matlab:1"),
                        Map.entry("set.nice", 100),
                        Map.entry("set.attributes.mail-type", "END"),
                        Map.entry("set.attributes.spread-job", true),
                        Map.entry("set.attributes.gpus-per-node", 2),
                        Map.entry("defaults.cores", 2),
                        Map.entry("defaults.memory", 2L << 30),
                        Map.entry("defaults.wall-time", 86_400L),
                        Map.entry("limits.cores", 64),
                        Map.entry("limits.memory", 8L << 30),
                        Map.entry("limits.wall-time", 345_600L),
                        Map.entry("limits.queued", 40)));
        assertThat(routes.get(1).match()).satisfies(match -> {
            assertThat(match.vos()).containsExactly("atlas", "cms");
            assertThat(match.fqans()).extracting(FqanPattern::text).containsExactly("/atlas/Role=*");
            assertThat(match.issuers()).containsExactly("https://iam.example.org/");
            assertThat(match.groups()).containsExactly(TokenGroup.parse("/atlas/production"));
            assertThat(match.accounts()).containsExactly("atlas001");
            assertThat(match.dns()).containsExactly(DnForms.comparable("/DC=org/CN=Some Body"));
            assertThat(match.queues()).containsExactly("gpu");
            assertThat(match.minCores()).isEqualTo(2);
            assertThat(match.wholeNode()).isFalse();
            assertThat(match.gpu()).isTrue();
            assertThat(match.labels()).isEqualTo(Map.of("run", "mc23"));
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slurm  | match.vos = [a]                         | there is no key vos in match; there are account, dn, fqan",
                "slurm  | sets.qos = a                            | there is no key sets here; there are defaults, environment, limits",
                "slurm  | match = atlas                           | match is a section: write match = { ... }",
                "slurm  | match.fqan = \"(a)\"                    | match.fqan: neither a DN nor an FQAN pattern: (a)",
                "slurm  | match.dn = nobody                       | match.dn: ",
                "slurm  | match.group = \"a b\"                   | match.group: a group is /vo/group",
                "slurm  | match.queue = [nowhere]                 | match.queue: nowhere is not in gelato.lrms.queues",
                "slurm  | match.issuer = \"https://x/\"           | match.issuer: https://x/ is not in gelato.tokens.issuers",
                "slurm  | match.min-cores = many                  | match.min-cores is not a whole number from 1 to 1000000",
                "slurm  | match.whole-node = perhaps              | match.whole-node is not true or false",
                "fork   | environment = { A.B = c }               | environment is not a section of texts",
                "fork   | environment = { 1A = c }                | 1A is no name for a variable",
                "fork   | environment = { __gelato_x = c }        | names beginning with __gelato_ are reserved",
                "fork   | environment = { PATH = a }              | environment.PATH is set for each job by the CE",
                "fork   | environment = { GELATO_JOB_VO = a }     | environment.GELATO_JOB_VO is set for each job by the CE",
                "fork   | environment = { A = \"$B\" }             | environment.A is not one line of text without $",
                "fork   | runtime-environments = [\"a b\"]         | runtime-environments is not a list of names of files",
                "slurm  | match.label = a                         | match.label is not a section of texts",
                "slurm  | match.label = { a.b = c }               | match.label is not a section of texts",
                "slurm  | match.label = { \"a b\" = c }           | match.label: a b is no name of a label",
                "slurm  | match.vo = []                           | match.vo is not a text or a list of different texts",
                "slurm  | match.vo = { a = b }                    | match.vo is not a text or a list of different texts",
                "slurm  | set.account = \"a b\"                   | set.account is not a name of letters",
                "slurm  | set.account = [a]                       | set.account is not a name of letters",
                "slurm  | set.nice = 0                            | set.nice is not a whole number from 1 to 10000",
                "slurm  | set.attributes = [a]                    | set.attributes is not a section of texts, numbers",
                "slurm  | set.attributes = { a = [1] }            | set.attributes.a is not a name",
                "slurm  | set.attributes = { time = 1 }           | set.attributes: time is no option of sbatch that a route may set",
                "slurm  | set.attributes = { quiet = true }       | set.attributes: quiet is no option of sbatch that a route may set",
                "slurm  | set.attributes = { ntas = 2 }           | set.attributes: ntas is no option of sbatch that a route may set",
                "slurm  | set.attributes = { hold = false }       | set.attributes: hold is no option of sbatch that a route may set",
                "slurm  | set.attributes = { wrap = 1 }           | set.attributes: wrap is no option of sbatch that a route may set",
                "slurm  | set.attributes = { comment = \"a b\" }  | set.attributes: comment is no option",
                "slurm  | set.attributes = { mcs-label = \"a b\" } | set.attributes: Slurm is given printable characters",
                "slurm  | set.constraint = \"a b\"                | set.constraint: Slurm is given printable characters",
                "slurm  | set.accounting-group = a                | set.accounting-group: slurm has nothing for it",
                "condor | set.qos = a                             | set.qos: condor has nothing for it",
                "condor | set.attributes = { GelatoTag = a }      | set.attributes: GelatoTag would be an attribute of the CE's own",
                "condor | set.attributes = { Requirements = a }   | set.attributes: Requirements would be an attribute of the CE's own",
                "condor | set.attributes = { mail-type = a }      | set.attributes: not a line NAME = VALUE",
                "torque | set.partition = a                       | set.partition: torque has nothing for it",
                "torque | set.qos = \"a,b\"                       | set.qos: 'a,b' has characters that a directive cannot have",
                "torque | set.attributes = { mem = 1 }            | set.attributes: mem is what the job requests",
                "fork   | set.nice = 5                            | set.nice: fork has nothing for it",
                "slurm  | defaults.memory = 2000000000            | defaults.memory",
                "slurm  | limits.queued = 0                       | limits.queued is not a whole number from 1 to 1000000000",
                "slurm  | defaults.queued = 4                     | there is no key queued in defaults; there are cores, memory, wall-time",
                "slurm  | limits.wall-time = 5                    | limits.wall-time",
                "slurm  | { defaults.cores = 4, limits.cores = 2 } | a value of defaults is more than that of limits",
            })
    void aMistakeIsNamedWithItsLineAndKey(String kind, String route, String problem) throws IOException {
        String text = "gelato.lrms.kind = " + kind + "\ngelato.routes = [\n  { name = first }\n  { name = second } "
                + (route.startsWith("{") ? route : "{ " + route + " }") + "\n]\n";
        assertThat(catchThrowableOfType(ConfigurationException.class, () -> load(text)))
                .as(text)
                .isNotNull()
                .satisfies(e -> assertThat(e.problems())
                        .singleElement()
                        .asString()
                        .startsWith("gelato.routes (line 4): ")
                        .contains(problem));
    }

    @Test
    void allMistakesOfARouteAreNamed() throws IOException {
        assertThat(catchThrowableOfType(
                        ConfigurationException.class,
                        () -> load(
                                "gelato.routes = [{ name = a, set { nice = 0, qos = [b] } }, { nam = b, mach = c }]")))
                .satisfies(e -> assertThat(e.problems())
                        .hasSize(2)
                        .anyMatch(text -> text.contains("set.nice is not") && text.contains("set.qos is not"))
                        .anyMatch(text -> text.contains("no key nam here") && text.contains("no key mach here")));
    }

    @Test
    void noTwoRoutesHaveOneNameAndEachHasOne() throws IOException {
        assertThat(catchThrowableOfType(
                        ConfigurationException.class, () -> load("gelato.routes = [{ name = a }\n{ name = a }\n{ }]")))
                .satisfies(e -> assertThat(e.problems())
                        .containsExactly(
                                "gelato.routes (line 2): name: a is there twice",
                                "gelato.routes (line 3): name is missing"));
    }
}
