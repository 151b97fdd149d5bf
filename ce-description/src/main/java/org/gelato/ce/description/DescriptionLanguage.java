package org.gelato.ce.description;

import java.util.List;

/** A language in which job descriptions are written. Implementations have no state and are thread-safe. */
public interface DescriptionLanguage {
    /** The language's number in the database; never that of another language. */
    int code();

    /**
     * Reads one description of a call. Whether queue and batch system exist is the caller's to check.
     *
     * @param text as the client sent it
     * @param budget of the call
     * @throws DescriptionException whose text names the attribute or the place, and what is accepted. Its fields have
     *     the attribute where one is refused, and line and column where the language knows them: always for an error of
     *     syntax, and for a refused attribute that stands in the text
     */
    JobRequest read(String text, ReadingBudget budget) throws DescriptionException;

    /** The characters of which one begins every text of this language; empty when texts do not show their language. */
    default String beginnings() {
        return "";
    }

    /**
     * Divides the body of a request into its descriptions. One that is no description is returned as well: reading it
     * says what is wrong. Takes time in proportion to the body.
     *
     * @param budget of the call; what descriptions inherit is kept in it
     * @throws DescriptionException when the body cannot be divided
     */
    default List<String> split(String body, ReadingBudget budget) throws DescriptionException {
        return List.of(body);
    }
}
