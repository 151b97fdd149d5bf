package org.gelato.ce.ws.glue2;

import java.util.List;
import java.util.Set;

/**
 * The kinds of entities that are published. A document names an attribute by its last part alone; a directory puts the name of
 * the class before it that has the attribute (docs/developer/protocol/glue2.md section 1).
 */
public enum Kind {
    COMPUTING_SERVICE(
            "ComputingService", "Service", Set.of("Capability", "Type", "QualityLevel", "StatusInfo", "Complexity")),
    LOCATION("Location", null, Set.of()),
    COMPUTING_ENDPOINT(
            "ComputingEndpoint",
            "Endpoint",
            Set.of(
                    "URL",
                    "Capability",
                    "Technology",
                    "InterfaceName",
                    "InterfaceVersion",
                    "WSDL",
                    "ImplementationName",
                    "ImplementationVersion",
                    "QualityLevel",
                    "HealthState",
                    "ServingState",
                    "StartTime",
                    "IssuerCA")),
    ACCESS_POLICY("AccessPolicy", "Policy", Set.of("Scheme", "Rule")),
    COMPUTING_SHARE("ComputingShare", "Share", Set.of("Description")),
    MAPPING_POLICY("MappingPolicy", "Policy", Set.of("Scheme", "Rule")),
    COMPUTING_MANAGER("ComputingManager", "Manager", Set.of("ProductName", "ProductVersion")),
    EXECUTION_ENVIRONMENT("ExecutionEnvironment", "Resource", Set.of()),
    BENCHMARK("Benchmark", null, Set.of()),
    APPLICATION_ENVIRONMENT("ApplicationEnvironment", null, Set.of()),
    TO_STORAGE_SERVICE("ToStorageService", null, Set.of());

    private static final String PREFIX = "GLUE2";
    private static final String ENTITY = "Entity";
    private static final Set<String> OF_ENTITY = Set.of("Name", "OtherInfo", "CreationTime", "Validity");

    private final String element;
    private final String base;

    /** Made by Set.of, so that it does not change. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<String> ofBase;

    /**
     * @param element name in a document, and of the class without its prefix
     * @param base the class above it; null for none but Entity
     * @param ofBase attributes that the class above has
     */
    Kind(String element, String base, Set<String> ofBase) {
        this.element = element;
        this.base = base;
        this.ofBase = ofBase;
    }

    /** The name of the element in a document. */
    public String element() {
        return element;
    }

    /** The classes of an entry, from the most general one on. */
    List<String> classes() {
        return base == null
                ? List.of(PREFIX + ENTITY, PREFIX + element)
                : List.of(PREFIX + ENTITY, PREFIX + base, PREFIX + element);
    }

    /** The attribute that names an entry. */
    String idAttribute() {
        return PREFIX + (base == null ? element : base) + "ID";
    }

    /** The attribute of an entry that has this name in a document. */
    String directoryName(String attribute) {
        if (OF_ENTITY.contains(attribute)) {
            return PREFIX + ENTITY + attribute;
        }
        return PREFIX + (ofBase.contains(attribute) ? base : element) + attribute;
    }

    /** Whether an entry lies beside the one that a document has it in: resources lie below the service. */
    boolean besideParent() {
        return this == EXECUTION_ENVIRONMENT || this == APPLICATION_ENVIRONMENT;
    }
}
