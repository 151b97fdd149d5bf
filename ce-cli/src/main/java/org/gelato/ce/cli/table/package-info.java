/** Results for people: lines and tables of jobs, states and CEs. */
package org.gelato.ce.cli.table;
