/** What a user sees: lines and tables of jobs, states and CEs, and what goes on until they end. */
package org.gelato.ce.cli.display;
