/** The data of the dashboard: series over time in rings of fixed size, tables of the jobs that ended lately, search for jobs. */
package org.gelato.ce.core.monitoring;
