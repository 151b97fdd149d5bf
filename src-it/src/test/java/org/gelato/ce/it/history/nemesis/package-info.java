/** The site of a history, what its nemesis does to it, and requests that are sent once. */
package org.gelato.ce.it.history.nemesis;
