/** Runs SPIN on models of the product, and compares recorded runs with them. */
package org.gelato.ce.testkit.model;
