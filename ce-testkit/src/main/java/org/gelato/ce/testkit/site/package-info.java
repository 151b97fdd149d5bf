/** Ports, directories and settings for a CE that a test, a measurement or the demo starts. */
package org.gelato.ce.testkit.site;
