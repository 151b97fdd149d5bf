/** The demo: a CE of its own with everything embedded, and one job through it. */
package org.gelato.ce.it.demo;
