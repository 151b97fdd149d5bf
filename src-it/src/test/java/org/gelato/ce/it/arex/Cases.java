package org.gelato.ce.it.arex;

import java.util.ArrayList;
import java.util.List;

/** The requests, made from tables: methods and paths, forms of responses, lists of ids good and bad, descriptions good and bad. */
final class Cases {
    private static final String JSON = "application/json";
    private static final String XML = "application/xml";
    private static final List<String> PATHS = List.of(
            "",
            "/1.0",
            "/2.0/info",
            "/1.0/nosuch",
            "/1.0/info",
            "/1.0/jobs",
            "/1.0/jobs/{JOB}",
            "/1.0/jobs/{JOB}/nosuch",
            "/1.0/jobs/{UNKNOWN}/session",
            "/1.0/jobs/{JOB}/diagnose",
            "/1.0/jobs/{JOB}/diagnose/nosuch",
            "/1.0/jobs/{UNKNOWN}/diagnose/status",
            "/1.0/delegations",
            "/1.0/delegations/nosuch");
    private static final List<String> METHODS = List.of("GET", "PUT", "POST", "DELETE", "HEAD", "PATCH");
    private static final List<String> LISTS = List.of(
            "",
            "/1.0/info",
            "/1.0/jobs",
            "/1.0/jobs?state=PREPARING,ACCEPTED",
            "/1.0/jobs?state=NOSUCH",
            "/1.0/delegations");

    private final List<Case> all = new ArrayList<>();

    private Cases() {}

    static List<Case> all() {
        Cases cases = new Cases();
        cases.forms();
        cases.actions();
        cases.submissions();
        cases.delegations();
        cases.methods();
        return List.copyOf(cases.all);
    }

    private void add(String group, String method, String target, String accept, String type, String body) {
        all.add(new Case(group, method, target, accept, type, body));
    }

    private void forms() {
        for (String path : LISTS) {
            for (String accept : new String[] {null, "*/*", "text/xml", XML, JSON, "text/html", "text/plain"}) {
                add("GET " + (path.isEmpty() ? "/" : path), "GET", path, accept, null, null);
            }
        }
    }

    private void methods() {
        for (String path : PATHS) {
            for (String method : METHODS) {
                boolean withBody = method.equals("PUT") || method.equals("POST") || method.equals("PATCH");
                boolean diagnose = path.contains("/diagnose") && !method.equals("GET");
                add(
                        diagnose ? "diagnose, not GET" : method + " " + (path.isEmpty() ? "/" : path),
                        method,
                        path,
                        JSON,
                        withBody ? JSON : null,
                        withBody ? "{}" : null);
            }
        }
    }

    private void actions() {
        List<String[]> bodies = List.of(
                new String[] {"one id", JSON, "{\"job\":{\"id\":\"{JOB}\"}}"},
                new String[] {"a list of ids", JSON, "{\"job\":[{\"id\":\"{JOB}\"},{\"id\":\"{UNKNOWN}\"}]}"},
                new String[] {"one id", XML, "<jobs><job><id>{JOB}</id></job></jobs>"},
                new String[] {"one id", null, "<jobs><job><id>{JOB}</id></job></jobs>"},
                new String[] {"an unknown id", XML, "<jobs><job><id>{UNKNOWN}</id></job></jobs>"},
                new String[] {"an empty list", JSON, "{\"job\":[]}"},
                new String[] {"an empty object", JSON, "{}"},
                new String[] {"an empty list", XML, "<jobs></jobs>"},
                new String[] {"no body", JSON, ""},
                new String[] {"broken JSON", JSON, "{\"job\":[{\"id\":"},
                new String[] {"broken XML", XML, "<jobs><job><id>"});
        for (String action : List.of("status", "info", "delegations")) {
            for (String[] body : bodies) {
                add(
                        "list of jobs, " + body[0],
                        "POST",
                        "/1.0/jobs?action=" + action,
                        XML.equals(body[1]) ? "text/xml" : JSON,
                        body[1],
                        body[2]);
            }
        }
        for (String action : List.of("kill", "clean", "restart", "nosuch")) {
            for (String[] body : bodies.subList(4, bodies.size())) {
                add(
                        "list of jobs, " + body[0],
                        "POST",
                        "/1.0/jobs?action=" + action,
                        XML.equals(body[1]) ? "text/xml" : JSON,
                        body[1],
                        body[2]);
            }
        }
    }

    private void submissions() {
        String good = "&(executable=/bin/true)(queue=long)";
        String adl = "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"><Application><Executable>"
                + "<Path>/bin/true</Path></Executable></Application><Resources><QueueName>long</QueueName></Resources>"
                + "</ActivityDescription>";
        String[][] bodies = {
            {"xRSL", null, good},
            {"xRSL", "applicaton/rsl", good},
            {"xRSL", JSON, good},
            {"several xRSL", null, "+(" + good + ")(" + good + ")"},
            {"ADL", null, adl},
            {"ADL", XML, adl},
            {"several ADL", null, "<ActivityDescriptions>" + adl + adl + "</ActivityDescriptions>"},
            {"a closing tag alone", null, "</ActivityDescriptions>"},
            {"no body", null, ""},
            {"no description", null, "garbage"},
            {"unbalanced xRSL", null, "&(executable=/bin/true"},
            {"xRSL without executable", null, "&(queue=long)"},
            {"xRSL of an unknown queue", null, "&(executable=/bin/true)(queue=nosuch)"},
            {"broken ADL", null, "<ActivityDescription><Application>"}
        };
        for (String[] body : bodies) {
            for (String accept : List.of("text/xml", JSON)) {
                add("action=new, " + body[0], "POST", "/1.0/jobs?action=new", accept, body[1], body[2]);
            }
        }
    }

    private void delegations() {
        for (String action : List.of("get", "renew", "delete", "nosuch")) {
            add(
                    "delegation action=" + action + ", unknown id",
                    "POST",
                    "/1.0/delegations/nosuch?action=" + action,
                    JSON,
                    null,
                    "");
        }
        for (String action : List.of("get", "renew", "nosuch")) {
            add(
                    "delegation action=" + action,
                    "POST",
                    "/1.0/delegations/{DELEGATION}?action=" + action,
                    JSON,
                    null,
                    "");
        }
        add("delegation action=new", "POST", "/1.0/delegations?action=new", JSON, null, "");
        add("delegations action=nosuch", "POST", "/1.0/delegations?action=nosuch", JSON, null, "");
        add("PUT of a broken chain", "PUT", "/1.0/delegations/{DELEGATION}", JSON, null, "no certificate");
        add("PUT of an empty chain", "PUT", "/1.0/delegations/{DELEGATION}", JSON, null, "");
    }
}
