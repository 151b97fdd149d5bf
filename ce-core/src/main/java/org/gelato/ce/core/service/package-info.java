/** What protocols call: register, command, query, lease and delegation of jobs; requests and results. */
package org.gelato.ce.core.service;
