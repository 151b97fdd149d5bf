package org.gelato.ce.description;

/** What is counted while descriptions are read, by who has a bound for several of them. Each one has bounds of its own beside it. */
public interface ReadingBudget {
    /** Nothing exceeds it: for descriptions that are read one after another. */
    ReadingBudget UNBOUNDED = characters -> {};

    /**
     * What the values of one description may be together, in characters, as a small text stays a small thing: 64 Ki and four times its length,
     * but no more than the longest text has.
     */
    static long mostOf(String text) {
        return Math.min(1 << 20, (64 << 10) + 4L * text.length());
    }

    /**
     * Takes memory for characters until the description is let go.
     *
     * @throws RuntimeException when there is none
     */
    void expand(long characters);

    /**
     * Counts one word.
     *
     * @param characters that take as much memory as what is made of the word
     * @throws RuntimeException when there were too many, or there is no memory
     */
    default void take(int characters) {
        expand(characters);
    }

    /**
     * Takes memory for characters for longer than this description.
     *
     * @throws RuntimeException when there is none
     */
    default void keep(long characters) {
        expand(characters);
    }
}
